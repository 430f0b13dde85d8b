import { expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore } from '../testing/index.ts'
import { uniqueOwner } from './owner-id.ts'
import { LeaseProtocol } from './protocol.ts'

it('draws its random part for each id: copies of a running machine share what was drawn before', () => {
  const parts = Array.from({ length: 1_000 }, () => uniqueOwner().split(':').at(-2))
  expect(parts[0]).toMatch(/^[0-9a-f]{12}$/)
  expect(new Set(parts).size).toBe(1_000)
})

it('begins as the protocol was given, and is another one for each acquisition', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const leases = new LeaseProtocol({ store, clock, timer: clock, ownerPrefix: 'rest:' })
  const owners = new Set<string>()
  for (const name of ['a', 'b', 'c']) {
    const outcome = await clock.run(leases.tryAcquire(name))
    if (outcome.kind === 'acquired') owners.add(outcome.tenure.owner)
  }
  expect(owners.size).toBe(3)
  for (const owner of owners) expect(owner).toMatch(/^rest:[^:]+:\d+:[0-9a-f]{12}:[0-9a-z]+$/)
  const chosen = await clock.run(leases.tryAcquire('d', { owner: 'mine' }))
  expect(chosen).toMatchObject({ kind: 'acquired', tenure: { owner: 'mine' } })
})

it.each(['!', 'x'.repeat(512)])('does not begin with %s', (ownerPrefix) => {
  const clock = new FakeClock()
  const options = { store: new MemoryLeaseStore(clock), clock, timer: clock }
  expect(() => new LeaseProtocol({ ...options, ownerPrefix })).toThrow(/owner/i)
})
