import type { Finding, Judgement } from 'leasehold/doctor'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { log } from '../http/log/log.ts'
import { TableTrust } from '../leases/table-trust.ts'
import { TrustedStore } from '../leases/trusted-store.ts'
import { Canaries } from './canaries.ts'
import { Doctor } from './doctor.ts'
import { SchemaWatch } from './schema-watch.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let trust: TableTrust
let canaries: Canaries
let doctor: Doctor
let version: string
let definition: string
let definitionsRead: number
let acquired: number
let clocks: Judgement
let examinations: number
let examined: Finding[]
/** Until then an examination waits for a node that is silent. */
let arrival: Promise<void> | undefined

beforeEach(() => {
  clock = new FakeClock()
  store = new MemoryLeaseStore(clock)
  trust = new TableTrust()
  version = 'a'
  definition = 'leveled'
  definitionsRead = 0
  acquired = 0
  clocks = { verdict: 'ok', found: 'The clocks agree.', whatToDo: null }
  examinations = 0
  examined = []
  arrival = undefined
  store.fault = (kind) => {
    if (kind === 'acquire') acquired++
    return undefined
  }
  canaries = new Canaries({
    tables: [{ id: 'leases', store, trust }],
    maxClockSkewMs: 100,
    clock,
    timer: clock,
    log,
  })
  const source = {
    version: async () => version,
    definition: async () => {
      definitionsRead++
      return definition
    },
  }
  doctor = new Doctor({
    canaries,
    schema: new SchemaWatch(source, ['leases']),
    examine: async () => {
      examinations++
      await arrival
      return examined
    },
    clocks: async () => clocks,
    clock,
    timer: clock,
    log,
  })
})

const write = { name: 'x', owner: 'o', value: null, ttlSeconds: 10 }

it('proves at the start that leases have one owner, within no time', async () => {
  const before = clock.now().monotonicMs
  await clock.run(doctor.begin())
  expect(clock.now().monotonicMs).toBe(before)
  expect(canaries.lastOf('leases')?.outcome.kind).toBe('passed')
})

it('the log says which part it was that got no answer, and what follows', async () => {
  const said: unknown[] = []
  const told = Object.assign(Object.create(log), { warn: (_: object, text: string) => said.push(text) })
  const table = { id: 'leases', store, trust }
  store.fault = () => ({ kind: 'unavailable' })
  const one = new Canaries({ tables: [table], maxClockSkewMs: 100, clock, timer: clock, log: told })
  await clock.run(one.run(['leases']))
  expect(said).toEqual([
    expect.stringMatching(
      /^the doctor could not check the table leases, and tries again; until then the console uses it as before\. The canary tried 3 times and could prove nothing: /,
    ),
  ])
})

it('does not hold a start up where no answers come', async () => {
  store.fault = () => ({ kind: 'delayed', queuedMs: 25_000 })
  const before = clock.now().monotonicMs
  await clock.run(doctor.begin())
  expect(clock.now().monotonicMs - before).toBe(5_000)
  expect((await doctor.report()).findings).toMatchObject([{ check: 'canary', verdict: 'unknown' }])
})

describe('a table that grants leases twice', () => {
  const trusted = () => new TrustedStore(store, 'leases', trust)
  beforeEach(async () => {
    await clock.run(doctor.begin())
    await trusted().acquire(write)
    store.grantsTwice = true
    await clock.run(canaries.run())
  })

  it('is not written, and read as before', async () => {
    const refused = {
      code: 'store-refused',
      message: expect.stringMatching(/canary failed .*granted to two owners/),
    }
    await expect(trusted().acquire({ ...write, name: 'y' })).rejects.toMatchObject(refused)
    await expect(trusted().renew({ ...write, knownValue: null })).rejects.toMatchObject(refused)
    await expect(trusted().release(write)).rejects.toMatchObject(refused)
    await expect(trusted().quarantine({ ...write, mark: '!m' })).rejects.toMatchObject(refused)
    expect((await trusted().read('x')).cells?.owner).toBe('o')
    expect((await trusted().hint('x'))?.owner).toBe('o')
    expect((await trusted().scan({ limit: 5 })).rows).toHaveLength(1)
  })

  it('is refused until a canary passes, and keeps since when', async () => {
    const since = trust.distrust?.since
    await clock.advance(60_000)
    await clock.run(canaries.run())
    expect(trust.distrust?.since).toBe(since)
    // No answer is no proof.
    store.fault = () => ({ kind: 'unavailable' })
    store.grantsTwice = false
    await clock.run(canaries.run())
    expect(trust.distrust).not.toBeNull()
    store.fault = () => undefined
    await clock.run(canaries.run())
    expect(trust.distrust).toBeNull()
    expect(await trusted().acquire({ ...write, name: 'z' })).toEqual({ applied: true })
  })
})

