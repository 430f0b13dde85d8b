import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { Session } from '../../../contract/people/session.ts'
import type { PermittedSender } from '../../audit/actor.ts'
import { bodies, setUp } from '../../audit/chain/test-stored-log.ts'
import { ActLimit, actsShare, programActsShare } from '../../audit/refusals/act-limit.ts'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import type { LockServices } from '../lock-services.ts'
import { acquireOrRenew } from '../locking.ts'
import { releaseAs } from '../own-lease.ts'

const otto = { username: 'otto', role: 'operator', via: 'password', scope: null } as unknown as Session
const worker = {
  username: 'worker',
  role: 'client',
  via: 'token',
  scope: { role: 'client', prefixes: [''], tables: ['*'] },
} as unknown as Session

/** A sender, and a lease name that needs two people, on an audit log in memory. */
function acting(session: Session) {
  const { store, audit, clock } = setUp(new FakeClock(Date.UTC(2026, 10, 21, 12)))
  const leases = new LeaseProtocol({
    store: new MemoryLeaseStore(clock),
    clock,
    timer: clock,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 60,
  })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  let releases = 0
  const table = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 60, leases } as LeaseTable
  const services = {
    tables: new Map([['leases', table]]),
    audit,
    clock,
    log,
    requestLog: log,
    session: { keyspace: 'leasehold' },
    actLimit: new ActLimit({ audit, clock, timer: clock, log }),
    config: { secondPersonFor: ['two/'], secondPersonAfterMs: 0, adminActions: true, maxClockSkewMs: 100 },
  } as unknown as LockServices
  const sender = (): PermittedSender => ({
    session,
    senderKey: session.username,
    address: '10.0.0.7',
    requestId: 'r',
    window: new ActWindow(clock),
  })
  const name = 'two/x'
  return {
    entries: () => bodies(store).length,
    refusals: () => bodies(store, 'refused'),
    clock,
    take: (owner: string, ttlSeconds = 60) =>
      clock.run(acquireOrRenew(services, sender(), table, name, { owner, ttlSeconds })),
    release: (owner: string) =>
      clock.run(
        releaseAs(services, sender(), table, { name, owner }, () => {
          releases += 1
          return leases.release({ name, owner })
        }),
      ),
    releases: () => releases,
    leases,
  }
}
const tooMany = { code: 'too-many-requests' }

it('an operator who takes and releases a name of two people in a loop writes a bounded number of entries', async () => {
  const { take, release, entries, refusals, clock } = acting(otto)
  for (let n = 0; n < actsShare.perKey; n++) {
    await take(`otto@console:${n}`)
    if (n + 1 < actsShare.perKey) await release(`otto@console:${n}`)
  }
  const last = `otto@console:${actsShare.perKey - 1}`
  // What the operator holds can be released; nothing more can be taken.
  expect(await release(last)).toMatchObject({ kind: 'released' })
  await clock.advance(1_000)
  const before = entries()
  expect(before).toBe(4 * actsShare.perKey)
  for (let n = 0; n < 20; n++) await expect(take('otto@console:more')).rejects.toMatchObject(tooMany)
  expect(await release(last)).toMatchObject({ kind: 'notHeld' })
  await clock.advance(600_000)
  expect(entries()).toBe(before)
  expect(refusals()).toMatchObject([
    { act: 'flood', actor: { username: 'otto' }, after: { counted: 20, acts: { acquire: 20 } } },
  ])
  expect(await take('otto@console:later')).toMatchObject({ kind: 'acquired' })
})

it('a token that takes and releases a name of two people in a loop writes a bounded number of entries', async () => {
  const { take, release, entries, refusals, clock } = acting(worker)
  for (let n = 0; n < programActsShare.perKey; n++) {
    await take(`job:${n}`)
    expect(await release(`job:${n}`)).toMatchObject({ kind: 'released' })
  }
  await take('job:more')
  await clock.advance(1_000)
  const before = entries()
  expect(before).toBe(2 * programActsShare.perKey)
  const retryAfter = { 'Retry-After': expect.stringMatching(/^[1-9]\d?$/) }
  for (let n = 0; n < 20; n++)
    await expect(release('job:more')).rejects.toMatchObject({ ...tooMany, headers: retryAfter })
  // A renewal for less time is refused too; any other is no matter of the audit log.
  await expect(take('job:more', 2)).rejects.toMatchObject(tooMany)
  expect(await take('job:more', 60)).toMatchObject({ kind: 'renewed' })
  await clock.advance(programActsShare.windowMs)
  expect(entries()).toBe(before)
  expect(refusals()).toMatchObject([
    { act: 'flood', actor: { username: 'worker', role: 'client' }, after: { counted: 21 } },
  ])
  expect(await release('job:more')).toMatchObject({ kind: 'notHeld' })
})

it.each([
  ['a token', worker],
  ['an operator', otto],
])(
  'a release by %s of what its owner does not hold writes nothing, and deletes nothing',
  async (_, session) => {
    const { leases, release, releases, entries, refusals, clock } = acting(session)
    const owner = `${session.username}@console:gone`
    const before = entries()
    for (let n = 0; n < 20; n++) expect(await release(owner)).toEqual({ kind: 'notHeld', owner: null })
    await clock.run(leases.tryAcquire('two/x', { owner: 'another', ttlSeconds: 60 }))
    expect(await release(owner)).toEqual({ kind: 'notHeld', owner: 'another' })
    await clock.advance(600_000)
    expect([releases(), entries() - before, refusals()]).toEqual([0, 0, []])
  },
)
