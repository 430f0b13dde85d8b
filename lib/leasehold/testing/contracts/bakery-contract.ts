/** The contract of the bakery's registers. Those in memory and those in Cassandra pass the same cases. */
import assert from 'node:assert/strict'
import type { BakeryRegisters, Numbered, Register } from '../../bakery/index.ts'

export interface BakeryContractHarness {
  registers: BakeryRegisters
  /** The name of a lock that no other case uses. */
  name: string
  /** The wall clock, in milliseconds. */
  nowMs(): number
  wait(ms: number): Promise<void>
}

export interface BakeryContractCase {
  title: string
  run(harness: BakeryContractHarness): Promise<void>
}

const at = (name: string, customer: string, timestampMicros: bigint): Register => ({
  name,
  customer,
  timestampMicros,
})
const sorted = (numbers: Numbered[]) => numbers.toSorted((a, b) => (a.customer < b.customer ? -1 : 1))

export const bakeryContract: BakeryContractCase[] = [
  {
    title: 'shows no customer at first',
    run: async ({ registers, name }) => {
      assert.deepEqual(await registers.choosing(name), [])
      assert.deepEqual(await registers.numbers(name), [])
    },
  },
  {
    title: 'keeps each customer’s registers apart, and each lock’s, letter for letter',
    run: async ({ registers, name }) => {
      const odd = 'host:日本:"; DROP'
      await registers.setChoosing(at(name, odd, 1_000n), 30)
      await registers.setNumber(at(name, odd, 1_001n), 2n ** 60n, 30)
      await registers.setNumber(at(name, 'other', 5n), 1n, 30)
      assert.deepEqual(await registers.choosing(name), [odd])
      assert.deepEqual(sorted(await registers.numbers(name)), [
        { customer: odd, number: 2n ** 60n },
        { customer: 'other', number: 1n },
      ])
      assert.deepEqual(await registers.numbers(`${name}/other`), [])
      await registers.clearChoosing(at(name, odd, 1_002n))
      assert.deepEqual(await registers.choosing(name), [])
      await registers.clearNumber(at(name, odd, 1_003n))
      assert.deepEqual(await registers.numbers(name), [{ customer: 'other', number: 1n }])
    },
  },
  {
    title: 'lets the greater timestamp win, in whatever order writes land; a clearing is a write',
    run: async ({ registers, name }) => {
      await registers.clearChoosing(at(name, 'a', 20n))
      await registers.setChoosing(at(name, 'a', 10n), 30)
      assert.deepEqual(await registers.choosing(name), [])
      await registers.setNumber(at(name, 'a', 40n), 7n, 30)
      await registers.setNumber(at(name, 'a', 30n), 3n, 30)
      await registers.clearNumber(at(name, 'a', 35n))
      assert.deepEqual(await registers.numbers(name), [{ customer: 'a', number: 7n }])
      await registers.clearNumber(at(name, 'a', 50n))
      await registers.setNumber(at(name, 'a', 45n), 7n, 30)
      assert.deepEqual(await registers.numbers(name), [])
    },
  },
  {
    title: 'forgets a register at a whole second, unless its customer writes it again',
    run: async ({ registers, name, nowMs, wait }) => {
      const second = () => Math.floor(nowMs() / 1_000)
      // Begins at the start of a second, so that two whole seconds are visible.
      await wait(1_000 - (nowMs() % 1_000) + 20)
      const before = second()
      for (const customer of ['gone', 'stays']) {
        await registers.setChoosing(at(name, customer, 1n), 2)
        await registers.setNumber(at(name, customer, 2n), 1n, 2)
      }
      const after = second()
      await wait(Math.max(0, (before + 1) * 1_000 + 400 - nowMs()))
      const shown = await registers.choosing(name)
      // A machine that was too slow proves nothing here.
      if (second() < before + 2) assert.deepEqual(shown.toSorted(), ['gone', 'stays'])
      await registers.setNumber(at(name, 'stays', 3n), 1n, 30)
      await wait(Math.max(0, (after + 2) * 1_000 + 100 - nowMs()))
      assert.deepEqual(await registers.choosing(name), [])
      assert.deepEqual(await registers.numbers(name), [{ customer: 'stays', number: 1n }])
    },
  },
]