describe('a table that granted a lease twice, and grants none twice any more', () => {
  const watchFor = async (ms: number) => {
    for (let past = 0; past < ms; past += 5_000) {
      await clock.advance(5_000)
      await clock.run(doctor.look())
    }
  }
  beforeEach(async () => {
    store.grantsTwice = true
    await clock.run(doctor.begin())
    store.grantsTwice = false
  })

  it('is not unlocked after a canary of a person that proved nothing', async () => {
    store.fault = () => ({ kind: 'unavailable' })
    await clock.run(doctor.runCanaries())
    store.fault = () => undefined
    await watchFor(120_000)
    expect(trust.distrust).not.toBeNull()
    await clock.run(doctor.runCanaries())
    expect(trust.distrust).toBeNull()
  })

  it('is not unlocked by the rest of the start', async () => {
    const closing = new AbortController()
    const watching = doctor.watch(closing.signal)
    await clock.advance(60_000)
    closing.abort()
    await clock.run(watching)
    expect(trust.distrust).not.toBeNull()
  })

  it('is unlocked by a canary after a change of its definition', async () => {
    ;[version, definition] = ['b', 'mended']
    await watchFor(5_000)
    expect(trust.distrust).toBeNull()
  })
})

it('a table whose leases only end late is written', async () => {
  const acquire = store.acquire.bind(store)
  store.acquire = (given) => acquire({ ...given, ttlSeconds: 3_600 })
  await clock.run(canaries.run())
  expect(canaries.lastOf('leases')?.outcome).toMatchObject({ kind: 'failed', isUnsafe: false })
  expect(trust.distrust).toBeNull()
})

describe('the schema', () => {
  it('is asked for one row while it stays the same, and a change elsewhere runs no canary', async () => {
    await clock.run(doctor.begin())
    for (let looks = 0; looks < 20; looks++) await clock.run(doctor.look())
    ;[acquired, definitionsRead] = [0, 0]
    await clock.run(doctor.look())
    expect(definitionsRead).toBe(0)
    version = 'b'
    await clock.run(doctor.look())
    expect([definitionsRead, acquired]).toEqual([1, 0])
  })

  it('a change is found although one node named the new version and another one the old definition', async () => {
    await clock.run(doctor.begin())
    version = 'b'
    await clock.run(doctor.look())
    definition = 'transactional_mode: full'
    store.grantsTwice = true
    await clock.run(doctor.look())
    expect(trust.distrust).not.toBeNull()
  })

  it('runs a canary when the table was changed', async () => {
    await clock.run(doctor.begin())
    version = 'b'
    definition = 'transactional_mode: full'
    store.grantsTwice = true
    await clock.run(doctor.look())
    expect(trust.distrust?.found).toBe('The same lease was granted to two owners.')
  })
})

it('a change while a canary runs is followed by another: this one may have proved before it what it changed', async () => {
  await clock.run(doctor.begin())
  void canaries.run()
  await clock.advance(1_000)
  expect(canaries.lastOf('leases')?.outcome).toMatchObject({ part: 'exclusion' })
  store.grantsTwice = true
  definition = 'altered'
  version = 'b'
  await clock.run(doctor.look())
  expect(trust.distrust).not.toBeNull()
})

it('proves each minute that leases have one owner, without a word of expiry', async () => {
  await clock.run(canaries.run())
  const { outcome, atMs } = canaries.lastOf('leases') ?? {}
  acquired = 0
  await clock.advance(59_000)
  await clock.run(doctor.look())
  expect(acquired).toBe(0)
  await clock.advance(1_000)
  await clock.run(doctor.look())
  expect(acquired).toBe(2)
  expect(canaries.lastOf('leases')).toMatchObject({ outcome, atMs })
  store.grantsTwice = true
  await clock.advance(60_000)
  await clock.run(doctor.look())
  expect(trust.distrust).not.toBeNull()
})

it('reports when a canary was last tried, short or whole, and what that one found', async () => {
  const ofCanary = async () => (await doctor.report()).findings.find(({ check }) => check === 'canary')
  await clock.run(canaries.run())
  const wholeAt = new Date(clock.now().wallMs).toISOString()
  expect(await ofCanary()).toMatchObject({ verdict: 'ok', at: wholeAt })
  expect((await ofCanary())?.found).not.toContain('short')
  for (let minute = 0; minute < 3; minute++) {
    await clock.advance(60_000)
    await clock.run(doctor.look())
  }
  expect(await ofCanary()).toMatchObject({
    verdict: 'ok',
    at: new Date(clock.now().wallMs).toISOString(),
    found: expect.stringMatching(/expired.* short one, and passed.* whole one ended 3 min before/),
  })
})

it('tries again after as long when the wall clock was set back', async () => {
  await clock.run(canaries.run())
  clock.suspend(-3_600_000)
  acquired = 0
  await clock.advance(60_000)
  await clock.run(doctor.look())
  expect(acquired).toBe(2)
})

