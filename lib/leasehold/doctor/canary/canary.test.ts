import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LeaseStore, StoreRefusedError } from '../../lease/index.ts'
import { type Delay, FakeClock, type Fault, MemoryLeaseStore } from '../../testing/index.ts'
import { type CanaryOptions, canary, canaryPrefix } from './canary.ts'

function tableOf(columns = { owner: true, value: true }) {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock, columns)
  const run = (options: CanaryOptions = {}, on: LeaseStore = store) =>
    clock.run(canary(on, { clock, timer: clock, ...options }))
  return { clock, store, run }
}

describe.each([
  { owner: true, value: true },
  { owner: true, value: false },
  { owner: false, value: false },
])('a table with $owner for an owner column and $value for a value column', (columns) => {
  it('passes, and is left as it was found', async () => {
    const { store, run } = tableOf(columns)
    expect(await run()).toMatchObject({ kind: 'passed' })
    expect((await store.scan({ limit: 10 })).rows).toEqual([])
  })

  it('fails when it grants a lease twice', async () => {
    const { store, run } = tableOf(columns)
    store.grantsTwice = true
    expect(await run()).toMatchObject({
      kind: 'failed',
      isUnsafe: true,
      name: expect.stringMatching(`^${canaryPrefix}`),
      found: 'The same lease was granted to two owners.',
    })
    store.grantsTwice = false
    expect(await run({ part: 'exclusion' })).toMatchObject({ kind: 'passed' })
  })
})

it('fails on coordinators whose clocks are further apart than a lease lasts: each of them grants it', async () => {
  const { store, run } = tableOf()
  let statement = 0
  store.skewMs = () => (statement++ % 2) * 70_000
  expect(await run()).toMatchObject({ kind: 'failed', isUnsafe: true })
})

/** A store with one method replaced. */
const lying = (store: MemoryLeaseStore, lies: Partial<LeaseStore>): LeaseStore =>
  new Proxy(store as LeaseStore, {
    get: (of, key) => lies[key as keyof LeaseStore] ?? bound(of, key as keyof LeaseStore),
  })
const bound = (of: LeaseStore, key: keyof LeaseStore) => {
  const member = of[key]
  return typeof member === 'function' ? member.bind(of) : member
}

it.each([
  ['a renewal of another owner', { renew: async () => ({ applied: true as const }) }, true],
  ['a release of another owner', { release: async () => ({ applied: true as const }) }, true],
  ['no renewal', { renew: async () => ({ applied: false as const, found: null }) }, false],
  ['no release', { release: async () => ({ applied: false as const, found: null }) }, false],
])('fails on a table that applies %s', async (_, lies, isUnsafe) => {
  const { store, run } = tableOf()
  expect(await run({}, lying(store, lies))).toMatchObject({ kind: 'failed', isUnsafe })
})

it('fails on a table whose leases do not end, and calls that safe', async () => {
  const { store, run } = tableOf()
  const acquire = store.acquire.bind(store)
  const eternal = {
    acquire: (write: Parameters<typeof acquire>[0]) => acquire({ ...write, ttlSeconds: 3_600 }),
  }
  expect(await run({}, lying(store, eternal))).toMatchObject({
    kind: 'failed',
    isUnsafe: false,
    found: 'A lease of 2 s is still there 10 s after its expiry.',
  })
})

it('says unknown when no answer comes, after three names', async () => {
  const { store, run } = tableOf()
  const names = new Set<string>()
  store.fault = (_, name) => {
    names.add(name)
    return { kind: 'lost', applied: true, finality: 'never' }
  }
  expect(await run()).toEqual({
    kind: 'unknown',
    found: expect.stringMatching(/^The canary tried 3 times and could prove nothing: /),
  })
  expect(names.size).toBe(3)
})

it('passes under another name after a lost answer', async () => {
  const { store, run } = tableOf()
  let lost = 0
  store.fault = (kind) =>
    kind === 'acquire' && lost++ < 2 ? { kind: 'lost', applied: lost === 1, finality: 'read' } : undefined
  expect(await run()).toMatchObject({ kind: 'passed' })
})

it('does not accuse a table because this process stood still for longer than a lease of it lasts', async () => {
  for (const atRelease of [1, 2, 3]) {
    const clock = new FakeClock()
    const store = new MemoryLeaseStore(clock)
    let releases = 0
    store.fault = (kind) => {
      if (kind === 'release' && ++releases === atRelease) clock.suspend(61_000)
      return undefined
    }
    expect(await clock.run(canary(store, { clock, timer: clock }))).not.toMatchObject({ kind: 'failed' })
  }
})

it('says unknown, once, when the role may not write the table', async () => {
  const { store, run } = tableOf()
  let asked = 0
  const refusing = {
    acquire: async () => {
      asked++
      throw new StoreRefusedError('Cassandra refused: no MODIFY permission.')
    },
  }
  expect(await run({}, lying(store, refusing))).toMatchObject({
    kind: 'unknown',
    found: expect.stringMatching(/MODIFY/),
  })
  expect(asked).toBe(1)
})

it('never accuses a table that is only slow, busy, or out of reach', async () => {
  const fault: fc.Arbitrary<Fault | Delay | undefined> = fc.oneof(
    { weight: 40, arbitrary: fc.constant(undefined) },
    fc.record({
      kind: fc.constant('lost' as const),
      applied: fc.boolean(),
      finality: fc.constantFrom('read' as const, 'never' as const),
    }),
    fc.record({ kind: fc.constant('late' as const), afterMs: fc.nat(25_000) }),
    fc.constant({ kind: 'unavailable' as const }),
    fc.record({
      kind: fc.constant('delayed' as const),
      queuedMs: fc.nat(25_000),
      contendedMs: fc.nat(2_000),
      answerMs: fc.nat(15_000),
    }),
  )
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { minLength: 20, maxLength: 60 }),
      fc.array(fc.nat(500), { minLength: 5, maxLength: 20 }),
      async (faults, skews) => {
        const { store, run } = tableOf()
        let [statement, coordinator] = [0, 0]
        store.fault = () => faults[statement++ % faults.length]
        store.skewMs = () => skews[coordinator++ % skews.length] as number
        const { kind } = await run({ maxClockSkewMs: 500 })
        seen.set(kind, (seen.get(kind) ?? 0) + 1)
        expect(kind).not.toBe('failed')
      },
    ),
    { numRuns: 500, seed: 12 },
  )
  // Both ends were reached, or the property says nothing.
  expect(seen.get('passed')).toBeGreaterThan(50)
  expect(seen.get('unknown')).toBeGreaterThan(50)
})
