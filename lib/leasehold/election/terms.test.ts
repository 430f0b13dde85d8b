import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock, type Fault, MemoryTermStore, termContract } from '../testing/index.ts'
import { StoredTerms } from './index.ts'

let clock: FakeClock
let store: MemoryTermStore
let terms: StoredTerms
const group = 'billing/leader'
const one = { name: group, owner: 'one', token: 10n, ttlSeconds: 30 }
const two = { name: group, owner: 'two', token: 20n, ttlSeconds: 30 }

beforeEach(() => {
  clock = new FakeClock()
  store = new MemoryTermStore(clock)
  terms = new StoredTerms({ store, clock, timer: clock, random: () => 0.5 })
})

/** The next statements of a kind meet these faults, in this order. */
function faults(kind: 'read' | 'begin', ...list: (Fault | undefined)[]): void {
  const before = store.fault
  store.fault = (asked) => (asked === kind && list.length > 0 ? list.shift() : before(asked))
}
const begin = (tenure: typeof one) => clock.run(terms.begin(tenure))
const numbers = () => store.history.map(({ term, leader }) => [term, leader])

describe('the store of terms in memory keeps the contract', () => {
  for (const { title, run } of termContract) it(title, () => run(store, group))
})

describe('a term', () => {
  it('is counted from 1, one by one, with its leader, token and beginning', async () => {
    expect(await terms.last(group)).toBeNull()
    expect(await begin(one)).toEqual({ term: 1n, leader: 'one', token: 10n, sinceMs: clock.now().wallMs })
    await clock.advance(5_000)
    const second = { term: 2n, leader: 'two', token: 20n, sinceMs: clock.now().wallMs }
    expect(await begin(two)).toEqual(second)
    expect(await terms.last(group)).toEqual(second)
  })

  it('does not begin below zero after the last one that its row can hold', async () => {
    await store.begin(group, null, { term: 2n ** 63n - 1n, leader: 'planted', token: 1n, sinceMs: 0 })
    await expect(begin(one)).rejects.toMatchObject({ code: 'store-refused' })
    expect((await terms.last(group))?.leader).toBe('planted')
  })

  it('is the same when its leader begins it again', async () => {
    const first = await begin(one)
    await clock.advance(1_000)
    expect(await begin(one)).toEqual(first)
    expect(store.history).toHaveLength(1)
  })

  it('is the next one for another tenure of an owner id that is used twice', async () => {
    await begin(one)
    expect(await begin({ ...one, token: 15n })).toMatchObject({ term: 2n, leader: 'one', token: 15n })
    await expect(begin(one)).rejects.toMatchObject({ code: 'lease-lost', reason: 'superseded' })
  })

  it('is one alone for an owner id that has one tenure, whatever token is named', async () => {
    const first = await begin(one)
    for (const token of [9n, 15n])
      expect(await clock.run(terms.begin({ ...one, token }, { ownerIsUnique: true }))).toEqual(first)
    expect(store.history).toHaveLength(1)
  })

  it.each([9n, 20n])('is refused to a stale leader, whose token is %s', async (token) => {
    await begin(two)
    await expect(begin({ ...one, token })).rejects.toMatchObject({
      code: 'lease-lost',
      reason: 'superseded',
      holder: 'two',
    })
    expect(numbers()).toEqual([[1n, 'two']])
  })

  it('is refused to a leader that another one overtook between its read and its write', async () => {
    store.fault = (kind) => {
      if (kind === 'begin' && store.history.length === 0) {
        store.fault = () => undefined
        void store.begin(group, null, { term: 1n, leader: 'two', token: 20n, sinceMs: 0 })
      }
      return undefined
    }
    await expect(begin(one)).rejects.toMatchObject({ code: 'lease-lost' })
    expect(numbers()).toEqual([[1n, 'two']])
  })

  it('follows the term that refused the first try', async () => {
    store.fault = (kind) => {
      if (kind === 'begin' && store.history.length === 0) {
        store.fault = () => undefined
        void store.begin(group, null, { term: 1n, leader: 'zero', token: 5n, sinceMs: 0 })
      }
      return undefined
    }
    expect((await begin(one)).term).toBe(2n)
  })
})

describe('a term whose answer is lost', () => {
  it.each(['read', 'never'] as const)('and that was written, is begun once (%s)', async (finality) => {
    faults('begin', { kind: 'lost', applied: true, finality })
    expect((await begin(one)).term).toBe(1n)
    expect(numbers()).toEqual([[1n, 'one']])
  })

  it.each(['read', 'never'] as const)('and that was not written, is written again (%s)', async (finality) => {
    faults('begin', { kind: 'lost', applied: false, finality }, { kind: 'unavailable' })
    expect((await begin(one)).term).toBe(1n)
    expect(numbers()).toEqual([[1n, 'one']])
  })

  it('and that lands late, changes nothing', async () => {
    faults('begin', { kind: 'late', afterMs: 5_000 })
    expect((await begin(one)).term).toBe(1n)
    await begin(two)
    await clock.advance(10_000)
    expect(numbers()).toEqual([
      [1n, 'one'],
      [2n, 'two'],
    ])
  })

  it('and that lands after the next leader has read, is counted by the next leader', async () => {
    // The first leader's only write lands between the second leader's read and write.
    const impatient = new StoredTerms({ store, clock, timer: clock, settleMs: 0 })
    faults('begin', { kind: 'late', afterMs: 0 })
    await expect(clock.run(impatient.begin(one))).rejects.toMatchObject({ code: 'outcome-unknown' })
    expect((await begin(two)).term).toBeGreaterThanOrEqual(1n)
    await clock.advance(1_000)
    const tokens = store.history.map(({ token }) => token)
    expect(tokens).toEqual(tokens.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(store.history.at(-1)?.leader).toBe('two')
  })
})

describe('an unavailable store', () => {
  it('is asked again until it answers', async () => {
    faults('read', { kind: 'unavailable' }, { kind: 'unavailable' })
    expect((await begin(one)).term).toBe(1n)
  })

  it('ends in unavailable when no write was sent, in unknown when one was', async () => {
    store.fault = () => ({ kind: 'unavailable' })
    await expect(begin(one)).rejects.toMatchObject({ code: 'store-unavailable' })
    store.fault = (kind) =>
      kind === 'begin' ? { kind: 'lost', applied: false, finality: 'never' } : undefined
    await expect(begin(one)).rejects.toMatchObject({ code: 'outcome-unknown', owner: 'one' })
  })

  it('is not asked again once the signal aborts', async () => {
    store.fault = () => ({ kind: 'unavailable' })
    const abort = new AbortController()
    const beginning = terms.begin(one, { signal: abort.signal })
    const settled = expect(beginning).rejects.toThrow('enough')
    await clock.advance(500)
    abort.abort(new Error('enough'))
    await clock.advance(0)
    await settled
  })
})
