import { expect, it } from 'vitest'
import { StoreRefusedError, StoreUnavailableError } from '../../lease/index.ts'
import { FakeClock } from '../../testing/index.ts'
import type { Statement } from '../session/statement.ts'
import { GatheredWrites, type Gathers, rowsMax } from './gathered-writes.ts'

const one: Statement = { cql: 'INSERT', consistency: 4, readTimeoutMs: 1 }

/** A session whose statements end when the test lets them. */
function held(gathers?: Gathers) {
  const sent: { rows: number; cql: string; end: (error?: Error) => void }[] = []
  const execute = ({ cql }: Statement, params: unknown[]) =>
    new Promise<never>((done, fail) => {
      const end = (error?: Error) => (error === undefined ? done(undefined as never) : fail(error))
      sent.push({ rows: params.length, cql, end })
    })
  return { sent, writes: new GatheredWrites({ execute }, one, gathers) }
}
const settled = () => new Promise((done) => setImmediate(done))
const outcomes = (all: Promise<unknown>[]) =>
  Promise.all(
    all.map((each) =>
      each.then(
        () => 'written',
        ({ code }: { code: string }) => code,
      ),
    ),
  )

it('sends a row at once, and those that come meanwhile together', async () => {
  const { sent, writes } = held()
  const all = Array.from({ length: 3 + rowsMax }, (_, i) => writes.write([i]))
  expect(sent.map(({ rows }) => rows)).toEqual([1, 1])
  sent[0]?.end()
  await settled()
  expect(sent.map(({ rows }) => rows)).toEqual([1, 1, rowsMax])
  expect(sent[2]?.cql).toBe(`BEGIN UNLOGGED BATCH ${'INSERT; '.repeat(rowsMax)}APPLY BATCH`)
  sent[1]?.end()
  await settled()
  expect(sent.map(({ rows }) => rows)).toEqual([1, 1, rowsMax, 1])
  for (const { end } of sent) end()
  expect(await outcomes(all)).toEqual(all.map(() => 'written'))
})

it('goes on past a statement that does not end', async () => {
  const { sent, writes } = held()
  void writes.write(['hangs'])
  const later = [writes.write([1]), writes.write([2]), writes.write([3])]
  sent[1]?.end()
  await settled()
  sent[2]?.end()
  expect(await outcomes(later)).toEqual(['written', 'written', 'written'])
})

it('writes each row of a refused batch alone, and fails all rows of one that was not answered', async () => {
  const { sent, writes } = held()
  const all = Array.from({ length: 4 }, (_, i) => writes.write([i]))
  sent[0]?.end()
  await settled()
  sent[2]?.end(new StoreRefusedError('too large'))
  await settled()
  expect(sent.map(({ rows }) => rows)).toEqual([1, 1, 2, 1, 1])
  sent[3]?.end(new StoreRefusedError('too large'))
  sent[4]?.end()
  sent[1]?.end(new StoreUnavailableError('no answer'))
  expect(await outcomes(all)).toEqual(['written', 'store-unavailable', 'store-refused', 'written'])
  const more = Array.from({ length: 4 }, (_, i) => writes.write([i]))
  await settled()
  sent[5]?.end()
  await settled()
  sent[7]?.end(new StoreUnavailableError('no answer'))
  sent[6]?.end()
  expect(await outcomes(more)).toEqual(['written', 'written', 'store-unavailable', 'store-unavailable'])
})

it('lets rows wait for each other: until there are enough of them, or the first has waited for long enough', async () => {
  const time = new FakeClock()
  const { sent, writes } = held({ timer: time, ms: 100 })
  const rows = () => sent.map((statement) => statement.rows)
  const first = [writes.write([1]), writes.write([2])]
  await time.advance(99)
  expect(rows()).toEqual([])
  await time.advance(1)
  expect(rows()).toEqual([2])
  sent[0]?.end()
  expect(await outcomes(first)).toEqual(['written', 'written'])

  const enough = Array.from({ length: rowsMax }, (_, i) => writes.write([i]))
  expect(rows()).toEqual([2, rowsMax])
  sent[1]?.end()
  await outcomes(enough)

  // The time of those that were written does not count for later ones.
  await time.advance(50)
  const last = writes.write(['last'])
  await time.advance(99)
  expect(rows()).toEqual([2, rowsMax])
  await time.advance(1)
  sent[2]?.end()
  expect(await outcomes([last])).toEqual(['written'])
})
