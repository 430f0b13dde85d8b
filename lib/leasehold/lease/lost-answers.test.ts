/** Lost answers, one by one, on the store in memory. Each case is a schedule that happened on a real cluster. */
import { beforeEach, describe, expect, it } from 'vitest'
import { Operator } from '../operator/index.ts'
import { FakeClock, type Fault, MemoryLeaseStore, type StatementKind } from '../testing/index.ts'
import { untilDeadlineMs } from '../time/index.ts'
import { LeaseProtocol, type Tenure } from './index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
const name = 'job'

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 400)
  store = new MemoryLeaseStore(clock)
  leases = new LeaseProtocol({
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 30,
  })
})

/** The next statements of a kind meet these faults, in this order. */
function faults(kind: StatementKind, ...list: ReturnType<typeof store.fault>[]): void {
  const before = store.fault
  store.fault = (asked, of) => (asked === kind && list.length > 0 ? list.shift() : before(asked, of))
}
const lost = (applied: boolean, finality: 'read' | 'never'): Fault => ({ kind: 'lost', applied, finality })

async function acquire(owner?: string): Promise<Tenure> {
  const outcome = await clock.run(leases.tryAcquire(name, owner === undefined ? {} : { owner }))
  if (outcome.kind !== 'acquired') throw new Error(`expected acquired, got ${outcome.kind}`)
  return outcome.tenure
}

