import type { Statement } from 'leasehold/cassandra'
import { FakeClock } from 'leasehold/testing'
import { expect, it, vi } from 'vitest'
import { BatchedReads, keysMax, patienceMs } from './batched-reads.ts'

const one = { cql: 'one' } as Statement
const many = { cql: 'many' } as Statement

interface Sent {
  cql: string
  keys: string[]
  answer: () => Promise<void>
  fail: (error: Error) => Promise<void>
}

/** Reads of a table that has a row of every key but `none`; the test answers each statement. */
function started(atOnce = 1) {
  const clock = new FakeClock()
  const sent: Sent[] = []
  const execute = ({ cql }: Statement, values: unknown[]) =>
    new Promise((resolve, reject) => {
      const keys = cql === 'many' ? (values[0] as string[]) : (values as string[])
      const at = sent.length
      const rows = keys.filter((key) => key !== 'none').map((id) => ({ id, at }))
      const answer = () => {
        // Cassandra gives the rows in an order of its own.
        resolve({ rows: rows.reverse() })
        return clock.advance(0)
      }
      const fail = (error: Error) => {
        reject(error)
        return clock.advance(0)
      }
      sent.push({ cql, keys, answer, fail })
    })
  const reads = new BatchedReads({
    session: { execute } as never,
    one,
    many,
    keyColumn: 'id',
    timer: clock,
    atOnce,
  })
  const statements = () => sent.map(({ cql, keys }) => [cql, ...keys])
  const nth = (at: number) => sent[at] as Sent
  return { reads, clock, sent, statements, nth, turn: () => clock.advance(0) }
}

it('reads a single key by the statement for one, at once', async () => {
  const { reads, statements, nth, turn } = started()
  const found = reads.read('a')
  await turn()
  expect(statements()).toEqual([['one', 'a']])
  await nth(0).answer()
  expect(await found).toEqual({ id: 'a', at: 0 })
  const missing = reads.read('none')
  await turn()
  await nth(1).answer()
  expect(await missing).toBeUndefined()
})

it('reads what is asked for in one turn by one statement, each key once', async () => {
  const { reads, statements, nth, turn } = started()
  const asked = Promise.all(['a', 'b', 'none', 'a'].map((key) => reads.read(key)))
  await turn()
  expect(statements()).toEqual([['many', 'a', 'b', 'none']])
  await nth(0).answer()
  const [a, b] = ['a', 'b'].map((id) => ({ id, at: 0 }))
  expect(await asked).toEqual([a, b, undefined, a])
})

it('reads what several requests ask for in one turn of the event loop by one statement', async () => {
  const { reads, statements, nth } = started()
  const asked: Promise<unknown>[] = []
  // What one callback asks for is done before the next one is called.
  for (const key of ['a', 'b', 'c']) setImmediate(() => asked.push(reads.read(key)))
  await vi.waitUntil(() => statements().length > 0, 30_000)
  expect(statements()).toEqual([['many', 'a', 'b', 'c']])
  await nth(0).answer()
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c'].map((id) => ({ id, at: 0 })))
})

