import { describe, expect, it } from 'vitest'
import type { PlainClient } from '../contracts/contract-case.ts'
import { storeContract } from '../contracts/store-contract.ts'
import { FakeClock } from '../fake-clock.ts'
import { MemoryLeaseStore } from './memory-store.ts'

describe.each(['v1', 'v2'] as const)('the store in memory keeps the contract: Paxos %s', (paxosVariant) => {
  for (const { title, run } of storeContract())
    it(title, async () => {
      // Any fraction of a second: expiry depends on it.
      const clock = new FakeClock(Date.UTC(2026, 0, 1) + 777)
      const store = new MemoryLeaseStore(clock)
      store.paxosVariant = paxosVariant
      const plain: PlainClient = {
        insertIfNotExists: async (...args) => store.plain.insertIfNotExists(...args),
        renewOwnerOnly: async (...args) => store.plain.renewOwnerOnly(...args),
        setValueOnly: async (...args) => store.plain.setValueOnly(...args),
        deleteIfOwner: async (...args) => store.plain.deleteIfOwner(...args),
      }
      await clock.run(run({ store, plain, clock, timer: clock, wait: (ms) => clock.sleep(ms) }))
    })
})

describe('a slow renewal', () => {
  const startMs = Date.UTC(2026, 0, 1)
  const row = { name: 'job', owner: 'a', value: 'v', ttlSeconds: 20 }
  const renewal = { ...row, knownValue: 'v' }

  it('has the expiry of its start and the version of its end, and is answered then', async () => {
    const clock = new FakeClock(startMs + 900)
    const store = new MemoryLeaseStore(clock)
    await store.acquire(row)
    store.fault = (kind) =>
      kind === 'renew' ? { kind: 'delayed', queuedMs: 1_000, contendedMs: 2_000, answerMs: 500 } : undefined
    expect(await clock.run(store.renew(renewal))).toEqual({ applied: true })
    expect(clock.now().wallMs).toBe(startMs + 4_400)
    const { cells } = await store.read('job')
    expect(cells?.ownerWritetime).toBe(BigInt(startMs + 3_900) * 1000n)
    // It started in second 1, and ended in second 3; now it is second 4.
    expect(cells?.ownerTtlSeconds).toBe(1 + 20 - 4)
  })

  it('goes on after its client gave up, and is refused if another owner holds the lease by then', async () => {
    const clock = new FakeClock(startMs)
    const store = new MemoryLeaseStore(clock)
    await store.acquire(row)
    store.fault = (kind) => (kind === 'renew' ? { kind: 'delayed', contendedMs: 2_000 } : undefined)
    const givenUp = clock.run(store.renew({ ...renewal, value: 'next', giveUpAfterMs: 1_000 }))
    await expect(givenUp).rejects.toMatchObject({ code: 'statement-unknown', finality: 'never' })
    expect(clock.now().wallMs).toBe(startMs + 1_000)
    await clock.advance(1_000)
    expect((await store.read('job')).cells?.value).toBe('next')
    const late = store.renew({ ...renewal, knownValue: 'next' })
    await store.release({ name: 'job', owner: 'a' })
    await store.acquire({ ...row, owner: 'b' })
    expect(await clock.run(late)).toEqual({ applied: false, found: { owner: 'b', value: 'v' } })
  })
})