describe('an acquisition whose answer is lost', () => {
  it.each(['read', 'never'] as const)('is ours when a read shows our id (%s)', async (finality) => {
    faults('acquire', lost(true, finality))
    const tenure = await acquire()
    expect((await leases.read(name))?.owner).toBe(tenure.owner)
    expect(tenure.token).toBe((await leases.read(name))?.version)
  })

  it('was renewed before it is handed out, because its time runs from the first send', async () => {
    faults('acquire', lost(false, 'never'), lost(true, 'never'))
    const kinds: StatementKind[] = []
    const before = store.fault
    store.fault = (kind, of) => {
      kinds.push(kind)
      return before(kind, of)
    }
    const started = clock.now().monotonicMs
    const tenure = await acquire()
    // What follows is the search for the first try, which may still appear when this tenure is over.
    expect(kinds.slice(0, 6)).toEqual(['acquire', 'read', 'acquire', 'read', 'renew', 'read'])
    expect(tenure.deadline.from.monotonicMs).toBeGreaterThan(started)
  })

  it('is tried again when the lease is free, and then is ours', async () => {
    faults('acquire', lost(false, 'never'), lost(false, 'read'))
    const { name, owner } = await acquire()
    expect((await leases.read(name))?.owner).toBe(owner)
  })

  it('is held by the rival, after the server’s own time-out', async () => {
    store.plain.insertIfNotExists(name, 'rival', null, 30)
    faults('acquire', lost(false, 'read'))
    expect(await clock.run(leases.tryAcquire(name))).toEqual({ kind: 'held', owner: 'rival' })
  })

  it('is unknown when a rival is seen after the client gave up: it may still appear', async () => {
    store.plain.insertIfNotExists(name, 'rival', null, 30)
    faults('acquire', lost(false, 'never'))
    await expect(clock.run(leases.tryAcquire(name))).rejects.toMatchObject({
      code: 'outcome-unknown',
      lease: name,
      message: expect.stringMatching(
        /It may still appear, about half a minute later at worst, and then blocks the name for up to 30 s\.$/,
      ),
    })
  })

  it('may appear later still when a server between sends statements again by itself', async () => {
    store.plain.insertIfNotExists(name, 'rival', null, 30)
    faults('acquire', lost(false, 'never'))
    Object.assign(store, { repeats: true })
    await expect(clock.run(leases.tryAcquire(name))).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringContaining(
        'It may still appear, a minute and a half later at worst, and then blocks',
      ),
    })
  })

  it('that lands 25 s late leaves a ghost for one TTL at most', async () => {
    store.plain.insertIfNotExists(name, 'rival', null, 20)
    faults('acquire', { kind: 'late', afterMs: 25_000 })
    await expect(clock.run(leases.tryAcquire(name, { owner: 'ghost' }))).rejects.toMatchObject({
      code: 'outcome-unknown',
      owner: 'ghost',
    })
    await clock.advance(26_000)
    expect((await leases.read(name))?.owner).toBe('ghost')
    await clock.advance(30_000)
    expect(await leases.read(name)).toBeNull()
  })

  it('is usually free again after one TTL where its token could not be read: a renewal may have come late', async () => {
    store.fault = (kind) => (kind === 'read' ? { kind: 'unavailable' } : undefined)
    await expect(clock.run(leases.tryAcquire(name))).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringMatching(/ It is released, or usually free again within 30 s\.$/),
    })
  })

  it('is not handed out with a token below a rival’s, when it expired and a late try came back', async () => {
    leases = new LeaseProtocol({
      store,
      clock,
      timer: clock,
      random: () => 0.5,
      maxClockSkewMs: 100,
      settleMs: 60_000,
    })
    // The first try is held back; the second one is applied, and its token is read so slowly that the deadline passes.
    faults('acquire', { kind: 'late', afterMs: 31_000 })
    const { read, renew } = store
    let reads = 0
    store.read = async (of) => {
      const answer = await read.call(store, of)
      if (++reads === 2) await clock.sleep(29_000)
      return answer
    }
    let rivalsToken: bigint | null = null
    store.renew = async (write) => {
      store.renew = renew
      await clock.sleep(1_000)
      const rival = await leases.tryAcquire(name, { owner: 'rival' })
      if (rival.kind !== 'acquired') throw new Error(rival.kind)
      rivalsToken = rival.tenure.token
      await leases.release(rival.tenure)
      // Meanwhile the first try lands: the row shows our id again.
      await clock.sleep(1_500)
      return renew.call(store, write)
    }
    // The try that landed late has another id: it is a ghost, which is found and released, and never this tenure.
    await expect(acquire()).rejects.toMatchObject({ code: 'outcome-unknown' })
    expect(rivalsToken).not.toBeNull()
    await clock.advance(30_000)
    expect((await leases.read(name))?.owner ?? null).toBeNull()
  })

  it.each([true, false])('goes on while the broken connection is not back (applied: %s)', async (applied) => {
    faults('acquire', lost(applied, 'never'), { kind: 'unavailable' }, { kind: 'unavailable' })
    faults('read', { kind: 'unavailable' })
    expect((await acquire()).token).not.toBeNull()
  })

  it('is reported as unavailable, not unknown, when nothing was sent', async () => {
    faults('acquire', { kind: 'unavailable' })
    await expect(clock.run(leases.tryAcquire(name))).rejects.toMatchObject({ code: 'store-unavailable' })
  })
})

