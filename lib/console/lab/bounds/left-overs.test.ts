import { CassandraLeaseStore, type Executor } from 'leasehold/cassandra'
import { StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import type { Log } from '../../http/log/log.ts'
import type { StoredRun } from '../journal/lab-store.ts'
import { LeftOvers } from './left-overs.ts'

let clock: FakeClock
let runs: Map<string, StoredRun>
let alive: Set<string>
let hosted: Set<string>
let deleted: string[]
let isAway: boolean
let isSilent: boolean
let looks: number
/** Until then the places that other instances have are not known. */
let arrival: Promise<void> | undefined
let leftOvers: LeftOvers

/** It notes what is deleted, by the last parameter: the run, or the name of its lease. */
const session: Executor = {
  keyspace: 'k',
  serial: 'SERIAL',
  paxosVariant: 'v2',
  execute: async ({ cql }, params) => {
    if (isSilent) throw new StoreUnavailableError('silent')
    if (cql.startsWith('DELETE')) deleted.push(String(params.at(-1)))
    return { rows: [], coordinator: '127.0.0.1' }
  },
}

const begun = (run: string): StoredRun => ({
  facts: {
    run,
    scenario: null,
    name: `lab/${run}/leader`,
    ttlSeconds: 6,
    maxClockSkewMs: 100,
    fair: false,
    startedBy: 'ann',
    startedAtMs: clock.now().wallMs - 60_000,
  },
  ended: null,
})

beforeEach(() => {
  clock = new FakeClock()
  runs = new Map(['dead', 'lives', 'mine'].map((run) => [run, begun(run)]))
  alive = new Set(['lives', 'mine'])
  hosted = new Set(['mine'])
  deleted = []
  arrival = undefined
  isAway = false
  isSilent = false
  looks = 0
  leftOvers = new LeftOvers({
    storeOver: (executor) => new CassandraLeaseStore(executor),
    session,
    clock,
    timer: clock,
    log: {} as Log,
    store: {
      unended: async () => {
        looks++
        if (isAway) throw new StoreUnavailableError('away')
        return [...runs.values()].filter(({ ended }) => ended === null)
      },
      entries: async () => [{ seq: 0, atMs: 41_234.5, kind: 'joined', candidate: 'c1' } as JournalEntry],
      writeRun: async (run) => void runs.set(run.facts.run, run),
    },
    alive: async () => {
      await arrival
      return alive
    },
    isHosted: (run) => hosted.has(run),
  })
})

it('ends the run of a dead instance, and leaves those alone that an instance runs', async () => {
  expect(await leftOvers.sweep()).toBe(true)
  expect(new Set(deleted)).toEqual(new Set(['dead', 'lab/dead/leader']))
  const { facts, ended } = runs.get('dead') as StoredRun
  expect(ended).toEqual({ endedAtMs: facts.startedAtMs + 41_235, step: null })
  expect([runs.get('lives')?.ended, runs.get('mine')?.ended]).toEqual([null, null])
  deleted.length = 0
  await leftOvers.sweep()
  expect(deleted).toEqual([])
})

it('looks again while another instance has runs: that one may die, or not have lost its place yet', async () => {
  const watching = leftOvers.watch(new AbortController().signal)
  await clock.advance(10_000)
  expect(looks).toBe(1)
  alive.delete('lives')
  await clock.advance(15_000)
  expect(runs.get('lives')?.ended).not.toBeNull()
  await watching
  const before = looks
  await clock.advance(600_000)
  expect(looks).toBe(before)
})

it('a run whose rows may be left has not ended', async () => {
  isSilent = true
  void leftOvers.watch(new AbortController().signal)
  await clock.advance(5_000)
  expect(runs.get('dead')?.ended).toBeNull()
  alive.clear()
  isSilent = false
  await clock.advance(120_000)
  expect(runs.get('dead')?.ended).not.toBeNull()
  expect(deleted).toContain('lab/dead/leader')
})

it('looks again when Cassandra did not answer', async () => {
  isAway = true
  void leftOvers.watch(new AbortController().signal)
  await clock.advance(5_000)
  expect(deleted).toEqual([])
  isAway = false
  await clock.advance(20_000)
  expect(deleted).toContain('dead')
})

it('looks again for what was left while the last look was under way', async () => {
  alive.delete('lives')
  runs.delete('dead')
  runs.delete('lives')
  const { signal } = new AbortController()
  const watching = leftOvers.watch(signal)
  // A run is given up beside it.
  hosted.delete('mine')
  alive.delete('mine')
  void leftOvers.watch(signal)
  await clock.advance(25_000)
  await watching
  expect(runs.get('mine')?.ended).not.toBeNull()
})

it('looks again for what was left while another’s look was under way', async () => {
  alive.clear()
  let answer = () => {}
  arrival = new Promise((resolve) => {
    answer = resolve
  })
  void leftOvers.sweep()
  await clock.advance(1)
  hosted.delete('mine')
  void leftOvers.watch(new AbortController().signal)
  answer()
  await clock.advance(120_000)
  expect(runs.get('mine')?.ended).not.toBeNull()
})
