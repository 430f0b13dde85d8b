import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testSession } from '../../test/node-session.ts'
import { bakeryContract } from '../../testing/index.ts'
import { tables } from '../schema/tables.ts'
import type { CassandraSession } from '../session/session.ts'
import { CassandraBakeryRegisters } from './bakery-registers.ts'

const keyspace = 'bakery_test'
let session: CassandraSession
let registers: CassandraBakeryRegisters
let names = 0

beforeAll(async () => {
  session = await testSession(keyspace)
  for (const table of [tables.bakery_choosing, tables.bakery_numbers])
    await session.client.execute(table.replaceAll('$k', keyspace))
  registers = new CassandraBakeryRegisters(session)
})
afterAll(() => session?.close())

describe('the registers in Cassandra keep the contract', () => {
  // The last case measures whole seconds by this machine's clock, and fails if the machine is too busy.
  for (const { title, run } of bakeryContract)
    it(title, () =>
      run({
        registers,
        name: `contract/${process.pid}/${Date.now()}/${++names}`,
        nowMs: Date.now,
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      }),
    )
})

it('refuses a register that would never expire', async () => {
  const register = { name: 'bread', customer: 'c', timestampMicros: 1n }
  await expect(registers.setChoosing(register, 0)).rejects.toMatchObject({ code: 'invalid-argument' })
  await expect(registers.setNumber(register, 1n, 0)).rejects.toMatchObject({ code: 'invalid-argument' })
})
