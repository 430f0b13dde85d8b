/** A broken lease, on the store in memory: how long the quarantine lasts, and what a lost answer means. */
import { beforeEach, describe, expect, it } from 'vitest'
import {
  ClosedError,
  LeaseProtocol,
  type LeaseProtocolOptions,
  Leases,
  StoreRefusedError,
  type Tenure,
} from '../lease/index.ts'
import { FakeClock, type Fault, MemoryLeaseStore, type StatementKind } from '../testing/index.ts'
import { untilDeadlineMs } from '../time/index.ts'
import { type BreakStep, Operator } from './index.ts'

const name = 'job'
const id = 'plan-1'
const mark = '!quarantine:plan-1'
let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
let options: LeaseProtocolOptions

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 400)
  store = new MemoryLeaseStore(clock)
  options = {
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 30,
  }
  leases = new LeaseProtocol(options)
})

function faults(kind: StatementKind, ...list: (Fault | undefined)[]): void {
  const before = store.fault
  store.fault = (asked, of) => (asked === kind && list.length > 0 ? list.shift() : before(asked, of))
}
const lost = (applied: boolean, finality: 'read' | 'never'): Fault => ({ kind: 'lost', applied, finality })

async function acquire(owner = 'old'): Promise<Tenure> {
  const outcome = await clock.run(leases.tryAcquire(name, { owner }))
  if (outcome.kind !== 'acquired') throw new Error(`expected acquired, got ${outcome.kind}`)
  return outcome.tenure
}
const breakIt = (owner = 'old', onStep?: (step: BreakStep) => void) =>
  clock.run(new Operator(leases).break({ name, owner }, { id, value: 'by ana' }, onStep))
const secondsFromStart = (ms: number) => (ms - Date.UTC(2026, 0, 1)) / 1000

