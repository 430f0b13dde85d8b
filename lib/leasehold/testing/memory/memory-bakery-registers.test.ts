import { describe, it } from 'vitest'
import { bakeryContract } from '../contracts/bakery-contract.ts'
import { FakeClock } from '../fake-clock.ts'
import { MemoryBakeryRegisters } from './memory-bakery-registers.ts'

describe('the registers in memory keep the contract', () => {
  for (const { title, run } of bakeryContract)
    it(title, async () => {
      const clock = new FakeClock(Date.UTC(2026, 0, 1) + 777)
      const registers = new MemoryBakeryRegisters(clock)
      const nowMs = () => clock.now().wallMs
      await clock.run(run({ registers, name: 'bread', nowMs, wait: (ms) => clock.sleep(ms) }))
    })
})
