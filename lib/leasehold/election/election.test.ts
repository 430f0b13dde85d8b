import { beforeEach, describe, expect, it } from 'vitest'
import { LeaseHeldError, LeaseLostError, Leases } from '../lease/index.ts'
import { Operator } from '../operator/index.ts'
import { FakeClock, MemoryLeaseStore, MemoryResignRequests, MemoryTermStore } from '../testing/index.ts'
import { Election, type Leadership } from './index.ts'
import { candidate, group, type Shared } from './test-candidate.ts'

let shared: Shared
let clock: FakeClock
let store: MemoryLeaseStore
let terms: MemoryTermStore
let one: ReturnType<typeof candidate>
let two: ReturnType<typeof candidate>

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  terms = new MemoryTermStore(clock)
  shared = { clock, store, terms }
  one = candidate(shared)
  two = candidate(shared)
})
const campaign = (by: typeof one, options: Parameters<Election['campaign']>[0] = {}) =>
  clock.run(by.election.campaign(options))

describe('a campaign', () => {
  it('is won by a candidate alone, who has the first term', async () => {
    const led = await campaign(one, { value: 'http://one' })
    expect(led).toMatchObject({ group, term: 1n, held: true, value: 'http://one' })
    expect(await one.election.leader()).toMatchObject({
      group,
      owner: led.owner,
      value: 'http://one',
      term: 1n,
      token: led.token,
      sinceMs: expect.any(Number),
      expiresAtMs: expect.any(Number),
    })
    expect(led.remainingMs).toBeGreaterThan(8_000)
    expect(led.deadlineMs).toBe(clock.now().monotonicMs + led.remainingMs)
  })

  it('is won by one of two candidates; the other follows when that one resigns, with a greater term and token', async () => {
    const first = await campaign(one)
    const { token } = first
    let second: Leadership | undefined
    const waiting = two.election.campaign().then((leadership) => {
      second = leadership
    })
    await clock.advance(60_000)
    expect(second).toBeUndefined()
    expect(first.held).toBe(true)
    await clock.run(first.resign())
    expect(first.held).toBe(false)
    expect(first.signal.reason).toBeInstanceOf(LeaseLostError)
    await clock.advance(300)
    await waiting
    expect(second?.term).toBe(2n)
    expect(second?.token).toBeGreaterThan(token)
  })

  it('says who leads when the waiting is over', async () => {
    const led = await campaign(one)
    await expect(campaign(two, { waitMs: 1_000 })).rejects.toMatchObject({ holder: led.owner })
    await expect(campaign(two, { waitMs: 0 })).rejects.toBeInstanceOf(LeaseHeldError)
  })

  it('that is aborted while it waits leaves nothing behind', async () => {
    const led = await campaign(one)
    const abort = new AbortController()
    const waiting = two.election.campaign({ signal: abort.signal })
    const settled = expect(waiting).rejects.toThrow('changed my mind')
    await clock.advance(1_000)
    abort.abort(new Error('changed my mind'))
    await clock.advance(0)
    await settled
    await clock.run(led.resign())
    const { sent } = store
    await clock.advance(60_000)
    expect(store.sent).toBe(sent)
    expect(terms.history).toHaveLength(1)
    expect(await one.election.leader()).toBeNull()
  })

  it('that is aborted while its term begins releases the lease', async () => {
    const abort = new AbortController()
    terms.fault = () => ({ kind: 'unavailable' })
    const waiting = one.election.campaign({ signal: abort.signal })
    const settled = expect(waiting).rejects.toThrow('changed my mind')
    await clock.advance(1_000)
    expect((await store.read(group)).cells).not.toBeNull()
    abort.abort(new Error('changed my mind'))
    await clock.advance(100)
    await settled
    expect((await store.read(group)).cells).toBeNull()
  })

  it('that can begin no term resigns, and says why', async () => {
    terms.fault = () => ({ kind: 'unavailable' })
    await expect(campaign(one)).rejects.toMatchObject({ code: 'store-unavailable' })
    expect((await store.read(group)).cells).toBeNull()
  })

  it.each([
    ['is away', 0],
    ['is silent', 0],
    ['is away', 4_000],
  ])(
    'whose store of terms %s ends 3 s after its waitMs, not after 20 s, and resigns (waitMs: %i)',
    async (how, waitMs) => {
      const began = clock.now().monotonicMs
      if (how === 'is away') terms.fault = () => ({ kind: 'unavailable' })
      else terms.read = () => new Promise(() => {})
      const ended: Promise<unknown> =
        waitMs === 0 ? one.election.tryCampaign() : one.election.campaign({ waitMs })
      await expect(clock.run(ended)).rejects.toMatchObject({
        code: 'store-unavailable',
        mayHaveHappened: true,
      })
      expect(clock.now().monotonicMs - began).toBe(3_000 + waitMs)
      await clock.advance(100)
      expect((await store.read(group)).cells).toBeNull()
    },
  )

  it('whose term is slow keeps to its time when it had to wait for the lease first', async () => {
    const led = await campaign(two)
    const began = clock.now().monotonicMs
    const ended = one.election.campaign({ waitMs: 5_000 })
    ended.catch(() => {})
    await clock.advance(4_500)
    await clock.run(led.resign())
    terms.fault = () => ({ kind: 'unavailable' })
    await expect(clock.run(ended)).rejects.toMatchObject({ code: 'store-unavailable' })
    expect(clock.now().monotonicMs - began).toBe(8_000)
  })

  it('whose lease is lost before its term begins throws the loss, and hands out nothing', async () => {
    terms.fault = () => ({ kind: 'unavailable' })
    const waiting = one.election.campaign()
    const settled = expect(waiting).rejects.toMatchObject({ code: 'lease-lost', reason: 'not-holder' })
    await clock.advance(1_000)
    const owner = (await store.read(group)).cells?.owner
    store.plain.deleteIfOwner(group, owner as string)
    await clock.advance(4_000)
    await settled
  })

  it('whose term begins while the machine sleeps past the deadline hands out nothing', async () => {
    terms.fault = (kind) => {
      if (kind === 'begin') clock.suspend(20_000)
      return undefined
    }
    await expect(campaign(one)).rejects.toMatchObject({ code: 'lease-lost', reason: 'deadline' })
  })

  it('goes on through lost answers and a store that is away, while there is time', async () => {
    const faults = [
      { kind: 'lost', applied: false, finality: 'never' },
      { kind: 'unavailable' },
      { kind: 'unavailable' },
    ] as const
    let next = 0
    store.fault = (kind) => (kind === 'acquire' ? faults[next++] : undefined)
    expect((await campaign(one)).term).toBe(1n)
    store.fault = () => ({ kind: 'unavailable' })
    await expect(campaign(two, { waitMs: 5_000 })).rejects.toMatchObject({ code: 'store-unavailable' })
  })

  it('counts no terms without a table of terms', async () => {
    const election = new Election({ leases: one.leases, group })
    const led = await clock.run(election.campaign())
    expect(led.term).toBeNull()
    expect(await election.leader()).toMatchObject({
      owner: led.owner,
      term: null,
      token: null,
      sinceMs: null,
    })
    expect(terms.history).toEqual([])
  })
})

