import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { entryHash } from '../chain/chain-hash.ts'
import type { AuditRow } from '../chain/entry-body.ts'
import { event, memorySource, named, refusal, testKey, testLog, verified } from '../chain/test-audit.ts'
import { MemoryAuditStore } from '../chain/test-memory-audit-store.ts'
import type { CellTimes } from './cell-times.ts'
import { verify } from './verify.ts'

const friday = 'main:2026-11-20'
/** Its name ends with a random number, which the tests leave out of what they compare. */
let saturday: string
const plain = (lines: string[]) => lines.map((line) => line.replace(/#\d+/, ''))
let clock: FakeClock
let store: MemoryAuditStore
let log: ReturnType<typeof testLog>

/** Three entries and a seal on the first day, five entries on the second, one refusal. */
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 10, 20, 12))
  store = new MemoryAuditStore()
  log = testLog({ store, clock, timer: clock })
  for (const id of ['1', '2', '3']) await clock.run(log.audit.append(event(id)))
  await clock.advance(86_400_000)
  for (const id of ['4', '5', '6', '7', '8'])
    saturday = `main:${(await clock.run(log.audit.append(event(id)))).bucket}`
  await clock.run(log.audit.append(refusal('9')))
})

const findings = async () => plain(await verified(memorySource(store), log.key, log.anchors))
const rows = (partition: string) => store.buckets.get(partition)!.rows
const change = (partition: string, seq: number, columns: Partial<AuditRow>) =>
  rows(partition).set(seq, { ...rows(partition).get(seq)!, ...columns })

it('finds nothing in an unchanged log', async () => {
  expect(await findings()).toEqual([])
})

const cases: [string, () => void, string[]][] = [
  [
    'a word in a body',
    () => change(saturday, 3, { body: rows(saturday).get(3)!.body.replace('ann', 'bob') }),
    ['main 2026-11-21 3 content'],
  ],
  ['the id of a row', () => change(saturday, 3, { id: 'x' }), ['main 2026-11-21 3 content']],
  ['the link of a row', () => change(saturday, 3, { prev: 'f'.repeat(64) }), ['main 2026-11-21 3 content']],
  ['the hash of a row', () => change(saturday, 3, { hash: 'f'.repeat(64) }), ['main 2026-11-21 3 content']],
  ['a body that is no JSON', () => change(saturday, 3, { body: 'x' }), ['main 2026-11-21 3 content']],
  ['a row that was deleted', () => rows(saturday).delete(2), ['main 2026-11-21 2 missing']],
  [
    'two rows that changed places',
    () => {
      const [two, four] = [rows(saturday).get(2)!, rows(saturday).get(4)!]
      rows(saturday)
        .set(2, { ...four, seq: 2 })
        .set(4, { ...two, seq: 4 })
    },
    ['main 2026-11-21 2 order', 'main 2026-11-21 4 order'],
  ],
  [
    'a row of another chain in the place of one',
    () => change(saturday, 2, { ...rows('refused:2026-11-21').get(1)!, seq: 2 }),
    ['main 2026-11-21 2 order'],
  ],
  [
    'a copy before the first',
    () => rows(saturday).set(-1, { ...rows(saturday).get(1)!, seq: -1 }),
    ['main 2026-11-21 -1 order'],
  ],
  [
    'a tail that was cut',
    () => [4, 5].map((seq) => rows(saturday).delete(seq)),
    ['main 2026-11-21 4 truncated', 'main 2026-11-21 4 truncated'],
  ],
  [
    'a tail that was cut, and the head set back to a hash that is right',
    () => {
      for (const seq of [4, 5]) rows(saturday).delete(seq)
      Object.assign(store.buckets.get(saturday)!.head, { seq: 3, hash: rows(saturday).get(3)!.hash })
    },
    ['main 2026-11-21 4 truncated'],
  ],
  [
    'an entry that was written without the key',
    () => {
      const { prev, body } = rows(saturday).get(5)!
      const forged = body.replace('ann', 'bob')
      change(saturday, 5, { body: forged, hash: entryHash(testKey().bytes, prev, forged) })
      store.buckets.get(saturday)!.head.hash = rows(saturday).get(5)!.hash
    },
    ['main 2026-11-21 5 content'],
  ],
  [
    'a sealed bucket without its end',
    () => {
      rows(friday).delete(4)
      Object.assign(store.buckets.get(friday)!.head, { seq: 3, hash: rows(friday).get(3)!.hash, next: null })
    },
    ['main 2026-11-20 4 truncated', 'main 2026-11-20 4 truncated'],
  ],
  [
    'a day that is gone',
    () => store.buckets.delete(friday),
    ['main 2026-11-20 - missing', 'main 2026-11-20 1 truncated', 'main 2026-11-21 - order'],
  ],
  ['the last day gone', () => store.buckets.delete(saturday), ['main 2026-11-21 1 truncated']],
  [
    'the beginning gone',
    () => store.buckets.delete('main:0000-00-00'),
    ['main 0000-00-00 1 truncated', 'main 2026-11-20 - missing', 'main 2026-11-20 - order'],
  ],
  [
    'a head that was set elsewhere',
    () => {
      store.buckets.get(saturday)!.head.seq = 2
    },
    ['main 2026-11-21 5 link'],
  ],
  [
    'a list that leads elsewhere',
    () => {
      store.buckets.get(friday)!.head.next = '2026-11-24'
    },
    ['main 2026-11-20 4 link'],
  ],
  [
    'a partition of no chain',
    () => store.buckets.set('other', store.buckets.get(saturday)!),
    ['main other - order'],
  ],
]

