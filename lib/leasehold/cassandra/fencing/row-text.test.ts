/** One row, whichever way its key is written: the guard remembers rows by this text. */
import cassandra from 'cassandra-driver'
import { expect, it } from 'vitest'
import { StatementUnknownError } from '../../lease/index.ts'
import { FakeClock } from '../../testing/index.ts'
import type { Executor } from '../session/executor.ts'
import { FencedTable } from './fenced-table.ts'
import { rowText } from './row-text.ts'

const { Uuid, InetAddress, LocalDate, LocalTime, Long } = cassandra.types
const uuid = '6f9619ff-8b86-4d11-b42d-00c04fc964ff'

it.each([
  ['a uuid', [uuid, uuid.toUpperCase(), Uuid.fromString(uuid)]],
  ['an IPv6 address', ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', InetAddress.fromString('2001:db8::1')]],
  [
    'an IPv4 address',
    ['10.0.0.1', '::ffff:10.0.0.1', InetAddress.fromString('10.0.0.1'), Buffer.from([10, 0, 0, 1])],
  ],
  ['a uuid in bytes', [uuid, Uuid.fromString(uuid).getBuffer()]],
  [
    'a uuid whose bytes begin like an IPv4 address',
    ['00000000-0000-0000-0000-ffff01020304', Buffer.from('00000000000000000000ffff01020304', 'hex')],
  ],
  ['an integer', [7, 7n, '7', '007', '+7', Long.fromNumber(7)]],
  ['an integer with a fraction, which the driver drops', [1, 1.5, '1.9']],
  ['an integer beyond 64 bits, which the driver cuts off', [7n, 7n + (1n << 64n)]],
  ['a decimal', ['1.5', '1.50', 1.5]],
  ['a long decimal', ['9007199254740993', '9007199254740993.0']],
  [
    'a timestamp',
    [1_704_067_200_000, '2024-01-01T00:00:00Z', '2024-01-01T01:00:00+01:00', 'Mon, 01 Jan 2024 00:00:00 GMT'],
  ],
  ['a date', ['2024-01-01', LocalDate.fromString('2024-01-01')]],
  ['a time', ['08:12:54.1', '8:12:54.1', '08:12:54.100', LocalTime.fromString('08:12:54.1')]],
  ['a time without seconds', ['08:12', '08:12:00', LocalTime.fromString('08:12')]],
  ['a boolean', [true, 1]],
  ['a collection', [[uuid], [uuid.toUpperCase()], new Set([uuid]), { a: 1 }, new Map([['a', 1]])]],
])('%s has one text', (_, spellings) => {
  expect(new Set(spellings.map((value) => rowText([value]))).size).toBe(1)
})

it('a Date is refused: two of one day are one row by a date, and two by a timestamp', () => {
  const table = new FencedTable({} as Executor, { table: 'days', key: ['day'], fence: 'fence' })
  const update = table.guard(2n).update({ day: new Date('2026-01-01T12:00:00Z') }, { state: 'open' })
  return expect(update).rejects.toMatchObject({
    code: 'invalid-argument',
    message:
      'The key "day" is a Date, and the driver sends all of it or its day alone. Give the milliseconds of a timestamp, or the text of a date, such as 2026-01-31.',
  })
})

it('other keys have other texts', () => {
  const keys = [
    'a',
    'A',
    '',
    ' ',
    '7a',
    '7',
    '9007199254740993',
    '9007199254740992',
    uuid,
    '10.0.0.1',
    '10.0.0.2',
    Buffer.from('a'),
  ]
  expect(new Set(keys.map((value) => rowText([value]))).size).toBe(keys.length)
  expect(rowText(['a', 'b'])).not.toBe(rowText(['ab', '']))
})

it.each(['fe80::1%eth0', '64:ff9b::10.0.0.1'])(
  '%s, which the driver takes for no address, may be text',
  (text) => {
    expect(rowText([text])).toBe(JSON.stringify([text]))
  },
)

it('a lost update of a uuid in capitals is not taken for written by the fence of an earlier one', async () => {
  const clock = new FakeClock()
  let isLost = false
  const session: Executor = {
    keyspace: 'leasehold',
    serial: 'SERIAL',
    paxosVariant: 'v2',
    execute: async ({ cql }) => {
      if (cql.startsWith('SELECT')) return { rows: [{ fence: 2n }], coordinator: 'a' }
      if (isLost) throw new StatementUnknownError('by order of the test', 'never')
      return { rows: [{ '[applied]': true }], coordinator: 'a' }
    },
  }
  const table = new FencedTable(session, {
    table: 'orders',
    key: ['id'],
    fence: 'fence',
    clock,
    timer: clock,
  })
  const guard = table.guard(2n)
  expect(await guard.update({ id: uuid }, { state: 'new' })).toEqual({ kind: 'written' })
  isLost = true
  const paid = guard.update({ id: uuid.toUpperCase() }, { state: 'paid' })
  await expect(clock.run(paid)).rejects.toMatchObject({ code: 'outcome-unknown' })
})
