import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import type { StoredRun } from '../journal/lab-store.ts'
import { FollowedRun } from './followed-run.ts'

const clock = () => new FakeClock(Date.UTC(2026, 0, 1, 0, 0, 10))
const entry = (seq: number, atMs: number): JournalEntry => ({ seq, atMs, kind: 'caption', step: seq })

let time: FakeClock
let stored: StoredRun
let entries: JournalEntry[]
let readFails: Error | undefined
let isAlive: boolean
let watched: boolean[]
let followed: FollowedRun

beforeEach(() => {
  time = clock()
  stored = {
    facts: {
      run: 'g17aaaaa',
      scenario: 'crash',
      name: 'lab/g17aaaaa/leader',
      ttlSeconds: 8,
      fair: false,
      maxClockSkewMs: 100,
      startedBy: 'ann',
      startedAtMs: Date.UTC(2026, 0, 1),
    },
    ended: null,
  }
  entries = [entry(0, 100), entry(1, 200)]
  readFails = undefined
  isAlive = true
  watched = []
  followed = new FollowedRun(stored, {
    store: {
      run: async () => stored,
      entries: async (_run, from) => {
        if (readFails !== undefined) throw readFails
        return entries.slice(from)
      },
    },
    clock: time,
    timer: time,
    failed: () => {},
    isAlive: async () => isAlive,
    tellWatched: (_run, isWatched) => watched.push(isWatched),
  })
})

it('reads on once a second while it has viewers, and tells its instance that it has', async () => {
  await followed.refresh()
  expect(followed.entries).toHaveLength(2)
  expect(followed.json()).toMatchObject({ state: 'running', story: { state: 'playing', step: 1 } })
  expect(followed.nowMs).toBe(10_000)
  let news = 0
  followed.listen(() => news++)
  followed.watched(1)
  entries.push(entry(2, 300))
  await time.advance(1_000)
  expect([followed.entries.length, news, watched]).toEqual([3, 1, [true]])
  followed.watched(0)
  entries.push(entry(3, 400))
  await time.advance(10_000)
  expect([followed.entries.length, watched]).toEqual([3, [true, false]])
})

it('of an instance that died, it has ended, however often it is asked, and its journal has no end', async () => {
  isAlive = false
  for (let asked = 0; asked < 2; asked++) {
    await followed.refresh()
    expect(followed.isComplete).toBe(true)
    expect(followed.entries).toEqual(entries)
    expect(followed.json()).toMatchObject({ state: 'ended', endsAt: '2026-01-01T00:00:00.200Z' })
  }
})

it('stays ended while it is read again, and when it cannot be', async () => {
  isAlive = false
  await followed.refresh()
  readFails = new Error('away')
  await expect(followed.refresh()).rejects.toThrow('away')
  expect(followed.json().state).toBe('ended')
})

it('gives no number to two entries: a reader that goes on when the rest is written misses none', async () => {
  isAlive = false
  await followed.refresh()
  const read = [...followed.entries]
  entries.push({ seq: 2, atMs: 300, kind: 'ended', why: 'time', detail: null })
  await followed.refresh()
  expect([...read, ...followed.entries.slice(read.length)]).toEqual(entries)
})

it('of an instance that had no answer from Cassandra, it goes on when the rest is written', async () => {
  isAlive = false
  await followed.refresh()
  entries.push(entry(2, 300), { seq: 3, atMs: 400, kind: 'ended', why: 'time', detail: null })
  stored = { ...stored, ended: { endedAtMs: stored.facts.startedAtMs + 400, step: 1 } }
  await followed.refresh()
  expect(followed.entries).toEqual(entries)
  expect(followed.json()).toMatchObject({ state: 'ended', endsAt: '2026-01-01T00:00:00.400Z' })
})

it('that has ended and is written, it is as it was written', async () => {
  entries.push({ seq: 2, atMs: 300, kind: 'ended', why: 'person', detail: null })
  stored = { ...stored, ended: { endedAtMs: stored.facts.startedAtMs + 300, step: 1 } }
  isAlive = false
  await followed.refresh()
  expect(followed.entries).toEqual(entries)
  expect(followed.json()).toMatchObject({
    state: 'ended',
    endsAt: '2026-01-01T00:00:00.300Z',
    story: { state: 'ended' },
  })
  expect(followed.nowMs).toBe(300)
})