it.each(cases)('names %s', async (_, tamper, expected) => {
  tamper()
  expect((await findings()).sort()).toEqual(expected.sort())
})

it('names the beginning of the chain of refusals that is gone too early, whatever the next bucket says that it follows', async () => {
  await clock.advance(86_400_000)
  await clock.run(log.audit.append(refusal('10')))
  store.buckets.delete('refused:0000-00-00')
  store.buckets.delete('refused:2026-11-21')
  const sunday = store.buckets.get(store.partitionOf('refused', '2026-11-22'))!
  // The cell is under no hash: the client that deleted the rows can write it.
  sunday.head.previous = '0000-00-00'
  const of = async (anchors: typeof log.anchors) => {
    const keys = new Map([[log.key.id, log.key.bytes]])
    const options = { source: memorySource(store), keys, anchors, nowMs: clock.now().wallMs }
    return plain(named(await verify(options))).filter((line) => line.startsWith('refused'))
  }
  const begins = ['refused 2026-11-22 - missing', 'refused 2026-11-22 - order']
  expect((await of([])).sort()).toEqual(begins)
  sunday.head.previous = 'no day'
  expect((await of([])).sort()).toEqual(begins)
  // A day that is long past may rightly be gone: without the anchors this is not found.
  sunday.head.previous = '2026-01-01'
  expect(await of([])).toEqual([])
  expect(await of(log.anchors)).toEqual(['refused 2026-11-21 1 truncated'])
})

it('names an older copy that was put back and then continued', async () => {
  const copy = new Map(
    [...store.buckets].map(([name, { head, rows }]) => [name, { head: { ...head }, rows: new Map(rows) }]),
  )
  for (const id of ['a', 'b']) await clock.run(log.audit.append(event(id)))
  store.buckets.clear()
  for (const [name, bucket] of copy) store.buckets.set(name, bucket)
  expect(await findings()).toEqual(['main 2026-11-21 6 truncated'])
  // A writer that has seen the end refuses; one that starts without anchors goes on after what there is.
  await expect(clock.run(log.audit.append(event('c')))).rejects.toMatchObject({ code: 'audit-damaged' })
  await clock.run(testLog({ store, clock, timer: clock, key: log.key }).audit.append(event('c')))
  expect(await findings()).toEqual(['main 2026-11-21 6 anchor', 'main 2026-11-21 7 truncated'])
})

it('knows that refusals expire, from the oldest on, and nothing else does', async () => {
  const day = 86_400_000
  const refusedOn = async (days: number) => {
    await clock.advance(days * day)
    for (const id of ['a', 'b', 'c']) await clock.run(log.audit.append(refusal(`${days}${id}`)))
  }
  await refusedOn(1)
  await refusedOn(9)
  const look = async () => {
    const keys = new Map([[log.key.id, log.key.bytes]])
    const { wallMs } = clock.now()
    return plain(
      named(await verify({ source: memorySource(store), keys, anchors: log.anchors, nowMs: wallMs })),
    )
  }
  expect(await look()).toEqual([])
  // 30 days after the first refusal: the origin, its bucket, and a part of the next are gone.
  await clock.advance(21 * day)
  store.buckets.delete('refused:0000-00-00')
  store.buckets.delete('refused:2026-11-21')
  const ofDay = (day: string) => store.partitionOf('refused', day)
  rows(ofDay('2026-11-22')).delete(1)
  rows(ofDay('2026-11-22')).delete(2)
  expect(await look()).toEqual([])
  await clock.run(log.audit.append(refusal('after')))
  expect(await look()).toEqual([])
  // What is younger does not expire, nor does what is in between.
  const younger = ofDay('2026-12-01')
  rows(younger).delete(1)
  expect(await look()).toEqual(['refused 2026-12-01 1 missing'])
  store.buckets.delete(younger)
  expect((await look()).filter((line) => line.startsWith('refused')).length).toBeGreaterThan(0)
  expect((await look()).filter((line) => line.startsWith('main'))).toEqual([])
})