it('tries again half a minute after a canary that proved nothing', async () => {
  store.fault = () => ({ kind: 'unavailable' })
  await clock.run(doctor.begin())
  store.fault = () => undefined
  await clock.run(doctor.look())
  expect(canaries.lastOf('leases')?.outcome.kind).toBe('unknown')
  await clock.advance(30_000)
  await clock.run(doctor.look())
  expect(canaries.lastOf('leases')?.outcome.kind).toBe('passed')
})

it('tries again half a minute after a canary that failed without harm, and whole', async () => {
  const acquire = store.acquire.bind(store)
  store.acquire = (given) => acquire({ ...given, ttlSeconds: 3_600 })
  await clock.run(canaries.run())
  expect(canaries.lastOf('leases')?.outcome).toMatchObject({ kind: 'failed', isUnsafe: false })
  store.acquire = acquire
  await clock.run(doctor.look())
  expect(canaries.lastOf('leases')?.outcome.kind).toBe('failed')
  await clock.advance(30_000)
  await clock.run(doctor.look())
  expect(canaries.lastOf('leases')?.outcome).toMatchObject({ kind: 'passed', part: 'whole' })
})

it('tries again after a first canary that broke off without an outcome', async () => {
  const acquire = store.acquire.bind(store)
  store.acquire = () => Promise.reject(new TypeError('an answer that the driver could not read'))
  await clock.run(doctor.begin())
  expect(canaries.lastOf('leases')).toBeNull()
  store.acquire = acquire
  await clock.run(doctor.look())
  expect(canaries.lastOf('leases')?.outcome).toMatchObject({ kind: 'passed', part: 'whole' })
})

it('a table that granted a lease twice is not tried again by itself: its lock stays', async () => {
  store.grantsTwice = true
  await clock.run(canaries.run())
  store.grantsTwice = false
  acquired = 0
  for (let minute = 0; minute < 10; minute++) {
    await clock.advance(60_000)
    await clock.run(doctor.look())
  }
  expect(acquired).toBe(0)
  expect(trust.distrust).not.toBeNull()
})

it('runs the whole canary after the start’s half that is still running', async () => {
  store.fault = (kind) => {
    if (kind === 'acquire') acquired++
    return { kind: 'delayed', queuedMs: 1_000 }
  }
  const begun = doctor.begin()
  await clock.run(Promise.all([begun, canaries.run()]))
  expect(canaries.lastOf('leases')?.outcome).toMatchObject({ kind: 'passed', part: 'whole' })
})

it('runs one canary at a time on a table, however many ask', async () => {
  await clock.run(Promise.all([canaries.run(), canaries.run(), doctor.runCanaries()]))
  // Two of the first half, three of the second.
  expect(acquired).toBe(5)
})

it('clocks that drift apart raise an alarm within a minute, which a silent node does not end', async () => {
  const ending = new AbortController()
  const watching = doctor.watch(ending.signal)
  const later = async (judgement: Judgement) => {
    clocks = judgement
    await clock.advance(66_000)
    return doctor.clocksApart
  }
  const apart = { found: 'The clocks are 300 ms apart.', whatToDo: 'Synchronise them.' }
  expect(doctor.clocksApart).toBeNull()
  const alarm = await later({ verdict: 'fail', ...apart })
  expect(alarm).toMatchObject({ ...apart, since: expect.any(String) })
  expect(await later({ verdict: 'unknown', found: 'One node did not answer.', whatToDo: 'Wait.' })).toEqual(
    alarm,
  )
  expect((await later({ verdict: 'fail', ...apart, found: '400 ms' }))?.since).toBe(alarm?.since)
  expect(await later({ verdict: 'ok', found: 'The clocks agree.', whatToDo: null })).toBeNull()
  ending.abort()
  await clock.run(watching)
})

it('a flood of requests for the canary is one canary and one examination', async () => {
  await clock.run(Promise.all(Array.from({ length: 200 }, () => doctor.runCanaries())))
  expect(examinations).toBe(1)
  await clock.run(doctor.runCanaries())
  expect(examinations).toBe(2)
})

it('an examination that began before a look at the clocks, and ended after it, does not bring back what that look ended', async () => {
  const agree = clocks
  let answer = () => {}
  arrival = new Promise((resolve) => {
    answer = resolve
  })
  const apart: Judgement = { verdict: 'fail', found: 'The clocks are 2 s apart.', whatToDo: 'Set them.' }
  examined = [{ check: 'clocks', table: null, ...apart }]
  const reporting = doctor.report()
  await clock.advance(100)
  const ending = new AbortController()
  const watching = doctor.watch(ending.signal)
  clocks = agree
  await clock.advance(10_000)
  answer()
  await reporting
  expect(doctor.clocksApart).toBeNull()
  ending.abort()
  await clock.run(watching)
})
