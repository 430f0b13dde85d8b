/** Entries that are gone from between others: sequence numbers have a gap, which a page of the log shows. */
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { ChainReader } from '../chain/end/chain-reader.ts'
import { isOursWith } from '../chain/end/own-rows.ts'
import { restartChain } from '../chain/end/restart/restart-chain.ts'
import { event, refusal, restartTestLog, testLog } from '../chain/test-audit.ts'
import { MemoryAuditStore } from '../chain/test-memory-audit-store.ts'

const dayMs = 86_400_000
const [wednesday, thursday] = ['2026-11-18', '2026-11-19']

let clock: FakeClock
let store: MemoryAuditStore
let log: ReturnType<typeof testLog>

/** Four entries and a seal on the first day, three entries on the second one. */
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 10, 18, 12))
  store = new MemoryAuditStore()
  log = testLog({ store, clock, timer: clock })
  for (const id of ['1', '2', '3', '4']) await clock.run(log.audit.append(event(id)))
  await clock.advance(dayMs)
  for (const id of ['5', '6', '7']) await clock.run(log.audit.append(event(id)))
})

const rows = (day: string, chain: 'main' | 'refused' = 'main') =>
  store.buckets.get(store.partitionOf(chain, day))!.rows
const alarms = () => log.audit.alarms.map(({ kind, bucket, seq }) => [kind, bucket.split('#')[0], seq])

/** Every page of so many entries. */
async function readAll(limit = 50) {
  for (let cursor: string | undefined; ; ) {
    const page = await clock.run(log.audit.page({ limit, cursor }))
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}

it('a whole log has no gap, however it is read', async () => {
  for (const limit of [1, 2, 50]) await readAll(limit)
  await clock.run(log.audit.page({ act: 'approval' }))
  await clock.run(log.audit.page({ to: `${thursday}T00:00:00Z` }))
  expect(alarms()).toEqual([])
})

it.each([
  ['an entry', () => rows(thursday).delete(2), [thursday, 2]],
  ['two entries', () => [2, 3].map((seq) => rows(wednesday).delete(seq)), [wednesday, 3]],
  ['the first entries of a day', () => [1, 2].map((seq) => rows(wednesday).delete(seq)), [wednesday, 2]],
  ['the seal of a day', () => rows(wednesday).delete(5), [wednesday, 5]],
] as const)(
  '%s that was deleted raises the alarm, on one page or between two',
  async (_what, change, place) => {
    change()
    for (const limit of [50, 1]) {
      log = testLog({ store, clock, timer: clock, key: log.key })
      await readAll(limit)
      expect(alarms()).toEqual([['missing', ...place]])
    }
    // Acts go on.
    await clock.run(log.audit.append(event('8')))
  },
)

it('a page that a reader asks for from a place that never was raises none', async () => {
  const cursor = Buffer.from(`1.${store.partitionOf('main', thursday).replace(':', '.')}.900`).toString(
    'base64url',
  )
  await clock.run(log.audit.page({ cursor }))
  expect(alarms()).toEqual([])
})

it('the alarm is over when the entry is back, or when an operator has restarted the log for it', async () => {
  const gone = rows(wednesday).get(2)!
  rows(wednesday).delete(2)
  await readAll()
  await clock.run(log.audit.lookForChanges())
  expect(alarms()).toHaveLength(1)
  rows(wednesday).set(2, gone)
  await clock.run(log.audit.lookForChanges())
  expect(alarms()).toEqual([])

  rows(wednesday).delete(2)
  await readAll()
  const isOurs = isOursWith(log.key, 'main')
  const gap = await clock.run(new ChainReader({ store, chain: 'main', isOurs, since: null }).read(null))
  await clock.run(
    restartChain({
      store,
      chain: 'main',
      keyspace: 'k',
      key: log.key,
      clock,
      anchored: null,
      gap,
      reason: 'an entry is gone',
      anchor: async () => {},
      actor: { username: 'root', role: 'admin', via: 'terminal', address: null, requestId: null },
    }),
  )
  await clock.run(log.audit.lookForChanges())
  await readAll()
  expect(alarms()).toEqual([])
})

it('an entry that is deleted before a restart of the same day, and after it was made, raises the alarm', async () => {
  rows(wednesday).delete(3)
  await clock.run(restartTestLog({ store, key: log.key, clock }))
  await readAll()
  expect(alarms()).toEqual([])
  rows(wednesday).delete(2)
  log = testLog({ store, clock, timer: clock, key: log.key })
  await readAll()
  expect(alarms()).toEqual([['missing', wednesday, 2]])
})

it('entries that are cut off before a restart, after it was made, raise the alarm', async () => {
  rows(thursday).delete(3)
  await clock.run(restartTestLog({ store, key: log.key, clock }))
  log = testLog({ store, clock, timer: clock, key: log.key })
  await clock.run(log.audit.append(event('8')))
  await readAll()
  expect(alarms()).toEqual([])
  rows(thursday).delete(2)
  await readAll()
  expect(alarms()).toEqual([['missing', thursday, 2]])
})

it('refusals that expired are not missing; one between others is', async () => {
  for (const id of ['a', 'b', 'c', 'd']) await clock.run(log.audit.append(refusal(id)))
  const page = () => clock.run(log.audit.page({ chain: 'refused' }))
  rows(thursday, 'refused').delete(1)
  await page()
  expect(alarms()).toEqual([])
  rows(thursday, 'refused').delete(3)
  await page()
  expect(alarms()).toEqual([['missing', thursday, 3]])
})