describe('a leadership', () => {
  it('is kept alive, and lost at its deadline when the store is away', async () => {
    const led = await campaign(one)
    await clock.advance(60_000)
    expect(led.held).toBe(true)
    store.fault = () => ({ kind: 'unavailable' })
    await clock.advance(9_000)
    expect(led.held).toBe(false)
    expect(led.remainingMs).toBe(0)
    expect(() => led.token).toThrow(LeaseLostError)
    expect(() => led.throwIfLost()).toThrow(/deadline/)
    expect(led.signal.reason).toMatchObject({ reason: 'deadline' })
  })

  it('proclaims a value', async () => {
    const led = await campaign(one, { value: 'a' })
    await clock.run(led.proclaim('b'))
    expect(led.value).toBe('b')
    expect(await two.election.leader()).toMatchObject({ value: 'b', owner: led.owner, term: 1n })
  })

  it('resigns at the end of its block', async () => {
    const block = async () => {
      await using led = await one.election.campaign()
      expect(led.held).toBe(true)
    }
    await clock.run(block())
    expect(await one.election.leader()).toBeNull()
  })

  it('refuses to proclaim a value where the table has no column for it', async () => {
    shared.store = new MemoryLeaseStore(clock, { owner: true, value: false })
    const narrow = candidate(shared)
    await expect(campaign(narrow, { value: 'v' })).rejects.toMatchObject({ code: 'invalid-argument' })
    const led = await campaign(narrow)
    await expect(led.proclaim('v')).rejects.toThrow(/no value column/)
  })
})

