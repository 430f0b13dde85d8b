import type { Executor } from 'leasehold/cassandra'
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { Log } from '../http/log/log.ts'
import { Slots } from './bounds/slots.ts'
import { Lab } from './lab.ts'
import type { RunHub } from './stream/run-hub.ts'

/** Of another instance, which runs it. */
const run = 'g17aaaaa'
/** More than the lab keeps in memory. */
const others = ['b', 'c', 'd', 'e', 'f', 'g'].map((letter) => `g17${letter.repeat(5)}`)

let clock: FakeClock
let hosting: Slots
let lab: Lab
/** While it is not settled, no row of that run is read. */
let reading: Promise<void>

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 0, 1))
  reading = Promise.resolve()
  const store = new MemoryLeaseStore(clock)
  const protocol = () =>
    new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
  hosting = new Slots(protocol())
  await clock.run(hosting.take(run, 'ann'))
  const factsOf = (id: unknown) => ({
    run: String(id),
    scenario: null,
    name: `lab/${id}/leader`,
    ttlSeconds: 10,
    maxClockSkewMs: 100,
    fair: false,
    startedBy: 'ann',
    startedAtMs: clock.now().wallMs,
  })
  const session: Executor = {
    keyspace: 'k',
    serial: 'SERIAL',
    paxosVariant: 'v2',
    execute: async ({ cql }, params) => {
      if (params.includes(run)) await reading
      const rows = /lab_runs/.test(cql) ? [{ facts: JSON.stringify(factsOf(params[1])), ended: null }] : []
      return { rows, coordinator: '127.0.0.1' }
    },
  }
  lab = new Lab({
    session,
    own: protocol(),
    storeOver: () => store,
    distrust: () => null,
    isEnabled: true,
    maxClockSkewMs: 100,
    verdictOf: () => [],
    clock,
    timer: clock,
    log: { warn: () => {}, error: () => {} } as unknown as Log,
    closing: new AbortController().signal,
  })
})

const open = (id: string): Promise<RunHub> => clock.run(lab.open(id))
const streamOf = (hub: RunHub, viewer: string) => hub.stream(0, viewer, new AbortController().signal)
const sink = { write: () => true, end: () => {} }

it('a run is watched while it has a viewer, though others were opened before the turn of its stream', async () => {
  const first = streamOf(await open(run), 'ann')
  for (const other of others) await open(other)
  const second = streamOf(await open(run), 'ben')
  for (const stream of [first, second]) stream.open(sink)
  // One stream begins in a turn of the event loop.
  for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate)
  await clock.advance(1_000)
  second.closed()
  await clock.advance(60_000)
  expect(await clock.run(hosting.isWatchedElsewhere(run))).toBe(true)
  first.closed()
  await clock.advance(60_000)
  expect(await clock.run(hosting.isWatchedElsewhere(run))).toBe(false)
})

it('a run that is read again while others are opened stays one run for its viewers', async () => {
  await open(run)
  let read = () => {}
  reading = new Promise((resolve) => {
    read = resolve
  })
  const first = lab.open(run).then((hub) => {
    streamOf(hub, 'ann')
    return hub
  })
  for (const other of others) await open(other)
  read()
  const hub = await clock.run(first)
  expect(await open(run)).toBe(hub)
})