describe('a lease that is broken', () => {
  it('is quarantined for the holder’s full TTL, however little of it is left, and 4.2 s more', async () => {
    await acquire()
    await clock.advance(28_000)
    const steps: BreakStep[] = []
    const outcome = await breakIt('old', (step) => steps.push(step))
    if (outcome.kind !== 'broken') throw new Error(outcome.kind)
    expect(secondsFromStart(outcome.safeAtMs)).toBe(28 + 35)
    expect(steps.map(({ step }) => step)).toEqual(['re-read', 'sent', 'answered'])
    expect(steps[1]).toEqual({ step: 'sent', ttlSeconds: 35 })
    expect((await leases.read(name))?.owner).toBe(mark)
    expect((await leases.read(name))?.value).toBe('by ana')
    await clock.advance(outcome.safeAtMs - clock.now().wallMs - 1)
    expect(await leases.tryAcquire(name)).toEqual({ kind: 'held', owner: mark })
    await clock.advance(1)
    expect((await leases.tryAcquire(name)).kind).toBe('acquired')
  })

  it('is quarantined for the TTL that the row shows, where its version makes the TTL look shorter', async () => {
    await clock.advance(550)
    // It begins in second 0 and is applied in second 1: its version is of second 1, and its expiry counts from 0.
    store.fault = (kind) => (kind === 'acquire' ? { kind: 'delayed', contendedMs: 90 } : undefined)
    await acquire()
    // The operator reads from a coordinator that is behind: there it is still second 0.
    store.skewMs = () => -95
    const steps: BreakStep[] = []
    expect((await breakIt('old', (step) => steps.push(step))).kind).toBe('broken')
    expect(steps[0]).toMatchObject({ lease: { ttlSeconds: 29, read: { ownerTtlSeconds: 30 } } })
    expect(steps[1]).toEqual({ step: 'sent', ttlSeconds: 35 })
  })

  it('is quarantined 8 s longer under Paxos v1, the default', async () => {
    store.paxosVariant = 'v1'
    await acquire()
    const outcome = await breakIt()
    expect(outcome).toMatchObject({ kind: 'broken', safeAtMs: Date.UTC(2026, 0, 1) + 43_000 })
  })

  it('is free only after the deadline of a holder who renewed between the re-read and the mark', async () => {
    let tenure = await acquire()
    await clock.advance(20_000)
    const { quarantine } = store
    store.quarantine = async (write) => {
      await clock.sleep(900)
      const outcome = await leases.renew(tenure)
      if (outcome.kind !== 'renewed') throw new Error(outcome.kind)
      tenure = outcome.tenure
      return quarantine.call(store, write)
    }
    const outcome = await breakIt()
    if (outcome.kind !== 'broken') throw new Error(outcome.kind)
    const believesUntilMs = clock.now().wallMs + untilDeadlineMs(tenure.deadline, clock.now())
    expect(believesUntilMs).toBeGreaterThan(Date.UTC(2026, 0, 1) + 49_000)
    expect(outcome.safeAtMs).toBeGreaterThan(believesUntilMs)
  })

  it('is lost at the holder’s next renewal, and a waiter acquires it right after it is safe', async () => {
    const [holder, waiter] = [new Leases(options), new Leases(options)]
    const held = await clock.run(holder.acquire(name))
    const waiting = waiter.acquire(name, { waitMs: Number.POSITIVE_INFINITY })
    await clock.advance(1_000)
    const outcome = await new Operator(leases).break({ name, owner: held.owner }, { id })
    if (outcome.kind !== 'broken') throw new Error(outcome.kind)
    await clock.advance(10_000)
    expect(held.held).toBe(false)
    expect(held.signal.reason).toMatchObject({ reason: 'not-holder', holder: mark })
    const next = await clock.run(waiting)
    const lateMs = clock.now().wallMs - outcome.safeAtMs
    expect(lateMs).toBeGreaterThanOrEqual(0)
    expect(lateMs).toBeLessThan(100)
    await clock.run(next.release())
  })

  it('is soon read again by a waiter that tried too early by its coordinator’s clock', async () => {
    await acquire()
    const outcome = await breakIt()
    if (outcome.kind !== 'broken') throw new Error(outcome.kind)
    // Reads come from a coordinator that is ahead, writes from one that is not.
    let kind: StatementKind = 'read'
    store.fault = (asked) => {
      kind = asked
      return undefined
    }
    store.skewMs = () => (kind === 'read' ? 90 : 0)
    const lease = await clock.run(
      new Leases({ ...options, random: () => 1 }).acquire(name, { waitMs: 60_000 }),
    )
    expect(clock.now().wallMs - outcome.safeAtMs).toBeLessThan(100)
    await clock.run(lease.release())
  })

  it('is shown to a watcher as changed, then as free', async () => {
    await acquire()
    const seen: (string | null)[] = []
    const stop = new AbortController()
    const watching = (async () => {
      for await (const view of leases.watch(name, { signal: stop.signal })) seen.push(view?.owner ?? null)
    })()
    await clock.advance(500)
    expect((await breakIt()).kind).toBe('broken')
    await clock.advance(40_000)
    stop.abort()
    await clock.run(watching)
    expect(seen).toEqual(['old', mark, null])
  })
})

