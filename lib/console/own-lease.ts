/**
 * People hold leases too, made by hand in the console; their programs do not come with a cookie. What somebody acquired
 * here is theirs to release. Anybody else's lease is a forced release, whatever path it takes: without a plan it is a
 * kill, for those who may kill, and stands in the audit log like one.
 *
 * Tokens of programs are not asked: whoever has one speaks for the programs of its names.
 */
import { uniqueOwner } from 'leasehold/lease'
import { routes } from '../contract/routes.ts'
import type { Session } from '../contract/session.ts'
import { byteLength, ownerMaxBytes } from '../contract/text.ts'
import { actorOf, type Sender } from './actor.ts'
import { audited } from './audited.ts'
import { permit } from './authorise.ts'
import type { ConsoleContext, TableContext } from './context.ts'
import { checkMayRelease } from './releases/offers.ts'

const prefixOf = (username: string) => `${username}@console:`

/** An owner for a lease that a person acquires, and can be told by. undefined: a program, which has a plain one. */
export function ownerFor({ username, role }: Session): string | undefined {
  const owner = prefixOf(username) + uniqueOwner()
  return role === 'client' || byteLength(owner) > ownerMaxBytes ? undefined : owner
}

const isOwn = ({ role, username }: Session, owner: string): boolean =>
  role === 'client' || owner.startsWith(prefixOf(username))

/**
 * Releases a lease for whoever names its owner.
 * @throws HttpProblem forbidden, elevation-needed, audit-unavailable, when it is not theirs and they may not kill
 */
export async function releaseAs<T extends { kind: string }>(
  context: ConsoleContext,
  sender: Sender,
  table: TableContext,
  { name, owner }: { name: string; owner: string },
  release: () => Promise<T>,
): Promise<T> {
  const { session } = sender
  permit(routes.deleteLock.permission, session, name)
  if (isOwn(session, owner)) return release()
  checkMayRelease('kill', session, context, context.clock.now().wallMs)
  const about = {
    act: 'release' as const,
    actor: actorOf(sender),
    on: { kind: 'lease' as const, table: table.id, name, owner },
    reason: 'Without a plan, by naming the owner',
    wanted: { mode: 'kill' },
  }
  return audited(context.audit, about, async () => {
    const result = await release()
    return { after: { outcome: result.kind }, result }
  })
}