describe('a renewal whose answer is lost', () => {
  it.each([true, false])('is sent again, and renews (applied: %s)', async (applied) => {
    const tenure = await acquire()
    faults('renew', lost(applied, 'never'))
    const outcome = await clock.run(leases.renew(tenure, { value: 'next' }))
    expect(outcome.kind).toBe('renewed')
    expect((await leases.read(name))?.value).toBe('next')
  })

  it('that may have been applied is renewed once more: when it was applied cannot be known', async () => {
    const tenure = await acquire()
    faults('renew', lost(true, 'never'))
    const outcome = await clock.run(leases.renew(tenure, { value: 'next' }))
    if (outcome.kind !== 'renewed') throw new Error(outcome.kind)
    const view = await leases.read(name)
    // The row outlives the deadline, by the second that whole-second expiry may take.
    const leftMs = untilDeadlineMs(outcome.tenure.deadline, clock.now())
    expect((view?.expiresAtMs ?? 0) - clock.now().wallMs).toBeGreaterThan(leftMs)
  })

  it('cannot be mistaken for the wanted one, when a late renewal has set the same value long ago', async () => {
    let tenure = await acquire()
    const to = async (value: string) => {
      const outcome = await clock.run(leases.renew(tenure, { value }))
      if (outcome.kind !== 'renewed') throw new Error(outcome.kind)
      tenure = outcome.tenure
    }
    await to('A')
    // The first try of A to B is held back; its retry is applied. Then back to A, and the first try lands: B.
    faults('renew', { kind: 'late', afterMs: 1_000 })
    await to('B')
    await to('A')
    await clock.advance(2_000)
    expect((await leases.read(name))?.value).toBe('B')
    await clock.advance(9_000)
    faults('renew', lost(false, 'never'))
    await to('B')
    const view = await leases.read(name)
    const leftMs = untilDeadlineMs(tenure.deadline, clock.now())
    expect((view?.expiresAtMs ?? 0) - clock.now().wallMs).toBeGreaterThan(leftMs)
  })

  it('is no renewal when its answer comes after the deadline', async () => {
    const tenure = await acquire()
    await clock.advance(28_890)
    const { renew } = store
    store.renew = async (write) => {
      const answer = await renew.call(store, write)
      await clock.sleep(50)
      return answer
    }
    expect(await clock.run(leases.renew(tenure))).toEqual({ kind: 'lost', why: 'deadline', owner: null })
  })

  it('is unknown when no answer comes, and the tenure ends at its deadline', async () => {
    const tenure = await acquire()
    store.fault = (kind) => (kind === 'renew' ? lost(false, 'never') : undefined)
    await expect(clock.run(leases.renew(tenure))).rejects.toMatchObject({ code: 'outcome-unknown' })
    await clock.advance(untilDeadlineMs(tenure.deadline, clock.now()))
    expect(await clock.run(leases.renew(tenure))).toEqual({ kind: 'lost', why: 'deadline', owner: null })
  })

  it('that lands late cannot bring back an older value', async () => {
    let tenure = await acquire()
    faults('renew', { kind: 'late', afterMs: 5_000 })
    for (const value of ['first', 'second']) {
      const outcome = await clock.run(leases.renew(tenure, { value }))
      if (outcome.kind !== 'renewed') throw new Error(outcome.kind)
      tenure = outcome.tenure
    }
    await clock.advance(6_000)
    expect((await leases.read(name))?.value).toBe('second')
  })
})

describe('a release whose answer is lost', () => {
  it.each([true, false])('is sent again, and releases (applied: %s)', async (applied) => {
    const tenure = await acquire()
    faults('release', lost(applied, 'never'))
    expect(await clock.run(leases.release(tenure))).toEqual({ kind: 'released', certain: !applied })
    expect(await leases.read(name)).toBeNull()
  })

  it('is sent again to a coordinator that was silent for 20 s', async () => {
    const tenure = await acquire()
    faults('release', { kind: 'delayed', queuedMs: 90_000 })
    expect(await clock.run(leases.release(tenure))).toEqual({ kind: 'released', certain: true })
    expect(await leases.read(name)).toBeNull()
    expect(clock.now().monotonicMs).toBeLessThan(21_000)
  })

  it('that lands 25 s late releases no other tenure, because no id is used twice', async () => {
    const old = await acquire()
    faults('release', { kind: 'late', afterMs: 25_000 })
    await clock.run(leases.release(old))
    const next = await acquire()
    expect(next.owner).not.toBe(old.owner)
    await clock.advance(26_000)
    expect((await leases.read(name))?.owner).toBe(next.owner)
  })
})

