import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Lease } from '../../contract/leases/lease.ts'
import { Renewals } from './renewals.ts'
import { backoffMs, type RowReading, RowWatch } from './row-watch.ts'
import { epochMs, libraryOwner, sightingAt } from './test-lease.ts'

let nowMs = 0
let readings: (RowReading<Lease> | Error)[] = []
let reads: { name: string; atMs: number }[] = []
let watch: RowWatch<Lease>
let unsubscribe = () => {}

/** A read takes 5 ms. */
const readMs = 5

beforeEach(() => {
  vi.useFakeTimers()
  nowMs = 0
  readings = []
  reads = []
  watch = new RowWatch<Lease>({
    now: () => nowMs,
    setTimer: (run, ms) => setTimeout(run, ms),
    clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    read: async (lease) => {
      reads.push({ name: lease.name, atMs: nowMs })
      await new Promise((done) => setTimeout(done, readMs))
      const reading = readings.shift() ?? new Error('no answer')
      if (reading instanceof Error) throw reading
      return reading
    },
  })
  unsubscribe = watch.subscribe(() => {})
})
afterEach(() => {
  unsubscribe()
  vi.useRealTimers()
})

async function passTo(ms: number): Promise<void> {
  while (nowMs < ms) {
    nowMs++
    await vi.advanceTimersByTimeAsync(1)
  }
}
const states = () => watch.rows().map((row) => row.state)
const short = { owner: libraryOwner, remainingMs: 1000, valueRemainingMs: 1000 }

describe('RowWatch', () => {
  it('hits zero in the very millisecond, and reads at once', async () => {
    watch.replace([sightingAt(0, short)])
    await passTo(999)
    expect(states()).toEqual(['risk'])
    await passTo(1000)
    expect(states()).toEqual(['verifying'])
    expect(reads).toEqual([{ name: 'a', atMs: 1000 }])
  })

  it('shows gone after a read that found it free, and removes the row after five seconds', async () => {
    watch.replace([sightingAt(0, short)])
    readings = [{ held: false, readAtMs: 1005 }]
    await passTo(1004)
    expect(states()).toEqual(['verifying'])
    await passTo(1006)
    expect(states()).toEqual(['gone'])
    await passTo(6004)
    expect(states()).toEqual(['gone'])
    await passTo(6006)
    expect(states()).toEqual([])
  })

  it('reads again, at growing intervals, while the row is still there or no answer comes', async () => {
    watch.replace([sightingAt(0, short)])
    const edge = { ...short, remainingMs: 10, valueRemainingMs: 10 }
    readings = [
      { held: true, sighting: sightingAt(1005, edge) },
      new Error('lost'),
      { held: false, readAtMs: 1170 },
    ]
    await passTo(1200)
    expect(states()).toEqual(['gone'])
    const gaps = reads.slice(1).map(({ atMs }, i) => atMs - (reads[i]?.atMs ?? 0))
    expect(gaps).toEqual([readMs + backoffMs(0), readMs + backoffMs(1)])
    expect([0, 1, 4, 5, 9].map(backoffMs)).toEqual([50, 100, 800, 1000, 1000])
  })

  it('counts on when the read shows a renewal', async () => {
    watch.replace([sightingAt(0, short)])
    readings = [
      { held: true, sighting: sightingAt(1005, { version: '1795144426302118', remainingMs: 20_000 }) },
    ]
    await passTo(1010)
    expect(states()).toEqual(['held'])
  })

  it('reads no more than six at once, and all of them', async () => {
    watch.replace(Array.from({ length: 20 }, (_, i) => sightingAt(0, { ...short, name: `n${i}` })))
    readings = Array.from({ length: 20 }, () => ({ held: false, readAtMs: 1020 }))
    await passTo(1002)
    expect(states()).toEqual(Array(20).fill('verifying'))
    expect(reads.length).toBe(6)
    await passTo(1100)
    expect(reads.length).toBe(20)
    expect(states()).toEqual(Array(20).fill('gone'))
  })

  it('says and asks nothing while paused, and makes up for it afterwards', async () => {
    watch.replace([sightingAt(0, short)])
    watch.pause(true)
    await passTo(3000)
    expect([states(), reads]).toEqual([['risk'], []])
    watch.pause(false)
    expect([states(), reads.length]).toEqual([['verifying'], 1])
  })

  it('knows of a renewal that another page has seen', () => {
    const renewals = new Renewals()
    const page = () =>
      new RowWatch<Lease>({
        now: () => nowMs,
        setTimer: () => undefined,
        clearTimer: () => {},
        read: async () => ({ held: false, readAtMs: nowMs }),
        renewals,
      })
    const late = { remainingMs: 5000, valueRemainingMs: 5000, version: '2' }
    const list = page()
    list.replace([sightingAt(0, { remainingMs: 5000, valueRemainingMs: 5000, version: '1' })])
    expect(list.rows()[0]?.state).toBe('held')
    list.see(sightingAt(1000, late))
    expect(list.rows()[0]?.state).toBe('risk')
    const detail = page()
    detail.replace([sightingAt(1500, late)])
    expect(detail.rows()[0]?.state).toBe('risk')
    list.free(sightingAt(0).lease, 2000)
    const after = page()
    after.replace([sightingAt(2500, late)])
    expect(after.rows()[0]?.state).toBe('held')
  })

  it('shows the state that another page showed, also on a list that comes back with old rows', () => {
    const renewals = new Renewals()
    const page = () =>
      new RowWatch<Lease>({
        now: () => nowMs,
        setTimer: () => undefined,
        clearTimer: () => {},
        read: async () => ({ held: false, readAtMs: nowMs }),
        renewals,
      })
    const at = (ms: number, leftMs: number, writtenMs: number, version: string) => {
      nowMs = ms
      return sightingAt(ms, {
        version,
        remainingMs: leftMs,
        valueRemainingMs: leftMs,
        writtenAt: new Date(epochMs + writtenMs).toISOString(),
        expiresAt: new Date(epochMs + ms + leftMs).toISOString(),
      })
    }
    const old = at(0, 10_000, -20_000, '1')
    const detail = page()
    detail.replace([old])
    detail.see(at(5000, 28_000, 3000, '2'))
    detail.see(at(30_000, 29_000, 29_000, '3'))
    const last = at(54_000, 5000, 29_000, '3')
    detail.see(last)
    expect(detail.rows()[0]?.state).toBe('risk')
    const list = page()
    list.replace([old])
    list.see(last)
    expect(list.rows()[0]?.state).toBe('risk')
  })
})
