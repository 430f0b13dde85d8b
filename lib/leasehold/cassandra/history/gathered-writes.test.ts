import { expect, it } from 'vitest'
import { StoreRefusedError, StoreUnavailableError } from '../../lease/index.ts'
import { FakeClock } from '../../testing/index.ts'
import type { Statement } from '../session/statement.ts'
import { GatheredWrites, type Gathers, gatheredMax, partitionsMax, rowsMax } from './gathered-writes.ts'

const one: Statement = { cql: 'INSERT', consistency: 4, readTimeoutMs: 1 }

/** A session whose statements end when the test lets them. */
function held(gathers?: Gathers) {
  const sent: { params: unknown[]; rows: number; cql: string; end: (error?: Error) => void }[] = []
  const execute = ({ cql }: Statement, params: unknown[]) =>
    new Promise<never>((done, fail) => {
      const end = (error?: Error) => (error === undefined ? done(undefined as never) : fail(error))
      sent.push({ params, rows: params.length, cql, end })
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
  const all = Array.from({ length: 3 + rowsMax }, (_, i) => writes.write('p', [i]))
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
  void writes.write('p', ['hangs'])
  const later = [writes.write('p', [1]), writes.write('p', [2]), writes.write('p', [3])]
  sent[1]?.end()
  await settled()
  sent[2]?.end()
  expect(await outcomes(later)).toEqual(['written', 'written', 'written'])
})

it('writes each row of a refused batch alone, and fails all rows of one that was not answered', async () => {
  const { sent, writes } = held()
  const all = Array.from({ length: 4 }, (_, i) => writes.write('p', [i]))
  sent[0]?.end()
  await settled()
  sent[2]?.end(new StoreRefusedError('too large'))
  await settled()
  expect(sent.map(({ rows }) => rows)).toEqual([1, 1, 2, 1, 1])
  sent[3]?.end(new StoreRefusedError('too large'))
  sent[4]?.end()
  sent[1]?.end(new StoreUnavailableError('no answer'))
  expect(await outcomes(all)).toEqual(['written', 'store-unavailable', 'store-refused', 'written'])
  const more = Array.from({ length: 4 }, (_, i) => writes.write('p', [i]))
  await settled()
  sent[5]?.end()
  await settled()
  sent[7]?.end(new StoreUnavailableError('no answer'))
  sent[6]?.end()
  expect(await outcomes(more)).toEqual(['written', 'written', 'store-unavailable', 'store-unavailable'])
})

it('a row that the driver cannot encode fails alone', async () => {
  const { sent, writes } = held()
  const all = Array.from({ length: 4 }, (_, i) => writes.write('p', [i]))
  sent[0]?.end()
  await settled()
  sent[2]?.end(new RangeError('The value of "value" is out of range.'))
  await settled()
  sent[3]?.end(new RangeError('The value of "value" is out of range.'))
  for (const i of [1, 4]) sent[i]?.end()
  expect(await outcomes(all)).toEqual(['written', 'written', undefined, 'written'])
})

it('lets rows wait for each other: until the first has waited for long enough, or there are many', async () => {
  const time = new FakeClock()
  const { sent, writes } = held({ timer: time, ms: 100 })
  const rows = () => sent.map((statement) => statement.rows)
  const first = [writes.write('p', [1]), writes.write('p', [2])]
  await time.advance(99)
  expect(rows()).toEqual([])
  await time.advance(1)
  expect(rows()).toEqual([2])
  sent[0]?.end()
  expect(await outcomes(first)).toEqual(['written', 'written'])

  const many = Array.from({ length: gatheredMax }, (_, i) => writes.write('p', [i]))
  expect(rows()).toEqual([2, rowsMax, rowsMax])
  for (let at = 1; at <= gatheredMax / rowsMax; at++) {
    sent[at]?.end()
    await settled()
  }
  await outcomes(many)

  // The time of those that were written does not count for later ones.
  await time.advance(50)
  const last = writes.write('p', ['last'])
  await time.advance(99)
  const before = sent.length
  expect(before).toBe(1 + gatheredMax / rowsMax)
  await time.advance(1)
  sent[before]?.end()
  expect(await outcomes([last])).toEqual(['written'])
})

it('writes the rows of one partition together, and those of few partitions in a statement', async () => {
  const time = new FakeClock()
  const { sent, writes } = held({ timer: time, ms: 100 })
  const partitions = Array.from({ length: partitionsMax + 1 }, (_, i) => `p${i}`)
  // One of each, three times over.
  const all = [0, 1, 2].flatMap((round) => partitions.map((each) => writes.write(each, [`${each} ${round}`])))
  await time.advance(100)
  for (let at = 0; at < sent.length; at++) {
    sent[at]?.end()
    await settled()
  }
  await Promise.all(all)
  const statements = sent.map(({ params }) => params)
  expect(statements.flat()).toEqual(
    partitions.flatMap((each) => [0, 1, 2].map((round) => `${each} ${round}`)),
  )
  expect(statements.map((rows) => rows.length)).toEqual([16, 11])

  sent.length = 0
  const alone = partitions.map((each) => writes.write(each, [each]))
  await time.advance(100)
  for (const { end } of sent) end()
  await Promise.all(alone)
  expect(sent.map(({ params }) => params.length)).toEqual([partitionsMax, 1])
})

it('writes fewer rows in a statement where they are long', async () => {
  const time = new FakeClock()
  const { sent, writes } = held({ timer: time, ms: 100 })
  const long = 'x'.repeat(1_900)
  const all = ['p', 'p', 'q', 'q'].map((partition) => writes.write(partition, [long]))
  const longest = writes.write('r', ['x'.repeat(10_000)])
  await time.advance(100)
  for (let at = 0; at < sent.length; at++) {
    sent[at]?.end()
    await settled()
  }
  await Promise.all([...all, longest])
  expect(sent.map(({ params }) => params.length)).toEqual([2, 2, 1])
})
