/** What each change of a row is called, and within which time. Times in milliseconds after the start. */
import type { LeaseEvent } from 'leasehold/history'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { quarantineOwner, quarantineValue } from '../../../contract/leases/quarantine.ts'
import { Snapshot } from '../../watch/rows/snapshot.ts'
import type { WatchedRow } from '../../watch/rows/watched-row.ts'
import { lease, nothing, startMs } from '../../watch/test-rows.ts'
import { isRenewal, transitionsOf } from './transition.ts'

let clock: FakeClock
let snapshot: Snapshot
let events: LeaseEvent[]
let renewals: number
/** When the scan began that showed no row that is new since. */
let absentAtMs: number | null

beforeEach(() => {
  clock = new FakeClock(startMs)
  events = []
  renewals = 0
  absentAtMs = startMs
  snapshot = made(true)
})

function made(hasOwner: boolean): Snapshot {
  const changed = (before: WatchedRow | null, after: WatchedRow | null) => {
    const nowMs = snapshot.goneAtMs('job') ?? clock.now().wallMs
    events.push(...transitionsOf(before, after, { hasOwner, absentAtMs, nowMs }))
    if (isRenewal(before, after)) renewals++
  }
  return new Snapshot({ hasOwner, clock }, { changed, due: () => {}, seen: () => {} })
}

async function reads(atMs: number, reading: Parameters<Snapshot['add']>[0]): Promise<void> {
  await clock.advance(startMs + atMs - clock.now().wallMs)
  snapshot.add(reading)
}
const held = (atMs: number, owner: string | null, writtenMs: number, ttlSeconds = 30) =>
  reads(atMs, lease('job', { sent: atMs }, { owner, writtenMs, ttlSeconds }))
const free = (atMs: number) => reads(atMs, nothing('job', { sent: atMs }))
const said = () =>
  events.map(({ kind, owner, atMs, notBeforeMs, notAfterMs, previousOwner }) => [
    kind,
    owner,
    atMs - startMs,
    ...(notBeforeMs === null ? [] : [notBeforeMs - startMs, (notAfterMs as number) - startMs]),
    ...(previousOwner === null ? [] : [`after ${previousOwner}`]),
  ])

it('an acquisition, between the scan without it and its version; then renewals', async () => {
  await held(2_000, 'a', 1_500)
  await held(12_000, 'a', 11_000)
  await held(22_000, 'a', 21_000)
  expect(said()).toEqual([['acquired', 'a', 1_500, 0, 1_500]])
  expect(renewals).toBe(2)
})

it('a row that was there before anything was known has no such bound', async () => {
  absentAtMs = null
  await held(2_000, 'a', 1_500)
  expect(said()).toEqual([['acquired', 'a', 1_500]])
})

it('an end before the expiry is a release', async () => {
  await held(2_000, 'a', 1_500)
  await free(9_000)
  expect(said().at(-1)).toEqual(['released', 'a', 9_000, 2_000, 9_000])
})

it('a lease that was read shortly before its expiry expired', async () => {
  await held(2_000, 'a', 1_500)
  await held(25_000, 'a', 1_500)
  await free(31_500)
  expect(said().at(-1)).toEqual(['expired', 'a', 31_000, 25_000, 31_000])
})

it('of one that was not, it is not known how it ended', async () => {
  await held(2_000, 'a', 1_500)
  await free(31_500)
  expect(said().at(-1)).toEqual(['ended-unknown', 'a', 31_000, 2_000, 31_500])
})

it('an owner that replaces another before its expiry: it changed hands', async () => {
  await held(2_000, 'a', 1_500)
  await held(9_000, 'b', 8_000)
  expect(said().at(-1)).toEqual(['changed-hands', 'b', 8_000, 2_000, 8_000, 'after a'])
})

it('an owner that comes after the expiry of another: an expiry and an acquisition', async () => {
  await held(2_000, 'a', 1_500)
  await held(28_000, 'a', 1_500)
  await held(32_000, 'b', 31_200)
  expect(said().slice(1)).toEqual([
    ['expired', 'a', 31_000, 28_000, 31_000],
    ['acquired', 'b', 31_200, 28_000, 31_200, 'after a'],
  ])
})

it('a break names the holder, the release and the person, and ends with the quarantine', async () => {
  await held(2_000, 'a', 1_500)
  const value = quarantineValue({ was: 'a', by: 'ann', at: new Date(startMs) })
  const mark = quarantineOwner('r1')
  await reads(9_000, lease('job', { sent: 9_000 }, { owner: mark, value, writtenMs: 8_000 }))
  await free(38_500)
  expect(said().slice(1)).toEqual([
    ['broken', 'a', 8_000],
    ['quarantine-ended', 'a', 38_000, 9_000, 38_500],
  ])
  expect(events[1]?.release).toEqual({ id: 'r1', mode: 'break', by: 'ann' })
})

it('what is left of an expired row is no holder', async () => {
  await held(2_000, 'a', 1_500)
  await held(29_000, 'a', 1_500)
  await held(32_000, null, 1_500)
  expect(said().at(-1)?.slice(0, 2)).toEqual(['expired', 'a'])
})

it('without an owner column a row is the lock', async () => {
  snapshot = made(false)
  await reads(2_000, lease('job', { sent: 2_000 }, { owner: null, value: null, ttlSeconds: null }))
  await free(9_000)
  expect(said().map(([kind, owner]) => [kind, owner])).toEqual([
    ['acquired', null],
    ['released', null],
  ])
})

it('two processes that see different renewals give a beginning of the library’s owner one id', () => {
  const owner = 'api-1:4711:0123456789ab:1'
  const row = (version: bigint) => ({ ...(base as WatchedRow), owner, version })
  const seen = { hasOwner: true, absentAtMs: startMs, nowMs: startMs + 5_000 }
  const [one] = transitionsOf(null, row(BigInt(startMs + 1_000) * 1_000n), seen)
  const [other] = transitionsOf(null, row(BigInt(startMs + 3_000) * 1_000n), seen)
  expect(one?.id).toBe(other?.id)
})

const base: Partial<WatchedRow> = {
  name: 'job',
  value: null,
  expiresAtMs: null,
  valueExpiresAtMs: null,
  ttlSeconds: 30,
  state: 'held',
  heldSinceMs: null,
  renewed: false,
  scan: 1,
  read: {
    level: 'SERIAL',
    sent: { monotonicMs: 0, wallMs: startMs },
    at: { monotonicMs: 0, wallMs: startMs + 5_000 },
    serverNowMs: startMs + 5_000,
  },
}
