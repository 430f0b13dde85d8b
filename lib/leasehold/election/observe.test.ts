import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore, MemoryTermStore } from '../testing/index.ts'
import { Election, type Leadership, type Observation } from './index.ts'
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

/** Sleeps of the observer that have not ended. */
let asleep: number
function observe(signal?: AbortSignal, election?: Election) {
  asleep = 0
  const observer = candidate({ ...shared, clock: counting() })
  const state = { observations: [] as Observation[], ended: false, thrown: undefined as unknown }
  const run = async () => {
    const watched = (election ?? observer.election).observe(signal === undefined ? {} : { signal })
    for await (const observation of watched) state.observations.push(observation)
    state.ended = true
  }
  run().catch((thrown) => {
    state.thrown = thrown
  })
  return state
}
const counting = () =>
  ({
    now: () => clock.now(),
    sleep: async (ms: number, signal?: AbortSignal) => {
      asleep++
      await clock.sleep(ms, signal)
      asleep--
    },
  }) as FakeClock
/** The leader changes its value every 250 ms, and the observer has seen the last one. */
async function changesFor(changes: number, led: Leadership): Promise<void> {
  for (let change = 1; change <= changes; change++) {
    await clock.run(led.proclaim(`${change}`))
    await clock.advance(250)
  }
}
const short = (observation: Observation) =>
  observation.kind === 'leader'
    ? [observation.leader.value, observation.leader.term]
    : ['vacant', observation.last?.term ?? null]

