import { StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { WatchedRow } from '../rows/watched-row.ts'
import { row, startMs } from '../test-rows.ts'
import { absentAtOnce, Confirmations, readsAtOnce, readsPerSecond, viewedPerSecond } from './confirmations.ts'

let clock: FakeClock
let viewed: WatchedRow[]
let absent: { name: string; foundMs: number | null }[]
let absentLookedAt: number
let asked: { name: string; atMs: number }[]
let confirmations: Confirmations
let takesMs: number
let failure: unknown
let failures: number

beforeEach(() => {
  clock = new FakeClock(startMs)
  viewed = []
  absent = []
  absentLookedAt = 0
  asked = []
  takesMs = 0
  failure = undefined
  failures = 0
  confirmations = new Confirmations({
    clock,
    viewed: () => viewed.map((each) => ({ table: 'leases', row: each })),
    absent: function* () {
      for (const each of absent) {
        absentLookedAt++
        yield { table: 'leases', ...each }
      }
    },
    read: async ({ name }) => {
      asked.push({ name, atMs: clock.now().monotonicMs })
      await clock.sleep(takesMs)
      if (failure !== undefined) throw failure
      const shown = viewed.find((each) => each.name === name)
      const at = clock.now()
      for (const each of absent) if (each.name === name) each.foundMs = at.monotonicMs
      if (shown !== undefined) shown.read = { level: 'SERIAL', sent: at, at, serverNowMs: at.wallMs }
    },
    answered: () => {},
    failed: () => {
      failures++
    },
  })
})

const due = (...names: string[]) => {
  for (const name of names) confirmations.due({ table: 'leases', name })
}
async function pass(ms: number): Promise<void> {
  for (let past = 0; past < ms; past += 100) {
    await clock.advance(100)
    confirmations.tick()
  }
  await clock.advance(0)
}
const names = (count: number, of: string) => Array.from({ length: count }, (_, i) => `${of}${i}`)

it('reads a hundred rows a second, however many there are, and sixteen at once', async () => {
  due(...names(2_000, 'due'))
  viewed = names(500, 'viewed').map((name) => row(name))
  await pass(10_000)
  expect(asked.length).toBeGreaterThan(9.5 * readsPerSecond)
  expect(asked.length).toBeLessThanOrEqual(10.4 * readsPerSecond)
  asked = []
  takesMs = 60_000
  await pass(5_000)
  expect(asked).toHaveLength(readsAtOnce)
})

it('reads what is due first, then what a scan saw, then what is looked at; of each four one is looked at', async () => {
  const { read } = row('scanned')
  viewed = names(200, 'viewed').map((name) => row(name, { read: { ...read, level: 'QUORUM' } }))
  for (const name of names(100, 'seen')) confirmations.seen({ table: 'leases', name })
  due(...names(100, 'due'))
  await pass(2_000)
  const kinds = asked.map(({ name }) => name.replace(/\d+$/, ''))
  const first = kinds.slice(0, 100)
  expect(first.filter((kind) => kind === 'due')).toHaveLength(75)
  expect(first.filter((kind) => kind === 'viewed')).toHaveLength(25)
  expect(kinds.lastIndexOf('due')).toBeLessThan(kinds.indexOf('seen') + 2)
})

it('reads 60 rows a second that are looked at, however many there are', async () => {
  const { read } = row('scanned')
  viewed = names(1_000, 'viewed').map((name) => row(name, { read: { ...read, level: 'QUORUM' } }))
  await pass(10_000)
  expect(asked.length).toBeGreaterThan(9.5 * viewedPerSecond)
  expect(asked.length).toBeLessThanOrEqual(10.4 * viewedPerSecond)
})

it('reads of what is looked at the row that was read longest ago', async () => {
  viewed = [3, 1, 2].map((i) => {
    const at = { monotonicMs: -i * 1_000, wallMs: startMs - i * 1_000 }
    return row(`read ${i} s ago`, { read: { level: 'SERIAL', sent: at, at, serverNowMs: at.wallMs } })
  })
  await pass(100)
  expect(asked.map(({ name }) => name)).toEqual(['read 3 s ago', 'read 2 s ago', 'read 1 s ago'])
})

it('reads each row once a second at most, for whatever reasons', async () => {
  viewed = [row('job')]
  for (let i = 0; i < 50; i++) {
    due('job')
    confirmations.seen({ table: 'leases', name: 'job' })
    await pass(100)
  }
  expect(asked.length).toBeGreaterThanOrEqual(4)
  expect(asked.length).toBeLessThanOrEqual(6)
})

it('reads a row at once that this process wrote, within the budget', async () => {
  await pass(300)
  await clock.run(confirmations.now({ table: 'leases', name: 'own' }) as Promise<void>)
  expect(asked.map(({ name }) => name)).toEqual(['own'])
  for (const name of names(100, 'own')) void confirmations.now({ table: 'leases', name })
  expect(asked.length).toBeLessThan(35)
  await pass(2_000)
  expect(asked.length).toBe(101)
  expect(confirmations.waiting).toBe(0)
})

it('reads a hot row once a second, however many writes of it had no answer; then it is due', async () => {
  await pass(300)
  const target = { table: 'leases', name: 'hot' }
  for (let i = 0; i < 20; i++) {
    for (let waiter = 0; waiter < 50; waiter++) void confirmations.now(target)
    await pass(100)
  }
  expect(asked.length).toBeGreaterThanOrEqual(2)
  expect(asked.length).toBeLessThanOrEqual(3)
  expect(confirmations.now(target)).toBeNull()
  expect(confirmations.waiting).toBe(1)
  await pass(1_100)
  expect(confirmations.waiting).toBe(0)
})

it('looks at some hundred names without a row a tick, and reads each in its turn', async () => {
  absent = names(2_000, 'free').map((name) => ({ name, foundMs: null }))
  for (let ticks = 0; ticks < 450; ticks++) {
    absentLookedAt = 0
    await pass(100)
    expect(absentLookedAt).toBeLessThanOrEqual(absentAtOnce)
  }
  const times = new Map<string, number>()
  for (const { name } of asked) times.set(name, (times.get(name) ?? 0) + 1)
  expect([times.size, Math.max(...times.values())]).toEqual([2_000, 2])
})

it('reads a name without a row that a viewer looks at once in two seconds, within the budget of viewers', async () => {
  absent = [{ name: 'free', foundMs: null }]
  await pass(10_000)
  expect(asked.length).toBeGreaterThanOrEqual(4)
  expect(asked.length).toBeLessThanOrEqual(6)
  asked = []
  absent = names(1_000, 'free').map((name) => ({ name, foundMs: null }))
  await pass(10_000)
  expect(asked.length).toBeGreaterThan(9.5 * viewedPerSecond)
  expect(asked.length).toBeLessThanOrEqual(10.4 * viewedPerSecond)
})

it.each([140, 1_000])('%d free names do not keep a row on a screen from being confirmed', async (count) => {
  absent = names(count, 'free').map((name) => ({ name, foundMs: null }))
  viewed = [row('held')]
  // Shorter than the snapshot's minute, so that a thousand names are asked for again before the last of them.
  const forgetAfterMs = 10_000
  for (let seconds = 0; seconds < 60; seconds++) {
    await pass(1_000)
    // As the snapshot does.
    const nowMs = clock.now().monotonicMs
    for (const each of absent)
      if (each.foundMs !== null && nowMs - each.foundMs >= forgetAfterMs) each.foundMs = null
  }
  expect(asked.filter(({ name }) => name === 'held').length).toBeGreaterThanOrEqual(2)
})

it('reads free names as before when the wall clock is set back', async () => {
  absent = [{ name: 'free', foundMs: null }]
  await pass(5_000)
  clock.suspend(-3_600_000)
  asked = []
  await pass(10_000)
  expect(asked.length).toBeGreaterThanOrEqual(4)
})

it('what was due stays due while Cassandra does not answer', async () => {
  failure = new StoreUnavailableError('down')
  due('job')
  await pass(5_000)
  expect([failures >= 4, confirmations.waiting]).toEqual([true, 1])
  failure = undefined
  await pass(1_100)
  expect(confirmations.waiting).toBe(0)
})

it('one viewer of a list asks for as much as two hundred do', async () => {
  // Then a row is read again 1.1 s after the read before.
  takesMs = 60
  const { read } = row('scanned')
  const readsOf = async (rows: number) => {
    viewed = names(rows, `of ${rows} `).map((name) => row(name, { read: { ...read, level: 'QUORUM' } }))
    await pass(5_000)
    const before = asked.length
    await pass(20_000)
    return asked.length - before
  }
  const one = await readsOf(75)
  expect(await readsOf(1_500)).toBeLessThanOrEqual(1.05 * one)
})
