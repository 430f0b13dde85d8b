import { CassandraLeaseStore, type Executor } from 'leasehold/cassandra'
import { isLeaseholdError, LeaseLostError, StoreRefusedError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '../../http/log/log.ts'
import type { RunEnd, StoredRun } from '../journal/lab-store.ts'
import { scenarios } from '../scenarios/scenarios.ts'
import { HostedRun } from './hosted-run.ts'
import { LabRun } from './lab-run.ts'

/** Of a Cassandra that grants nothing: what bounds a run does not depend on it. */
const silent: Executor = {
  keyspace: 'k',
  serial: 'SERIAL',
  paxosVariant: 'v2',
  execute: async ({ cql }) => {
    if (refusal !== null && /^SELECT/.test(cql)) throw refusal
    if (isAway || !/^(SELECT|DELETE)/.test(cql)) throw new StoreUnavailableError('silent')
    return { rows: [], coordinator: '127.0.0.1' }
  },
}

let clock: FakeClock
let lost: AbortController
let released: number
let isWatchedElsewhere: boolean
let isAway: boolean
let refusal: StoreRefusedError | null
/** What the run reported, without outages: as the lab does, which leaves those out. */
let failures: unknown[]
let distrust: string | null
let gone: boolean[]
let ends: (RunEnd | null)[]
let hosted: HostedRun
const minuteMs = 60_000

beforeEach(() => {
  clock = new FakeClock()
  lost = new AbortController()
  released = 0
  isWatchedElsewhere = false
  isAway = false
  refusal = null
  failures = []
  distrust = null
  gone = []
  ends = []
  hosted = host(null)
  hosted.begin(2)
})

function host(scenario: 'crash' | null): HostedRun {
  const facts = {
    run: 'g17aaaaa',
    scenario,
    name: 'lab/g17aaaaa/leader',
    ttlSeconds: 10,
    maxClockSkewMs: 100,
    fair: false,
    startedBy: 'ann',
    startedAtMs: clock.now().wallMs,
  }
  const failed = (error: unknown) => {
    if (!isLeaseholdError(error, 'store-unavailable')) failures.push(error)
  }
  const story = scenario === null ? null : scenarios[scenario]
  const storeOver = (executor: Executor) => new CassandraLeaseStore(executor)
  return new HostedRun(
    new LabRun(facts, story, { session: silent, storeOver, clock, timer: clock, failed }),
    {
      place: {
        signal: lost.signal,
        release: async () => {
          released++
        },
      },
      store: {
        writeRun: async ({ ended }: StoredRun) => {
          ends.push(ended)
        },
        writeEntries: async () => {},
      },
      clock,
      timer: clock,
      log: { warn: () => {} } as unknown as Log,
      gone: (isFinished) => void gone.push(isFinished),
      distrust: () => distrust,
      isWatchedElsewhere: async () => isWatchedElsewhere,
    },
  )
}

afterEach(() => {
  if (refusal === null) expect(failures).toEqual([])
})

const last = () => hosted.entries.at(-1)

describe('a run ends', () => {
  it('when it has had no viewers for two minutes', async () => {
    await clock.advance(minuteMs)
    hosted.watched(1)
    await clock.advance(4 * minuteMs)
    expect(hosted.isComplete).toBe(false)
    hosted.watched(0)
    await clock.advance(1.9 * minuteMs)
    expect(hosted.isComplete).toBe(false)
    await clock.advance(0.3 * minuteMs)
    expect(last()).toMatchObject({ kind: 'ended', why: 'unwatched' })
    expect([ends.length, released]).toEqual([1, 1])
  })

  it('not while another instance has viewers, but after its time', async () => {
    isWatchedElsewhere = true
    await clock.advance(14.9 * minuteMs)
    expect(hosted.isComplete).toBe(false)
    await clock.advance(0.3 * minuteMs)
    expect(last()).toMatchObject({ kind: 'ended', why: 'time' })
  })

  it('when its place is lost', async () => {
    await clock.advance(minuteMs)
    lost.abort(new LeaseLostError('leasehold/lab/1', 'console:1', 'deadline', null))
    await clock.advance(3_000)
    const detail = expect.stringContaining('The lease "leasehold/lab/1" is lost: ')
    expect(last()).toMatchObject({ kind: 'ended', why: 'failure', detail })
  })

  it('when the table of its lease is not trusted any more', async () => {
    await clock.advance(minuteMs)
    distrust = 'The canary failed.'
    await clock.advance(3_000)
    expect(last()).toMatchObject({ kind: 'ended', why: 'failure', detail: distrust })
  })

  it('and is not called ended while rows of it may be left', async () => {
    isAway = true
    await clock.advance(16 * minuteMs)
    expect(hosted.isComplete).toBe(true)
    expect([ends, gone]).toEqual([[], [false]])
  })

  it('when its time is over, if its story waits for a viewer that never comes', async () => {
    const waiting = host('crash')
    waiting.begin(0, { waitsForViewer: true })
    await clock.advance(14.9 * minuteMs)
    expect(waiting.isComplete).toBe(false)
    expect(waiting.json().story).toEqual({ state: 'paused', step: -1 })
    await clock.advance(0.3 * minuteMs)
    expect(waiting.entries.at(-1)).toMatchObject({ kind: 'ended', why: 'time' })
  })

  it('two minutes after the last viewer, whose coming began its story', async () => {
    const waiting = host('crash')
    waiting.begin(0, { waitsForViewer: true })
    await clock.advance(10 * minuteMs)
    waiting.watched(1)
    expect(waiting.json().story).toEqual({ state: 'playing', step: -1 })
    waiting.watched(0)
    await clock.advance(2.2 * minuteMs)
    expect(waiting.entries.at(-1)).toMatchObject({ kind: 'ended', why: 'unwatched' })
  })

  it('by a person, and its place is not free before it had it for ten seconds', async () => {
    const ending = hosted.end('person')
    await clock.advance(3_000)
    await ending
    expect(last()).toMatchObject({ kind: 'ended', why: 'person' })
    expect([ends.length, released]).toEqual([1, 0])
    await clock.advance(10_000)
    expect(released).toBe(1)
    expect(hosted.act({ act: 'join' }, 'ann')).toBe('This run has ended.')
  })
})

it('a run whose lease its observer cannot read reports it, and no outage', async () => {
  isAway = true
  await clock.advance(2_000)
  expect(failures).toEqual([])
  isAway = false
  refusal = new StoreRefusedError('The role has no SELECT permission on the table.')
  // Without candidates: only the observer reads.
  const watched = host('crash')
  watched.begin(0, { waitsForViewer: true })
  await clock.advance(1_000)
  expect(failures).toContain(refusal)
})
