import { FakeClock } from 'leasehold/testing'
import type { Clock } from 'leasehold/time'
import { expect, it } from 'vitest'
import { leaseSorts } from '../../contract/leases/list-order.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { buildsMax } from './building/view-builds.ts'
import { TableWatch } from './table-watch.ts'
import { lease, nothing, startMs, TiringClock } from './test-rows.ts'

const all = { sort: 'left', prefix: '', q: '', owner: null, states: null, within: '' } as const
const turn = () => new Promise((begins) => setImmediate(begins))

function tableOf(rows: number, clock: Clock = new FakeClock(startMs)): TableWatch {
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = new TableWatch({ id: 'leases', mapping } as LeaseTable, { clock, due() {}, seen() {} })
  for (let i = 0; i < rows; i++) put(table, `job/${i}`, (i * 7_919) % rows)
  return table
}
const put = (table: TableWatch, name: string, ttlSeconds: number) =>
  table.snapshot.add(lease(name, { sent: ttlSeconds }, { owner: 'a', ttlSeconds: ttlSeconds + 60 }))

/** Turns of the event loop until the work has ended. */
async function turnsOf(work: unknown): Promise<number> {
  let turns = 0
  let hasEnded = false
  const ended = Promise.resolve(work).then(() => {
    hasEnded = true
  })
  for (; !hasEnded; turns++) await turn()
  await ended
  return turns
}

it('no turn of the event loop makes a view of twenty thousand rows', async () => {
  const table = tableOf(20_000, new TiringClock(startMs))
  expect(await turnsOf(table.view(all, 'ann'))).toBeGreaterThan(50)
  expect(await turnsOf(table.view({ ...all, q: '7' }, 'ann'))).toBeGreaterThan(30)
  expect(await turnsOf(table.view({ ...all, q: '7' }, 'ann'))).toBeLessThan(3)
})

it('a view that is made while rows change has the changes, each row in its new place', async () => {
  const table = tableOf(5_000, new TiringClock(startMs))
  const making = table.view(all, 'ann')
  for (let i = 0; i < 20; i++) {
    await turn()
    put(table, `new/${i}`, 10_000 + i)
    put(table, `job/${i}`, 20_000 + i)
    table.snapshot.add(nothing(`job/${4_000 + i}`, { sent: 30_000 }))
  }
  const view = await making
  const fresh = await table.view({ ...all, owner: 'a' }, 'ann')
  expect(view.counts()).toEqual({ total: 5_000, matching: 5_000, byState: { held: 5_000 } })
  expect(view.window('asc', 0, 5_000)).toEqual([...table.snapshot.rows.values()].sort(byEnd))
  expect(view.window('asc', 0, 5_000)).toEqual(fresh.window('asc', 0, 5_000))
})

const byEnd = (one: { expiresAtMs: number | null }, other: { expiresAtMs: number | null }) =>
  (one.expiresAtMs as number) - (other.expiresAtMs as number)

it('all who ask for a new view at once get the same one', async () => {
  const table = tableOf(1_000)
  const [first, ...others] = await Promise.all(
    Array.from({ length: 50 }, (_, i) => table.view({ ...all, q: '7' }, i < 30 ? 'ann' : `${i}`)),
  )
  for (const other of others) expect(other).toBe(first)
})

it('a sender has some new views made at once; one more is refused, and those of other senders are not', async () => {
  const table = tableOf(1_000)
  const asked = Array.from({ length: buildsMax }, (_, i) => table.view({ ...all, q: `${i}` }, 'ann'))
  await expect(table.view({ ...all, q: 'one more' }, 'ann')).rejects.toMatchObject({
    code: 'too-many-requests',
    headers: { 'Retry-After': '1' },
  })
  await table.view({ ...all, q: 'one more' }, 'ben')
  await Promise.all(asked)
  await table.view({ ...all, q: 'and another' }, 'ann')
})

it('a view stays for the request that it was made for, though all others are looked at', async () => {
  const table = tableOf(10)
  for (let i = 0; i < 99; i++) await table.hold({ ...all, q: `${i}` }, 'ann')
  const asked = ['x', 'y'].map((q) => table.hold({ ...all, q }, 'ben').catch((problem) => problem))
  const [held, refused] = await Promise.all(asked)
  expect(refused).toMatchObject({ code: 'too-many-requests' })
  put(table, 'x', 60)
  expect(held.view.counts().matching).toBe(1)
})

it('the whole list, in each order, can be looked at although as many filters are as may be at once', async () => {
  const table = tableOf(10)
  for (let i = 0; i < 100; i++) await table.hold({ ...all, q: `${i}` }, 'ann')
  await expect(table.hold({ ...all, q: 'x' }, 'ben')).rejects.toMatchObject({ code: 'too-many-requests' })
  for (const sort of leaseSorts) {
    const { view } = await table.hold({ ...all, sort }, 'ben')
    expect(view.counts().matching).toBe(10)
  }
})