describe('a leader that is asked to resign', () => {
  const requestTo = (owner: string) => ({
    id: 'r1',
    name: group,
    owner,
    requestedBy: 'ana',
    reason: 'INC-2214',
    requestedAtMs: clock.now().wallMs,
  })
  const asked = () => {
    const resignRequests = new MemoryResignRequests(clock)
    const options = {
      store,
      clock,
      timer: clock,
      random: () => 0.5,
      maxClockSkewMs: 100,
      defaultTtlSeconds: 10,
    }
    const leases = new Leases({ ...options, resignRequests })
    return { resignRequests, election: new Election({ leases, group, terms: one.terms }) }
  }

  it('resigns, and another one follows', async () => {
    const { resignRequests, election } = asked()
    const led = await clock.run(election.campaign())
    const waiting = two.election.campaign()
    await resignRequests.ask(requestTo(led.owner))
    const second = await clock.run(waiting)
    expect(led.signal.reason).toMatchObject({ reason: 'resign-requested', cause: { requestedBy: 'ana' } })
    expect(second.term).toBe(2n)
  })

  it('winds up first where it says so, also when it is asked before its term has begun', async () => {
    const { resignRequests, election } = asked()
    let beginsMs = 4_000
    terms.fault = (kind) => {
      if (kind === 'begin' && clock.now().monotonicMs < beginsMs) return { kind: 'unavailable' }
      return undefined
    }
    beginsMs += clock.now().monotonicMs
    const heard: (bigint | null)[] = []
    const campaigning = election.campaign({
      onResignRequested: async (_request, leadership) => {
        await clock.sleep(20_000)
        heard.push(leadership.held ? leadership.term : null)
        await leadership.resign()
      },
    })
    await clock.advance(500)
    await resignRequests.ask(requestTo((await store.read(group)).cells?.owner as string))
    const led = await clock.run(campaigning)
    expect(led.held).toBe(true)
    await clock.advance(30_000)
    expect(heard).toEqual([1n])
    expect(await one.election.leader()).toBeNull()
  })
})

it('a leader whose lease is broken is followed when it is safe, and not before', async () => {
  const led = await campaign(one)
  const waiting = two.election.campaign()
  await clock.advance(500)
  const outcome = await new Operator(one.leases.protocol).break(
    { name: group, owner: led.owner },
    { id: 'p' },
  )
  if (outcome.kind !== 'broken') throw new Error(outcome.kind)
  expect(await two.election.leader()).toBeNull()
  await clock.advance(outcome.safeAtMs - clock.now().wallMs - 1)
  expect(led.held).toBe(false)
  expect(await two.election.leader()).toBeNull()
  expect((await clock.run(waiting)).term).toBe(2n)
  expect(clock.now().wallMs - outcome.safeAtMs).toBeLessThan(100)
})

it('a quarantined lease has no leader', async () => {
  store.plain.insertIfNotExists(group, '!quarantine:7', null, 30)
  expect(await one.election.leader()).toBeNull()
})

it('a leader that speaks plain CQL has no term', async () => {
  await clock.run((await campaign(one)).resign())
  store.plain.insertIfNotExists(group, 'plain', 'v', 30)
  expect(await one.election.leader()).toMatchObject({ owner: 'plain', value: 'v', term: null, token: null })
})