it('distinguishes a wrong key from a changed log', async () => {
  const source = memorySource(store)
  const other = testKey()
  const verdict = await verify({ source, keys: new Map([[other.id, other.bytes]]), anchors: [], nowMs: 0 })
  expect(verdict.foreign).toBe(verdict.entries)
  expect(new Set(verdict.findings.map(({ difference }) => difference))).toEqual(new Set(['key']))
})

it('names cells with a TTL, with a future timestamp, or with one that is not in the order of the chain', async () => {
  const source = memorySource(store)
  const at = (seq: number, changes: Partial<CellTimes> = {}): CellTimes => {
    const micros = Date.UTC(2026, 10, 21, 12, 0, seq) * 1000
    return { ttlSeconds: null, oldestMicros: micros, newestMicros: micros, ...changes }
  }
  const timed = async (changes: Record<number, Partial<CellTimes>>, head: Partial<CellTimes> = {}) => {
    const verdict = await verify({
      source: {
        ...source,
        head: async (partition) => {
          const found = await source.head(partition)
          return found && partition === saturday ? { ...found, times: at(5, head) } : found
        },
        rows: async function* (partition, fromSeq) {
          for await (const row of source.rows(partition, fromSeq))
            yield partition === saturday ? { ...row, times: at(row.seq, changes[row.seq]) } : row
        },
      },
      keys: new Map([[log.key.id, log.key.bytes]]),
      anchors: log.anchors,
      nowMs: Date.UTC(2026, 10, 21, 12),
    })
    return plain(named(verdict))
  }
  const later = at(3).newestMicros + 2 * 3_600_000_000
  expect(await timed({})).toEqual([])
  // A batch is written at one time.
  expect(await timed({ 3: at(2), 4: at(2) })).toEqual([])
  expect(await timed({ 3: { ttlSeconds: 600 } })).toEqual(['main 2026-11-21 3 time'])
  expect(await timed({ 5: { newestMicros: later } })).toEqual(['main 2026-11-21 5 time'])
  expect(await timed({ 3: { newestMicros: at(5).newestMicros } })).toEqual(['main 2026-11-21 4 time'])
  expect(await timed({ 3: { oldestMicros: at(1).newestMicros } })).toEqual(['main 2026-11-21 3 time'])
  expect(await timed({}, { ttlSeconds: 600 })).toEqual(['main 2026-11-21 - time'])
  expect(await timed({}, { newestMicros: later })).toEqual(['main 2026-11-21 - time'])
})

it('reads only the requested days', async () => {
  change(friday, 2, { body: 'x' })
  const keys = new Map([[log.key.id, log.key.bytes]])
  const options = { source: memorySource(store), keys, anchors: log.anchors, nowMs: 0 }
  expect((await verify({ ...options, from: '2026-11-21' })).findings).toEqual([])
  expect((await verify({ ...options, to: '2026-11-20' })).findings).toMatchObject([
    { bucket: '2026-11-20', seq: 2 },
  ])
})

it('finds a change of any single byte in any row', async () => {
  for (const [partition, bucket] of store.buckets)
    for (const [seq, row] of bucket.rows)
      for (const column of ['id', 'body', 'prev', 'hash'] as const) {
        const at = (seq * 7 + column.length) % row[column].length
        const flipped =
          row[column].slice(0, at) + (row[column][at] === '0' ? '1' : '0') + row[column].slice(at + 1)
        bucket.rows.set(seq, { ...row, [column]: flipped })
        expect((await findings()).length, `${partition} ${seq} ${column}`).toBeGreaterThan(0)
        bucket.rows.set(seq, row)
      }
  expect(await findings()).toEqual([])
})
