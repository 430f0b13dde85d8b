/** Cassandra answers some reads of a table, and others not: the pages do not call it silent and live by turns. */
import { LeaseProtocol, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { log } from '../http/log/log.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { Watch } from './watch.ts'

let clock: FakeClock
let leases: LeaseProtocol
let watch: Watch
let closing: AbortController
/** How many of a scan's two statements are answered. */
let answered: number
/** Whether a read of one row is. */
let isRead: boolean
let failsAfterMs: number

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  const store = new MemoryLeaseStore(clock)
  leases = new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100 })
  answered = 2
  isRead = true
  failsAfterMs = 100
  const fail = async () => {
    await clock.sleep(failsAfterMs)
    throw new StoreUnavailableError('no quorum')
  }
  vi.spyOn(leases, 'scanRows').mockImplementation(async ({ afterToken }) => {
    const sent = clock.now()
    if ((afterToken === undefined ? 0 : 1) >= answered) return fail()
    return { rows: [], sent, at: clock.now(), nextToken: afterToken === undefined ? '1' : null }
  })
  const read = leases.read.bind(leases)
  vi.spyOn(leases, 'read').mockImplementation((name) => (isRead ? read(name) : fail()))
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = { id: 'leases', mapping, readOnly: false, leases } as unknown as LeaseTable
  closing = new AbortController()
  const tables = new Map([['leases', table]])
  watch = new Watch({ tables, clock, timer: clock, log, closing: closing.signal })
})
afterEach(() => closing.abort())

/** What was said of the table, each change of it, with the second. */
async function said(ms: number): Promise<string[]> {
  const changes: string[] = []
  let before = 'good'
  for (let pastMs = 100; pastMs <= ms; pastMs += 100) {
    await clock.advance(100)
    const { kind } = watch.table('leases').storeFacts
    if (kind !== before) changes.push(`${kind} after ${pastMs} ms`)
    before = kind
  }
  return changes
}

it.each([100, 10_000])(
  'is good while the second half of its scans fails, each after %d ms',
  async (afterMs) => {
    watch.begin()
    await clock.advance(5_000)
    answered = 1
    failsAfterMs = afterMs
    expect(await said(60_000)).toEqual([])
  },
)

it.each([100, 10_000])(
  'is good while its scans fail after %d ms, and a free name on a page is read',
  async (afterMs) => {
    vi.spyOn(watch.streams, 'absent').mockReturnValue([{ table: 'leases', name: 'free', foundMs: null }])
    watch.begin()
    await clock.advance(5_000)
    answered = 0
    failsAfterMs = afterMs
    expect(await said(60_000)).toEqual([])
  },
)

it.each([
  [100, 5_000],
  [10_000, 16_000],
])('is lost soon, and stays so, once nothing is answered, each after %d ms', async (afterMs, withinMs) => {
  watch.begin()
  await clock.advance(5_000)
  answered = 1
  failsAfterMs = afterMs
  await said(20_000)
  answered = 0
  const changes = await said(60_000)
  expect(changes).toEqual([expect.stringMatching(/^lost after/)])
  expect(Number(changes[0]?.match(/\d+/)?.[0])).toBeLessThanOrEqual(withinMs)
})

it('is lost as soon as before where rows on a page are confirmed and nothing is answered', async () => {
  watch.begin()
  await clock.advance(5_000)
  answered = 0
  isRead = false
  vi.spyOn(watch.streams, 'absent').mockReturnValue([{ table: 'leases', name: 'free', foundMs: null }])
  const changes = await said(30_000)
  expect(changes).toEqual([expect.stringMatching(/^lost after/)])
  expect(Number(changes[0]?.match(/\d+/)?.[0])).toBeLessThanOrEqual(3_800)
})