describe('a break that is refused', () => {
  it('sends nothing when the re-read shows another holder, none, or a quarantine', async () => {
    const kinds: StatementKind[] = []
    store.fault = (kind) => void kinds.push(kind)
    expect(await breakIt()).toEqual({ kind: 'holder-changed', owner: null, current: null })
    await acquire('new')
    kinds.length = 0
    expect(await breakIt()).toMatchObject({ kind: 'holder-changed', owner: 'new' })
    expect(kinds).toEqual(['read'])
  })

  it('names the holder when the store refused, also when the read after it fails', async () => {
    await acquire()
    const { quarantine } = store
    store.quarantine = async (write) => {
      store.plain.deleteIfOwner(name, 'old')
      store.plain.insertIfNotExists(name, 'new', null, 30)
      store.fault = (asked) => (asked === 'read' ? { kind: 'unavailable' } : undefined)
      return quarantine.call(store, write)
    }
    expect(await breakIt()).toEqual({ kind: 'holder-changed', owner: 'new', current: undefined })
  })

  it('by one clock as too late names no other holder, while the other clock shows the planned one', async () => {
    await acquire()
    store.quarantine = async () => ({ applied: false, found: null })
    expect(await breakIt()).toEqual({ kind: 'not-broken' })
  })

  it('for a lease without an expiry: no time is long enough', async () => {
    store.plain.insertForEver(name, 'old', null)
    await expect(breakIt()).rejects.toMatchObject({ code: 'invalid-argument', message: /has no expiry/ })
    expect((await leases.read(name))?.owner).toBe('old')
  })

  it('not for a TTL above a year: the quarantine is as long, and its margin', async () => {
    store.plain.insertIfNotExists(name, 'old', null, 63_072_000)
    const steps: BreakStep[] = []
    const outcome = await clock.run(
      new Operator(leases).break({ name, owner: 'old' }, { id }, (step) => steps.push(step)),
    )
    expect(outcome.kind).toBe('broken')
    const [sent] = steps.filter((step) => step.step === 'sent')
    expect(sent?.ttlSeconds).toBeGreaterThan(63_072_003)
  })

  it('for a TTL to which Cassandra lets no quarantine add its margin', async () => {
    store.plain.insertIfNotExists(name, 'old', null, 630_720_000)
    await expect(breakIt()).rejects.toMatchObject({ code: 'invalid-argument', message: /no quarantine/ })
    expect((await leases.read(name))?.owner).toBe('old')
  })

  it('for a row whose ballots are ahead of the clocks: its TTL cannot be computed', async () => {
    store.skewMs = () => 60_000
    await acquire()
    store.skewMs = () => 0
    await expect(breakIt()).rejects.toMatchObject({ code: 'invalid-argument', message: /ahead of/ })
  })

  it('in a table without an owner column, of another quarantine, and with an invalid id', async () => {
    const bare = new LeaseProtocol({
      ...options,
      store: new MemoryLeaseStore(clock, { owner: false, value: false }),
    })
    await expect(new Operator(bare).break({ name, owner: 'old' }, { id })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
    await expect(breakIt(mark)).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(new Operator(leases).break({ name, owner: 'old' }, { id: '' })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  })

  it('sends nothing when the holder cannot be read', async () => {
    await acquire()
    faults('read', { kind: 'unavailable' })
    await expect(breakIt()).rejects.toMatchObject({ code: 'store-unavailable' })
    expect((await leases.read(name))?.owner).toBe('old')
  })
})

describe('a break whose answer is lost', () => {
  it.each(['read', 'never'] as const)('is broken when a read shows our mark (%s)', async (finality) => {
    await acquire()
    faults('quarantine', lost(true, finality))
    expect(await breakIt()).toMatchObject({ kind: 'broken', view: { owner: mark } })
  })

  it('is broken when the mark lands late, and is sent once', async () => {
    await acquire()
    let sent = 0
    store.fault = (kind) => {
      if (kind === 'quarantine') sent++
      return kind === 'quarantine' ? { kind: 'late', afterMs: 12_000 } : undefined
    }
    expect((await breakIt()).kind).toBe('broken')
    expect(sent).toBe(1)
  })

  it('is not broken when the server gave up and a SERIAL read shows the holder', async () => {
    await acquire()
    faults('quarantine', lost(false, 'read'))
    expect(await breakIt()).toEqual({ kind: 'not-broken' })
  })

  it('is superseded when the planned holder is gone, and no mark is there', async () => {
    const tenure = await acquire()
    const { quarantine } = store
    store.quarantine = async (write) => {
      await leases.release(tenure)
      faults('quarantine', lost(true, 'never'))
      return quarantine.call(store, write)
    }
    expect(await breakIt()).toEqual({ kind: 'superseded' })
  })

  it('stays unknown when nothing final is seen within 30 s', async () => {
    let held = await acquire()
    const renewing = (async () => {
      for (let i = 0; i < 4; i++) {
        await clock.sleep(9_000)
        const outcome = await leases.renew(held)
        if (outcome.kind === 'renewed') held = outcome.tenure
      }
    })()
    faults('quarantine', lost(false, 'never'))
    expect(await breakIt()).toEqual({ kind: 'unknown' })
    await clock.run(renewing)
    expect((await leases.read(name))?.owner).toBe('old')
  })

  it('goes on reading while no node answers', async () => {
    await acquire()
    faults('quarantine', lost(true, 'never'))
    const steps: string[] = []
    faults('read', undefined, ...Array.from({ length: 5 }, (): Fault => ({ kind: 'unavailable' })))
    expect((await breakIt('old', ({ step }) => steps.push(step))).kind).toBe('broken')
    expect(steps).toEqual(['re-read', 'sent', 'answer-lost', 'read-again'])
  })
})

it('is broken although the mark cannot be read: then safeAtMs is the latest possible time', async () => {
  await acquire()
  faults('read', undefined, ...Array.from({ length: 50 }, (): Fault => ({ kind: 'unavailable' })))
  const outcome = await breakIt()
  expect(outcome).toMatchObject({ kind: 'broken', view: null })
  store.fault = () => undefined
  const expiresAtMs = (await leases.read(name))?.expiresAtMs as number
  if (outcome.kind === 'broken') {
    expect(outcome.safeAtMs).toBeGreaterThanOrEqual(expiresAtMs)
    expect(outcome.safeAtMs).toBeLessThanOrEqual(expiresAtMs + 1_000)
  }
})

it('is broken by a coordinator that is ahead, and the mark cannot be read: safeAtMs counts the skew', async () => {
  await acquire()
  await clock.advance(550)
  // The re-read is in second 0 by its coordinator. The one of the mark is in second 1 already, and the mark expires by that.
  store.fault = (kind) => {
    store.skewMs = () => (kind === 'quarantine' ? options.maxClockSkewMs : 0) as number
    return undefined
  }
  faults('read', undefined, ...Array.from({ length: 50 }, (): Fault => ({ kind: 'unavailable' })))
  const outcome = await breakIt()
  if (outcome.kind !== 'broken') throw new Error(outcome.kind)
  expect(outcome.view).toBeNull()
  store.fault = () => undefined
  store.skewMs = () => 0
  const expiresAtMs = (await leases.read(name))?.expiresAtMs as number
  expect(secondsFromStart(expiresAtMs)).toBe(1 + 35)
  expect(outcome.safeAtMs).toBe(expiresAtMs)
})

it.each([new StoreRefusedError('refused'), new ClosedError('closed'), new TypeError('of the driver')])(
  'is broken although the read of the mark fails for good: %s',
  async (failed) => {
    await acquire()
    const { quarantine } = store
    store.quarantine = async (write) => {
      const answer = await quarantine.call(store, write)
      store.read = () => Promise.reject(failed)
      return answer
    }
    expect(await breakIt()).toEqual({
      kind: 'broken',
      safeAtMs: Date.UTC(2026, 0, 1) + 35_000,
      view: null,
    })
  },
)

describe('what became of it, after a crash', () => {
  const findOut = (mode: 'kill' | 'break', sentAtMs?: number) => {
    const act = { name, owner: 'old', sentAtMs }
    return mode === 'kill'
      ? new Operator(leases).findOut({ ...act, mode })
      : new Operator(leases).findOut({ ...act, mode, id })
  }

  it('a mark proves its break', async () => {
    await acquire()
    const outcome = await breakIt()
    expect(await findOut('break')).toMatchObject({ ...outcome, view: { owner: mark } })
  })

  it('a planned owner that still holds the lease after forcedSettleMs was not released', async () => {
    await acquire()
    const sentAtMs = clock.now().wallMs
    await clock.advance(29_000)
    await acquire().catch(() => {})
    store.plain.insertIfNotExists(name, 'old', null, 30)
    for (const mode of ['kill', 'break'] as const) {
      expect(await findOut(mode, sentAtMs)).toEqual({ kind: 'unknown' })
      expect(await findOut(mode)).toEqual({ kind: 'unknown' })
    }
    store.plain.renewOwnerOnly(name, 'old', 30)
    await clock.advance(1_000)
    expect(await findOut('kill', sentAtMs)).toEqual({ kind: 'not-released' })
    expect(await findOut('break', sentAtMs)).toEqual({ kind: 'not-broken' })
  })

  it('any other row is superseded, also after a mark has expired', async () => {
    await acquire()
    await breakIt()
    await clock.advance(40_000)
    for (const mode of ['kill', 'break'] as const) expect(await findOut(mode)).toEqual({ kind: 'superseded' })
    await acquire('new')
    for (const mode of ['kill', 'break'] as const) expect(await findOut(mode)).toEqual({ kind: 'superseded' })
  })
})