describe('a table without an owner column', () => {
  beforeEach(() => {
    store = new MemoryLeaseStore(clock, { owner: false, value: false })
    leases = new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
  })

  it('is acquired once, and has neither token nor renewal', async () => {
    const tenure = await acquire()
    expect(tenure.token).toBeNull()
    expect(await clock.run(leases.tryAcquire(name))).toEqual({ kind: 'held', owner: null })
    await expect(clock.run(leases.renew(tenure))).rejects.toMatchObject({ code: 'invalid-argument' })
  })

  it('sends its delete once: a second one could hit the next holder', async () => {
    const tenure = await acquire()
    faults('release', lost(true, 'never'))
    const before = store.sent
    await expect(clock.run(leases.release(tenure))).rejects.toMatchObject({ code: 'outcome-unknown' })
    expect(store.sent - before).toBe(1)
  })

  it('does not know whose row it finds after a lost answer', async () => {
    faults('acquire', lost(true, 'never'))
    await expect(clock.run(leases.tryAcquire(name))).rejects.toMatchObject({ code: 'outcome-unknown' })
  })
})

describe('a store that goes away in the middle', () => {
  it('does not keep a renewal trying until a deadline that is hours away', async () => {
    const outcome = await clock.run(leases.tryAcquire(name, { ttlSeconds: 86_400 }))
    if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
    const started = clock.now().monotonicMs
    store.fault = () => ({ kind: 'unavailable' })
    await expect(clock.run(leases.renew(outcome.tenure))).rejects.toMatchObject({ code: 'outcome-unknown' })
    expect(clock.now().monotonicMs - started).toBeLessThan(21_000)
  })
})

describe('a kill whose answer is lost', () => {
  const kill = (owner: string) => clock.run(new Operator(leases).kill({ name, owner }))

  it('is superseded when the holder is gone: what ended its tenure is unknown', async () => {
    await acquire('old')
    faults('release', lost(true, 'never'))
    expect(await kill('old')).toEqual({ kind: 'superseded' })
  })

  it('is not released when the server gave up and a SERIAL read shows the holder', async () => {
    await acquire('old')
    faults('release', lost(false, 'read'))
    expect(await kill('old')).toEqual({ kind: 'not-released' })
  })

  it('is superseded when the delete lands late, and is sent once', async () => {
    await acquire('old')
    let deletes = 0
    store.fault = (kind) => {
      if (kind === 'release') deletes++
      return kind === 'release' ? { kind: 'late', afterMs: 12_000 } : undefined
    }
    expect(await kill('old')).toEqual({ kind: 'superseded' })
    expect(deletes).toBe(1)
  })

  it('stays unknown when nothing final is seen within 30 s', async () => {
    const tenure = await acquire('old')
    const renewing = (async () => {
      let held = tenure
      for (let i = 0; i < 4; i++) {
        await clock.sleep(9_000)
        const outcome = await leases.renew(held)
        if (outcome.kind === 'renewed') held = outcome.tenure
      }
    })()
    faults('release', lost(false, 'never'))
    expect(await kill('old')).toEqual({ kind: 'unknown' })
    await clock.run(renewing)
    expect((await leases.read(name))?.owner).toBe('old')
  })

  it('says who holds it when it was refused, and no less when that cannot be read again', async () => {
    await acquire('old')
    const { release } = store
    store.release = async (write) => {
      store.plain.deleteIfOwner(name, 'old')
      store.plain.insertIfNotExists(name, 'new', null, 30)
      store.fault = (asked) => (asked === 'read' ? { kind: 'unavailable' } : undefined)
      return release.call(store, write)
    }
    expect(await kill('old')).toEqual({ kind: 'holder-changed', owner: 'new', current: undefined })
  })

  it('sends no delete at all when the re-read shows another holder, or none', async () => {
    const kinds: StatementKind[] = []
    store.fault = (kind) => {
      kinds.push(kind)
      return undefined
    }
    expect(await kill('old')).toEqual({ kind: 'holder-changed', owner: null, current: null })
    await acquire('new')
    kinds.length = 0
    expect(await kill('old')).toMatchObject({ kind: 'holder-changed', owner: 'new' })
    expect(kinds).toEqual(['read'])
  })

  it('sends nothing when the holder cannot be read', async () => {
    await acquire('old')
    faults('read', { kind: 'unavailable' })
    await expect(kill('old')).rejects.toMatchObject({ code: 'store-unavailable' })
    expect((await leases.read(name))?.owner).toBe('old')
  })
})
