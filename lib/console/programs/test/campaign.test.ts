import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it, vi } from 'vitest'
import type { Session } from '../../../contract/people/session.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import { log } from '../../http/log/log.ts'
import { TableTrust } from '../../leases/table-trust.ts'
import { campaign } from '../election-handlers.ts'

const session: Session = {
  ...{ username: 'jobs', role: 'client', via: 'token', elevatedUntil: null, expiresAt: null },
  scope: { role: 'client', prefixes: [''], tables: ['leases'] },
}

it('a campaign that waited does not try again once its sender has lost its permission', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const leases = new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100, defaultTtlSeconds: 60 })
  const leader = await clock.run(leases.tryAcquire('group', { owner: 'leader' }))
  if (leader.kind !== 'acquired') throw new Error(leader.kind)
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = {
    id: 'leases',
    mapping,
    readOnly: false,
    defaultTtlSeconds: 60,
    leases,
    trust: new TableTrust(),
  }
  const holders = {
    changed: async () => {
      await leases.release(leader.tenure)
      return leases.read('group')
    },
  }
  const terms = { begin: vi.fn() }
  const tables = new Map([['leases', table]])
  const config = { secondPersonFor: [], secondPersonAfterMs: 0, adminActions: [] }
  const services = { ...{ tables, holders, terms, clock, log, config }, session: { keyspace: 'leasehold' } }
  const stillAllowed = vi.fn(async () => {
    throw new HttpProblem('unauthenticated', 'The token was revoked.')
  })
  const input = {
    ...{ params: { group: 'group' }, query: { wait: 10_000 }, body: {}, session, stillAllowed },
    ...{ requestId: 'a', address: null, sessionId: null, cookieHeader: null },
    signal: new AbortController().signal,
  }
  const answered = campaign(input as never, services as never)
  await expect(clock.run(answered)).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(stillAllowed).toHaveBeenCalledTimes(1)
  expect((await leases.read('group'))?.owner ?? null).toBeNull()
  expect(terms.begin).not.toHaveBeenCalled()
})
