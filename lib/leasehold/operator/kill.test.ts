/** A killed lease, on the store in memory: whom it can hit, and where it is refused. */
import { beforeEach, describe, expect, it } from 'vitest'
import { LeaseProtocol, type LeaseStore } from '../lease/index.ts'
import { FakeClock, MemoryLeaseStore, type StatementKind } from '../testing/index.ts'
import { type BreakStep, type KillStep, Operator } from './index.ts'

const name = 'job'
let clock: FakeClock
let store: MemoryLeaseStore

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1))
  store = new MemoryLeaseStore(clock)
})

const protocolOf = (of: LeaseStore) =>
  new LeaseProtocol({ store: of, clock, timer: clock, random: () => 0.5 })

describe('a kill that is refused', () => {
  it('through a server, which sends a delete again: that could hit a later tenure, after a read has settled the outcome', async () => {
    store.plain.insertIfNotExists(name, 'old', null, 300)
    Object.assign(store, { repeats: true })
    const kinds: StatementKind[] = []
    store.fault = (kind) => void kinds.push(kind)
    await expect(new Operator(protocolOf(store)).kill({ name, owner: 'old' })).rejects.toMatchObject({
      code: 'store-refused',
      message: /release plan/,
    })
    expect(kinds).toEqual([])
  })

  it('for an owner that is no text, as a read shows in a table without an owner column', async () => {
    const bare = new MemoryLeaseStore(clock, { owner: false, value: false })
    const leases = protocolOf(bare)
    const operator = new Operator(leases)
    expect((await leases.tryAcquire(name)).kind).toBe('acquired')
    expect(await operator.kill({ name, owner: 'old' })).toMatchObject({ kind: 'holder-changed', owner: null })
    // JavaScript passes what `read` shows.
    for (const owner of [null, undefined] as unknown as string[])
      for (const of of [operator, new Operator(protocolOf(store))])
        await expect(of.kill({ name, owner })).rejects.toMatchObject({ code: 'invalid-argument' })
    expect(await leases.read(name)).not.toBeNull()
  })
})

describe('a lease of a plain client', () => {
  const tooLong = 'x'.repeat(513)

  it.each([
    [tooLong, 'o'],
    ['a', tooLong],
    ['b', ''],
    ['c', '!me'],
  ])('is killed, whatever its name and its owner are: %s, %s', async (of, owner) => {
    const operator = new Operator(protocolOf(store))
    store.plain.insertIfNotExists(of, owner, null, 300)
    expect(await operator.findOut({ mode: 'kill', name: of, owner })).toEqual({ kind: 'unknown' })
    expect(await operator.kill({ name: of, owner })).toMatchObject({ kind: 'released' })
  })

  it('is broken, however long its name is', async () => {
    const operator = new Operator(protocolOf(store))
    const planned = { name: tooLong, owner: 'o' }
    store.plain.insertIfNotExists(tooLong, 'o', null, 300)
    expect(await operator.break(planned, { id: 'plan-1' })).toMatchObject({ kind: 'broken' })
    expect(await operator.findOut({ ...planned, mode: 'break', id: 'plan-1' })).toMatchObject({
      kind: 'broken',
    })
  })
})

it('a kill that one clock refuses as too late names no other holder, while the other clock shows the planned one', async () => {
  store.plain.insertIfNotExists(name, 'old', null, 300)
  store.release = async () => ({ applied: false, found: null })
  expect(await new Operator(protocolOf(store)).kill({ name, owner: 'old' })).toEqual({ kind: 'not-released' })
})

