/**
 * People hold leases too, made by hand in the console; their programs do not come with a cookie. What somebody acquired
 * here is theirs to renew and to release. Anybody else's lease is a forced release, whatever path it takes: naming its
 * owner, to delete it or to renew it for a shorter while, is a kill; for those who may kill, and in the audit log like one.
 * A name that needs a second person is released by a plan alone.
 *
 * Tokens of programs are not asked: whoever has one speaks for the programs of its names. With a name that needs a second
 * person, what they release stands in the audit log as well.
 */

import { uniqueOwner } from 'leasehold/lease'
import { routes } from '../../contract/routes.ts'
import type { Session } from '../../contract/session.ts'
import { byteLength, ownerMaxBytes } from '../../contract/text.ts'
import { actorOf, type Sender } from '../audit/actor.ts'
import { audited } from '../audit/audited.ts'
import { permit } from '../http/authorise.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { refuseOwnName } from '../leases/tables.ts'
import { checkMayRelease, needsSecondPerson } from '../releases/offers.ts'
import type { LockServices } from './lock-services.ts'

const prefixOf = (username: string) => `${username}@console:`

/** An owner for a lease that a person acquires, and can be told by. undefined: a program, which has a plain one. */
export function ownerFor({ username, role }: Session): string | undefined {
  const owner = prefixOf(username) + uniqueOwner()
  return role === 'client' || byteLength(owner) > ownerMaxBytes ? undefined : owner
}

interface Named {
  name: string
  owner: string
}

/**
 * Releases a lease for whoever names its owner.
 * @throws HttpProblem forbidden, elevation-needed, audit-unavailable, when it is not theirs and they may not kill
 */
export async function releaseAs<T extends { kind: string }>(
  services: LockServices,
  sender: Sender,
  table: LeaseTable,
  named: Named,
  release: () => Promise<T>,
): Promise<T> {
  permit(routes.deleteLock.permission, sender.session, named.name)
  refuseOwnName(services, table, named.name)
  return actAs(services, sender, table, named, 'Without a plan, by naming the owner', release)
}

/**
 * Renews a lease for whoever names its owner: with another TTL that ends it, for a holder who trusts the one it had.
 * @throws as `releaseAs`
 */
export const renewFor = <T extends { kind: string } | null>(
  services: LockServices,
  sender: Sender,
  table: LeaseTable,
  named: Named,
  renew: () => Promise<T>,
): Promise<T> =>
  sender.session.role === 'client'
    ? renew()
    : actAs(services, sender, table, named, 'Without a plan, by renewing it as its owner', renew)

async function actAs<T extends { kind: string } | null>(
  services: LockServices,
  sender: Sender,
  table: LeaseTable,
  { name, owner }: Named,
  reason: string,
  work: () => Promise<T>,
): Promise<T> {
  const { session } = sender
  const twoPeople = needsSecondPerson(name, services.config)
  const isProgram = session.role === 'client'
  if (isProgram ? !twoPeople : owner.startsWith(prefixOf(session.username))) return work()
  if (!isProgram) {
    checkMayRelease('kill', session, services, services.clock.now().wallMs)
    if (twoPeople)
      throw new HttpProblem(
        'forbidden',
        `${name} is released by two people: make a plan (Release…), which another operator approves.`,
      )
  }
  const about = {
    act: 'release' as const,
    actor: actorOf(sender),
    on: { kind: 'lease' as const, table: table.id, name, owner },
    reason,
    wanted: { mode: 'kill' },
  }
  return audited(services.audit, about, async () => {
    const result = await work()
    const outcome = result?.kind ?? 'ok'
    return { after: { outcome }, result, outcome }
  })
}