describe('an observer', () => {
  it('sees a leader, a value, a vacancy, and the next leader with a greater term and token', async () => {
    const seen = observe()
    await clock.advance(500)
    const first = await clock.run(one.election.campaign({ value: 'a' }))
    const { token } = first
    await clock.advance(500)
    await clock.run(first.proclaim('b'))
    await clock.advance(500)
    await clock.run(first.resign())
    await clock.advance(500)
    const second = await clock.run(two.election.campaign({ value: 'c' }))
    await clock.advance(500)
    expect(seen.observations.map(short)).toEqual([
      ['vacant', null],
      ['a', 1n],
      ['b', 1n],
      ['vacant', 1n],
      ['c', 2n],
    ])
    const last = seen.observations.at(-1)
    expect(last).toMatchObject({ leader: { owner: second.owner, token: second.token, group } })
    expect(second.token).toBeGreaterThan(token)
  })

  it('sees the vacancy of a leader that died, after the expiry and not before', async () => {
    const dead = await one.leases.protocol.tryAcquire(group, { ttlSeconds: 4 })
    if (dead.kind !== 'acquired') throw new Error(dead.kind)
    const seen = observe()
    const expiresAtMs = dead.seen?.expiresAtMs as number
    await clock.advance(expiresAtMs - clock.now().wallMs - 1)
    expect(seen.observations.map(({ kind }) => kind)).toEqual(['leader'])
    await clock.advance(200)
    expect(seen.observations.map(({ kind }) => kind)).toEqual(['leader', 'vacant'])
  })

  it('does not see renewals', async () => {
    await clock.run(one.election.campaign())
    const seen = observe()
    await clock.advance(120_000)
    expect(seen.observations).toHaveLength(1)
  })

  it('sees a leader once its term has begun', async () => {
    terms.fault = (kind) => (kind === 'begin' ? { kind: 'unavailable' } : undefined)
    const campaign = one.election.campaign({ value: 'a' })
    await clock.advance(0)
    const seen = observe()
    await clock.advance(1_000)
    expect(seen.observations).toEqual([])
    terms.fault = () => undefined
    await clock.advance(1_000)
    expect(seen.observations.map(short)).toEqual([['a', 1n]])
    await campaign
  })

  it('shows a leader that counts no terms, soon, and the next one too', async () => {
    store.plain.insertIfNotExists(group, 'plain', 'p', 60)
    const seen = observe()
    await clock.advance(1_900)
    expect(seen.observations).toEqual([])
    await clock.advance(600)
    expect(seen.observations.map(short)).toEqual([['p', null]])
    store.plain.deleteIfOwner(group, 'plain')
    store.plain.insertIfNotExists(group, 'plainer', 'q', 60)
    await clock.advance(500)
    store.plain.deleteIfOwner(group, 'plainer')
    await clock.advance(500)
    // The second leader resigned while the observer still waited for its term.
    expect(seen.observations.map(short)).toEqual([
      ['p', null],
      ['vacant', null],
    ])
  })

  it('shows a leader that counts no terms and changes its value each second', async () => {
    const plain = new Election({ leases: one.leases, group })
    const led = await clock.run(plain.campaign({ value: '0' }))
    const seen = observe()
    for (let value = 1; value <= 6; value++) {
      await clock.advance(1_000)
      await clock.run(led.proclaim(`${value}`))
    }
    await clock.advance(500)
    // The first 2 s go by in the wait for its term; the third value may end that wait.
    const values = seen.observations.map(short).map(([value]) => value)
    expect(values.slice(-4)).toEqual(['3', '4', '5', '6'])
    expect(values.length).toBeLessThanOrEqual(5)
  })

  it('shows each change of a leader that counts no terms at once, after the first', async () => {
    const plain = new Election({ leases: one.leases, group })
    const led = await clock.run(plain.campaign({ value: 'a' }))
    const seen = observe()
    await clock.advance(3_000)
    await clock.run(led.proclaim('b'))
    await clock.advance(500)
    expect(seen.observations.map(short)).toEqual([
      ['a', null],
      ['b', null],
    ])
  })

  it('shows the term of a leader that began it late with the next change', async () => {
    terms.fault = (kind) => (kind === 'begin' ? { kind: 'unavailable' } : undefined)
    const campaign = one.election.campaign({ value: 'a' })
    await clock.advance(0)
    const seen = observe()
    await clock.advance(3_000)
    terms.fault = () => undefined
    const led = await clock.run(campaign)
    await clock.run(led.proclaim('b'))
    await clock.advance(500)
    expect(seen.observations.map(short)).toEqual([
      ['a', null],
      ['b', 1n],
    ])
  })

  describe.each([0, 150, 300, 600])('whose store answers after %i ms', (answerMs) => {
    let asked: number
    beforeEach(() => {
      asked = 0
      const { read } = terms
      terms.read = async (...args) => {
        asked++
        const last = await read.apply(terms, args)
        await clock.sleep(answerMs)
        return last
      }
    })

    it('shows a leader that changes its value every 250 ms', async () => {
      const led = await clock.run(one.election.campaign({ value: '0' }))
      asked = 0
      const seen = observe()
      await changesFor(20, led)
      expect(seen.observations.length).toBeGreaterThanOrEqual(15)
      expect(new Set(seen.observations.map(short).map(([, term]) => term))).toEqual(new Set([1n]))
      expect(short(seen.observations.at(-1) as Observation)).toEqual(['20', 1n])
      expect(asked).toBe(1)
    })

    it('shows one that counts no terms, too, from 2 s on', async () => {
      const led = await clock.run(new Election({ leases: one.leases, group }).campaign({ value: '0' }))
      const seen = observe()
      await changesFor(8, led)
      expect(seen.observations).toEqual([])
      await changesFor(40, led)
      // Each answer serves one view at least.
      expect(seen.observations.length).toBeGreaterThanOrEqual(10)
      expect(seen.observations.map(short).every(([, term]) => term === null)).toBe(true)
    })
  })

  it('shows a vacancy with the last term that had begun by then, not with an answer from before', async () => {
    const seen = observe()
    await clock.advance(500)
    const { read } = terms
    let delayMs = 1_000
    terms.read = async (...args) => {
      const last = await read.apply(terms, args)
      await clock.sleep(delayMs)
      return last
    }
    // The row of a quarantine: a vacancy, and the question for its last term is under way.
    store.plain.insertIfNotExists(group, '!quarantine:plan', null, 60)
    await clock.advance(200)
    delayMs = 0
    await clock.run(candidate(shared).terms.begin({ name: group, owner: 'brief', token: 9n, ttlSeconds: 10 }))
    store.plain.deleteIfOwner(group, '!quarantine:plan')
    await clock.advance(2_000)
    expect(short(seen.observations.at(-1) as Observation)).toEqual(['vacant', 1n])
  })

  it('waits for no term when the election counts none', async () => {
    store.plain.insertIfNotExists(group, 'plain', 'p', 60)
    const seen = observe(undefined, new Election({ leases: one.leases, group }))
    await clock.advance(0)
    expect(seen.observations.map(short)).toEqual([['p', null]])
  })

  it('goes on while the store is unavailable, and does not take silence for a vacancy', async () => {
    const led = await clock.run(one.election.campaign({ value: 'a' }))
    const seen = observe()
    await clock.advance(500)
    store.fault = () => ({ kind: 'unavailable' })
    terms.fault = () => ({ kind: 'unavailable' })
    await clock.advance(30_000)
    expect(led.held).toBe(false)
    expect(seen.observations).toHaveLength(1)
    store.fault = () => undefined
    await clock.advance(5_000)
    expect(seen.observations).toHaveLength(1)
    terms.fault = () => undefined
    await clock.advance(1_000)
    expect(seen.observations.map(short)).toEqual([
      ['a', 1n],
      ['vacant', 1n],
    ])
  })

  it.each([
    ['while it watches', () => {}],
    [
      'while it waits for a term',
      () => {
        store.plain.insertIfNotExists(group, 'plain', 'p', 60)
      },
    ],
    [
      'while the store is unavailable',
      () => {
        store.fault = () => ({ kind: 'unavailable' })
      },
    ],
  ])('ends when its signal aborts %s, with no timer left', async (_when, arrange) => {
    arrange()
    const abort = new AbortController()
    const seen = observe(abort.signal)
    await clock.advance(1_000)
    expect(asleep).toBeGreaterThan(0)
    abort.abort()
    await clock.advance(0)
    expect(seen).toMatchObject({ ended: true, thrown: undefined })
    expect(asleep).toBe(0)
    const { sent } = store
    await clock.advance(60_000)
    expect(store.sent).toBe(sent)
  })

  it('ends when the loop is left, with no timer left', async () => {
    store.plain.insertIfNotExists(group, 'plain', 'p', 600)
    asleep = 0
    const observer = candidate({ ...shared, clock: counting() })
    const run = async () => {
      for await (const observation of observer.election.observe()) return observation
      return undefined
    }
    expect((await clock.run(run()))?.kind).toBe('leader')
    await clock.advance(0)
    expect(asleep).toBe(0)
    const { sent } = store
    await clock.advance(60_000)
    expect(store.sent).toBe(sent)
  })

  it('sends no statement when its signal was aborted before', async () => {
    const seen = observe(AbortSignal.abort())
    await clock.advance(1_000)
    expect(seen).toMatchObject({ ended: true, observations: [] })
    expect(store.sent).toBe(0)
  })

  it('throws what no retry removes, also while it waits for a term', async () => {
    store.plain.insertIfNotExists(group, 'plain', 'p', 60)
    const refusal = Object.assign(new Error('no such table'), { code: 'store-refused' })
    const seen = observe()
    await clock.advance(500)
    store.hint = async () => {
      throw refusal
    }
    await clock.advance(500)
    expect(seen.thrown).toBe(refusal)
    expect(asleep).toBe(0)
  })
})