describe('a row that a client dated ahead of the clocks', () => {
  const applied = async () => ({ applied: true }) as const

  it('is not said to be released when the delete had no effect', async () => {
    store.plain.insertIfNotExists(name, 'old', null, 300)
    store.release = applied
    const steps: KillStep[] = []
    const killed = new Operator(protocolOf(store)).kill({ name, owner: 'old' }, (step) => steps.push(step))
    expect(await killed).toEqual({ kind: 'not-released' })
    expect(steps.map(({ step }) => step)).toEqual(['re-read', 'sent', 'answered', 'no-effect'])
    expect(steps.at(-1)).toMatchObject({ lease: { owner: 'old' } })
  })

  it('is neither said to be killed nor broken when the read after it fails', async () => {
    store.plain.insertIfNotExists(name, 'old', null, 300)
    // From now on the row is 0.3 s ahead of the coordinator that is read.
    store.skewMs = () => -300
    let answered = false
    const answer = async () => {
      answered = true
      return { applied: true } as const
    }
    store.release = answer
    store.quarantine = answer
    store.fault = (kind) => (kind === 'read' && answered ? { kind: 'unavailable' } : undefined)
    expect(await new Operator(protocolOf(store)).kill({ name, owner: 'old' })).toEqual({ kind: 'unknown' })
    answered = false
    const broken = new Operator(protocolOf(store)).break({ name, owner: 'old' }, { id: 'plan-1' })
    expect(await clock.run(broken)).toEqual({ kind: 'unknown' })
  })

  /** Another client's plain renewal, by a clock that is ahead. */
  const renewAhead = () => {
    store.skewMs = () => 2_000
    store.plain.renewOwnerOnly(name, 'old', 300)
    store.skewMs = () => 0
  }

  it('is not said to be released when its client has renewed it meanwhile, before or after the delete', async () => {
    store.plain.insertIfNotExists(name, 'old', null, 300)
    store.release = async () => {
      clock.suspend(10_000)
      renewAhead()
      return { applied: true }
    }
    const operator = new Operator(protocolOf(store))
    expect(await operator.kill({ name, owner: 'old' })).toEqual({ kind: 'unknown' })
    // The row of before was ahead, and that of after is not any more.
    renewAhead()
    store.release = async () => {
      clock.suspend(10_000)
      store.plain.renewOwnerOnly(name, 'old', 300)
      return { applied: true }
    }
    expect(await operator.kill({ name, owner: 'old' })).toEqual({ kind: 'unknown' })
  })

  it.each([0, 2_000])(
    'is not said to be broken when its client has renewed it meanwhile, by a clock that is %s ms ahead',
    async (aheadMs) => {
      store.plain.insertIfNotExists(name, 'old', null, 300)
      store.quarantine = async () => {
        clock.suspend(1_000)
        store.skewMs = () => aheadMs
        store.plain.renewOwnerOnly(name, 'old', 300)
        store.skewMs = () => 0
        return { applied: true }
      }
      const broken = new Operator(protocolOf(store)).break({ name, owner: 'old' }, { id: 'plan-1' })
      expect(await clock.run(broken)).toEqual({ kind: 'unknown' })
    },
  )

  it('is not said to be broken when the mark had no effect', async () => {
    store.plain.insertIfNotExists(name, 'old', null, 300)
    store.quarantine = applied
    const steps: BreakStep[] = []
    const broken = new Operator(protocolOf(store)).break({ name, owner: 'old' }, { id: 'plan-1' }, (step) =>
      steps.push(step),
    )
    expect(await clock.run(broken)).toEqual({ kind: 'not-broken' })
    expect(steps.map(({ step }) => step)).toEqual(['re-read', 'sent', 'answered', 'no-effect'])
  })

  it('the next tenure of the same owner is not the row of before', async () => {
    store.plain.insertIfNotExists(name, 'old', null, 300)
    const release = store.release.bind(store)
    store.release = async (write) => {
      const answer = await release(write)
      clock.suspend(1_000)
      store.plain.insertIfNotExists(name, 'old', null, 300)
      return answer
    }
    expect(await new Operator(protocolOf(store)).kill({ name, owner: 'old' })).toMatchObject({
      kind: 'released',
      current: { owner: 'old' },
    })
  })
})

describe('a kill whose answer is lost', () => {
  it.each([
    [true, { kind: 'superseded' }],
    [false, { kind: 'not-released' }],
  ])('is sent once, and its outcome is read (applied: %s)', async (applied, outcome) => {
    store.plain.insertIfNotExists(name, 'old', null, 300)
    let deletes = 0
    store.fault = (kind) => {
      if (kind !== 'release') return undefined
      deletes++
      return { kind: 'lost', applied, finality: 'read' }
    }
    const operator = new Operator(protocolOf(store))
    expect(await clock.run(operator.kill({ name, owner: 'old' }))).toEqual(outcome)
    expect(deletes).toBe(1)
  })
})
