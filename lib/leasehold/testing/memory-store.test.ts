import { describe, it } from 'vitest'
import type { PlainClient } from './contract-case.ts'
import { FakeClock } from './fake-clock.ts'
import { MemoryLeaseStore } from './memory-store.ts'
import { storeContract } from './store-contract.ts'

describe('the store in memory keeps the contract', () => {
  for (const { title, run } of storeContract())
    it(title, async () => {
      // Any fraction of a second: expiry depends on it.
      const clock = new FakeClock(Date.UTC(2026, 0, 1) + 777)
      const store = new MemoryLeaseStore(clock)
      const plain: PlainClient = {
        insertIfNotExists: async (...args) => store.plain.insertIfNotExists(...args),
        renewOwnerOnly: async (...args) => store.plain.renewOwnerOnly(...args),
        setValueOnly: async (...args) => store.plain.setValueOnly(...args),
        deleteIfOwner: async (...args) => store.plain.deleteIfOwner(...args),
      }
      await clock.run(run({ store, plain, clock, timer: clock, wait: (ms) => clock.sleep(ms) }))
    })
})
