/** Keys and values that the driver sends otherwise than they were given, so that two of them are one row. */
import { beforeEach, describe, expect, it } from 'vitest'
import { StatementUnknownError } from '../../lease/index.ts'
import { FakeClock } from '../../testing/index.ts'
import type { Executor } from '../session/executor.ts'
import { FencedTable } from './fenced-table.ts'

let clock: FakeClock
let isLost: boolean
let sent: number
let table: FencedTable

beforeEach(() => {
  clock = new FakeClock()
  isLost = false
  sent = 0
  const session: Executor = {
    keyspace: 'leasehold',
    serial: 'SERIAL',
    paxosVariant: 'v2',
    // One row, which an earlier update of this token has written.
    execute: async ({ cql }) => {
      if (cql.startsWith('SELECT')) return { rows: [{ fence: 2n }], coordinator: 'a' }
      sent++
      if (isLost) throw new StatementUnknownError('by order of the test', 'never')
      return { rows: [{ '[applied]': true }], coordinator: 'a' }
    },
  }
  table = new FencedTable(session, { table: 'orders', key: ['id'], fence: 'fence', clock, timer: clock })
})

const half = 'a\ud800'

describe('half a surrogate pair, for which the driver sends U+FFFD', () => {
  it.each([
    ['in a key', { id: half }, {}],
    ['in a value', { id: 'a' }, { state: half }],
    ['in a list', { id: 'a' }, { states: ['new', half] }],
    ['in a set', { id: 'a' }, { states: new Set([half]) }],
    ['in a map', { id: 'a' }, { states: new Map([['a', half]]) }],
    ['in the key of an object', { id: 'a' }, { states: { [half]: 'new' } }],
    ['in an object of a list', { id: 'a' }, { states: [{ state: half }] }],
  ])('%s is refused, and nothing is sent', async (_, key, columns) => {
    await expect(table.guard(2n).update(key, columns)).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringContaining('half of a surrogate pair'),
    })
    expect(sent).toBe(0)
  })

  it('whole pairs, bytes and numbers are sent', async () => {
    const columns = { state: '😀', bytes: Buffer.from([0xd8]), at: new Date(0), amount: 7n, rest: null }
    expect(await table.guard(2n).update({ id: '😀' }, columns)).toEqual({ kind: 'written' })
  })
})

describe('two spellings of one row', () => {
  it('as bytes and otherwise are refused: bytes may be of any type', async () => {
    const guard = table.guard(2n)
    expect(await guard.update({ id: 'a' }, { state: 'new' })).toEqual({ kind: 'written' })
    for (const of of [guard, table.guard(3n)])
      await expect(of.update({ id: Buffer.from('a') }, { state: 'paid' })).rejects.toMatchObject({
        code: 'invalid-argument',
        message: expect.stringContaining('"id"'),
      })
    expect(sent).toBe(1)
  })

  it.each([
    ['Ł', 'A'],
    ['İ7', '07'],
    ['ı.2.3.4', '1.2.3.4'],
  ])(
    '%s and %s, which are one in an ascii column: an update is not written by the fence of the other',
    async (one, other) => {
      const guard = table.guard(2n)
      expect(await guard.update({ id: one }, { state: 'new' })).toEqual({ kind: 'written' })
      isLost = true
      await expect(clock.run(guard.update({ id: other }, { state: 'paid' }))).rejects.toMatchObject({
        code: 'outcome-unknown',
      })
    },
  )

  it('keeps the text of a key in its errors', async () => {
    isLost = true
    const guard = table.guard(3n)
    await expect(clock.run(guard.update({ id: '注文' }, { state: 'paid' }))).rejects.toMatchObject({
      code: 'outcome-unknown',
      lease: '["注文"]',
    })
  })
})