it('sends no more reads at once than it may, and gathers what is asked for then', async () => {
  const { reads, statements, nth, turn } = started(3)
  const asked = []
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    asked.push(reads.read(key))
    await turn()
  }
  const firstThree = ['a', 'b', 'c'].map((key) => ['one', key])
  expect(statements()).toEqual(firstThree)
  // Whichever ends makes room.
  await nth(1).answer()
  expect(statements()).toEqual([...firstThree, ['many', 'd', 'e']])
  for (const at of [0, 2, 3]) await nth(at).answer()
  expect((await Promise.all(asked)).map((row) => row?.id)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('gathers keys while a read is under way, and reads them by one statement when it ends', async () => {
  const { reads, clock, statements, nth, turn } = started()
  const first = reads.read('a')
  await turn()
  const second = ['b', 'c', 'b'].map((key) => reads.read(key))
  await clock.advance(patienceMs - 1)
  expect(statements()).toEqual([['one', 'a']])
  await nth(0).answer()
  expect(await first).toEqual({ id: 'a', at: 0 })
  expect(statements()).toEqual([
    ['one', 'a'],
    ['many', 'b', 'c'],
  ])
  await nth(1).answer()
  expect(await Promise.all(second)).toEqual(['b', 'c', 'b'].map((id) => ({ id, at: 1 })))
})

it('answers no request from a read that began before it', async () => {
  const { reads, statements, nth, turn } = started()
  const before = reads.read('a')
  await turn()
  const after = reads.read('a')
  await nth(0).answer()
  expect(await before).toEqual({ id: 'a', at: 0 })
  expect(statements()).toEqual([
    ['one', 'a'],
    ['one', 'a'],
  ])
  await nth(1).answer()
  expect(await after).toEqual({ id: 'a', at: 1 })
})

it('is held up no longer than its patience by a read that does not end', async () => {
  const { reads, clock, statements, nth, turn } = started()
  const silent = reads.read('silent')
  await turn()
  const later = reads.read('a')
  await clock.advance(patienceMs - 1)
  expect(statements()).toHaveLength(1)
  await clock.advance(1)
  expect(statements()[1]).toEqual(['one', 'a'])
  await nth(1).answer()
  expect(await later).toEqual({ id: 'a', at: 1 })

  // From then on, the silent one holds up no other.
  const next = reads.read('b')
  await turn()
  expect(statements()[2]).toEqual(['one', 'b'])
  const gathered = reads.read('c')
  await nth(0).answer()
  expect(await silent).toEqual({ id: 'silent', at: 0 })
  expect(statements()).toHaveLength(3)
  await nth(2).answer()
  expect(await next).toEqual({ id: 'b', at: 2 })
  expect(statements()[3]).toEqual(['one', 'c'])
  await nth(3).answer()
  expect(await gathered).toEqual({ id: 'c', at: 3 })
})

it('sends nothing when its patience ends after the keys were sent', async () => {
  const { reads, clock, statements, nth, turn } = started()
  const first = reads.read('a')
  await turn()
  const second = reads.read('b')
  await clock.advance(patienceMs / 2)
  await nth(0).answer()
  const third = reads.read('c')
  await clock.advance(patienceMs - 1)
  expect(statements()).toEqual([
    ['one', 'a'],
    ['one', 'b'],
  ])
  await nth(1).answer()
  await nth(2).answer()
  expect((await Promise.all([first, second, third])).map((row) => row?.at)).toEqual([0, 1, 2])
})

it('reads each key on its own after a statement for many failed: one key fails no other', async () => {
  const { reads, statements, nth, turn } = started()
  const asked = Promise.allSettled(['a', 'poisoned', 'none', 'a'].map((key) => reads.read(key)))
  await turn()
  await nth(0).fail(new Error('Key length is longer than maximum'))
  expect(statements().slice(1)).toEqual([
    ['one', 'a'],
    ['one', 'poisoned'],
    ['one', 'none'],
  ])
  await nth(2).fail(new Error('of the key itself'))
  await nth(1).answer()
  await nth(3).answer()
  const a = { status: 'fulfilled', value: { id: 'a', at: 1 } }
  expect(await asked).toEqual([
    a,
    { status: 'rejected', reason: new Error('of the key itself') },
    { status: 'fulfilled', value: undefined },
    a,
  ])
})

it('fails a single key with the error of its statement, sends it once, and goes on', async () => {
  const { reads, statements, nth, turn } = started()
  const failed = reads.read('a').catch((error: Error) => error.message)
  await turn()
  const next = reads.read('b')
  await nth(0).fail(new Error('no quorum'))
  expect(await failed).toBe('no quorum')
  expect(statements()).toEqual([
    ['one', 'a'],
    ['one', 'b'],
  ])
  await nth(1).answer()
  expect(await next).toEqual({ id: 'b', at: 1 })
})

it('divides many keys among statements, one after the other', async () => {
  const { reads, clock, sent, nth, turn } = started()
  const asked = Promise.all(Array.from({ length: 2 * keysMax + 1 }, (_, i) => reads.read(`key ${i}`)))
  await turn()
  expect(sent.map(({ keys }) => keys.length)).toEqual([keysMax])
  await nth(0).answer()
  expect(sent.map(({ keys }) => keys.length)).toEqual([keysMax, keysMax])
  // The second one does not end in time.
  await clock.advance(patienceMs)
  expect(sent.map(({ keys }) => keys.length)).toEqual([keysMax, keysMax, 1])
  await nth(1).answer()
  await nth(2).answer()
  expect((await asked).map((row) => row?.id)).toEqual(
    Array.from({ length: 2 * keysMax + 1 }, (_, i) => `key ${i}`),
  )
})
