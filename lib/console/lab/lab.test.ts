import type { Executor } from 'leasehold/cassandra'
import { LeaseProtocol, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { terminalAuthority } from '../audit/authority.ts'
import type { Log } from '../http/log/log.ts'
import { Slots } from './bounds/slots.ts'
import { Lab } from './lab.ts'
import { endRun, startRun } from './lab-acts.ts'
import type { LabServices } from './lab-services.ts'
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
/** The runs whose journal was read, in the order in which the reads began. */
let journalsRead: string[]

let closing: AbortController
beforeEach(async () => {
  closing = new AbortController()
  clock = new FakeClock(Date.UTC(2026, 0, 1))
  reading = Promise.resolve()
  journalsRead = []
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
      if (cql.startsWith('SELECT') && cql.includes('lab_journals')) journalsRead.push(String(params[0]))
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
    closing: closing.signal,
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

it('viewers who open a run at the same time share one read of its journal', async () => {
  const [first, second] = await Promise.all([open(run), open(run)])
  expect(second).toBe(first)
  expect(journalsRead).toEqual([run])
})

it('one viewer loads one run at a time, and another viewer comes in between', async () => {
  let read = () => {}
  reading = new Promise((resolve) => {
    read = resolve
  })
  const first = lab.open(run, 'ann')
  const more = others.map((other) => lab.open(other, 'ann'))
  await clock.run(lab.open('g17zzzzz', 'ben'))
  expect(journalsRead).toEqual(['g17zzzzz'])
  read()
  await clock.run(Promise.all([first, ...more]))
  expect(journalsRead).toEqual(['g17zzzzz', run, ...others])
})

describe('while the audit log cannot be written', () => {
  const ben = terminalAuthority('ben')
  let isDown: boolean
  let services: LabServices
  beforeEach(() => {
    isDown = false
    const append = async () => {
      if (isDown) throw new StoreUnavailableError('No node answers.')
    }
    const audit = { append, follow: async () => {}, appendUntilWritten: () => new Promise(() => {}) }
    services = { lab, audit, clock, config: { adminActions: true } } as unknown as LabServices
  })
  const unavailable = { code: 'audit-unavailable' }

  it('no run begins, and its place is free again', async () => {
    isDown = true
    await expect(clock.run(startRun(services, ben, {}))).rejects.toMatchObject(unavailable)
    expect([...(await clock.run(hosting.alive()))]).toEqual([run])
    isDown = false
    expect(await clock.run(startRun(services, ben, {}))).toMatchObject({ state: 'running' })
    await clock.run(lab.end())
  })

  it('no run ends', async () => {
    const started = await clock.run(startRun(services, ben, {}))
    isDown = true
    await expect(clock.run(endRun(services, ben, started.run))).rejects.toMatchObject(unavailable)
    expect((await open(started.run)).source.json().state).toBe('running')
    isDown = false
    await clock.run(endRun(services, ben, started.run))
    expect((await open(started.run)).source.json().state).toBe('ended')
  })
})

it('a run whose start the end of the console overtakes does not begin, and leaves its place', async () => {
  let announced = () => {}
  const announcing = new Promise<void>((resolve) => {
    announced = resolve
  })
  const starting = lab.start({}, 'ben', { announce: () => announcing })
  await clock.advance(1_000)
  expect(await clock.run(hosting.isTakenBy('ben'))).toBe(true)
  closing.abort()
  announced()
  await expect(clock.run(starting)).rejects.toMatchObject({ code: 'cassandra-unavailable' })
  expect(await clock.run(hosting.isTakenBy('ben'))).toBe(false)
})
