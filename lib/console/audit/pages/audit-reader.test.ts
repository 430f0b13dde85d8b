import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { AuditFilter } from '../audit-entry.ts'
import { event, testLog } from '../chain/test-audit.ts'
import { MemoryAuditStore } from '../chain/test-memory-audit-store.ts'

let clock: FakeClock
let store: MemoryAuditStore
let log: ReturnType<typeof testLog>
const append = (id: string, changes = {}) => clock.run(log.audit.append(event(id, changes)))
const by = (username: string) => ({ actor: { ...event('').actor, username } })

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 10, 18, 12))
  store = new MemoryAuditStore()
  log = testLog({ store, clock, timer: clock })
})

async function ids(filter: AuditFilter): Promise<{ ids: string[]; pages: number }> {
  const found: string[] = []
  for (let pages = 1, cursor: string | undefined; ; pages++) {
    const page = await log.audit.page(cursor === undefined ? filter : { ...filter, cursor })
    found.push(...page.entries.map(({ id }) => id))
    if (page.nextCursor === null) return { ids: found, pages }
    cursor = page.nextCursor
  }
}

it('an empty log is a page without entries', async () => {
  expect(await log.audit.page({})).toEqual({ entries: [], nextCursor: null })
})

it('newest first, over days, page by page, by every filter', async () => {
  await append('1', by('bob'))
  await append('2', { on: { kind: 'lease', table: 'locks', name: 'x', owner: null } })
  await clock.advance(2 * 86_400_000)
  await append('3', { outcome: 'superseded' })
  await append('4', { act: 'approval' })
  expect((await ids({})).ids).toEqual(['4', '3', '2', '1'])
  expect(await ids({ limit: 1 })).toEqual({ ids: ['4', '3', '2', '1'], pages: 5 })
  expect((await ids({ username: 'bob' })).ids).toEqual(['1'])
  expect((await ids({ name: 'x' })).ids).toEqual(['2'])
  expect((await ids({ name: 'x', table: 'leases' })).ids).toEqual([])
  expect((await ids({ table: 'locks' })).ids).toEqual(['2'])
  expect((await ids({ outcome: 'superseded' })).ids).toEqual(['3'])
  expect((await ids({ act: 'approval' })).ids).toEqual(['4'])
  expect((await ids({ act: 'seal' })).ids).toHaveLength(1)
  expect((await ids({ without: 'approval' })).ids).toEqual(['3', '2', '1'])
  expect((await ids({ id: '3' })).ids).toEqual(['3'])
  expect((await ids({ from: '2026-11-19T00:00:00Z' })).ids).toEqual(['4', '3'])
  expect((await ids({ to: '2026-11-19T00:00:00Z' })).ids).toEqual(['2', '1'])
  expect((await ids({ chain: 'refused' })).ids).toEqual([])
})

it('looks at 2,000 entries at most, then gives a cursor although nothing matched', async () => {
  await append('first', by('bob'))
  await clock.run(Promise.all(Array.from({ length: 2_500 }, (_, i) => log.audit.append(event(`${i}`)))))
  const page = await log.audit.page({ username: 'bob' })
  expect(page.entries).toEqual([])
  expect(page.nextCursor).not.toBeNull()
  expect(await ids({ username: 'bob' })).toEqual({ ids: ['first'], pages: 2 })
})

it('refuses a cursor of another chain, or one that no page gave', async () => {
  await append('1')
  await append('2')
  const { nextCursor } = await log.audit.page({ limit: 1 })
  for (const [cursor, chain] of [
    [nextCursor ?? '', 'refused'],
    ['x', 'main'],
  ] as const)
    await expect(log.audit.page({ cursor, chain })).rejects.toMatchObject({ code: 'bad-request' })
})

it('a page is shown although one of its entries was made unreadable', async () => {
  for (const id of ['1', '2', '3']) await append(id)
  const rows = store.buckets.get('main:2026-11-18')!.rows
  rows.set(2, { ...rows.get(2)!, body: '{"act":' })
  expect((await ids({})).ids).toEqual(['3', '1'])
})

it('open intents: of the last 30 days, without those whose outcome is written or pending', async () => {
  const intent = { phase: 'intent', outcome: null } as const
  await append('old', intent)
  await clock.advance(29 * 86_400_000)
  for (const id of ['done', 'open', 'pending']) await append(id, intent)
  await clock.advance(2 * 86_400_000)
  await append('done', { phase: 'outcome', outcome: 'released' })
  await append('new', intent)
  const open = (await log.audit.openIntents()).map(({ id }) => id)
  expect(open).toEqual(['open', 'pending', 'new'])
  store.fault = () => 'unavailable'
  log.audit.appendUntilWritten(event('pending', { phase: 'outcome', outcome: 'released' }))
  await clock.advance(10)
  expect((await log.audit.openIntents()).map(({ id }) => id)).toEqual(['open', 'new'])
})

it('open intents: one is listed for 30 days and no longer, also by a process that has just started', async () => {
  await append('1', { phase: 'intent', outcome: null })
  const started = () => testLog({ store, clock, timer: clock, key: log.key }).audit
  const open = async (audit = log.audit) => (await audit.openIntents()).map(({ id }) => id)
  expect(await open()).toEqual(['1'])
  await clock.advance(29 * 86_400_000)
  await append('2')
  expect([await open(), await open(started())]).toEqual([['1'], ['1']])
  await clock.advance(2 * 86_400_000)
  expect([await open(), await open(started())]).toEqual([[], []])
})

it('open intents: closed entries are not read again, later ones are', async () => {
  const intent = { phase: 'intent', outcome: null } as const
  for (let n = 0; n < 300; n++) await append(`closed ${n}`)
  expect(await log.audit.openIntents()).toEqual([])
  const reads: number[] = []
  const { rowsBefore } = store
  store.rowsBefore = async (partition, below, limit) => {
    const rows = await rowsBefore.call(store, partition, below, limit)
    reads.push(rows.length)
    return rows
  }
  await append('open', intent)
  await append('later', intent)
  await append('later', { phase: 'outcome', outcome: 'ok' })
  const open = async () => (await log.audit.openIntents()).map(({ id }) => id)
  expect(await open()).toEqual(['open'])
  expect(reads).toHaveLength(1)
  for (let n = 0; n < 300; n++) await append(`more ${n}`)
  expect(await open()).toEqual(['open'])
  reads.length = 0
  // One that stays open has nothing read again.
  expect(await open()).toEqual(['open'])
  expect(reads).toHaveLength(1)
  await clock.advance(86_400_000)
  await append('next day', intent)
  expect(await open()).toEqual(['open', 'next day'])
  await append('open', { phase: 'outcome', outcome: 'ok' })
  expect(await open()).toEqual(['next day'])
  await append('next day', { phase: 'outcome', outcome: 'ok' })
  expect(await open()).toEqual([])
})
