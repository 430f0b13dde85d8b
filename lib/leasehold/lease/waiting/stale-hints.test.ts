/** A replica that is behind: its hints cost little, and hide a release for a few seconds at most. */
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore, type StatementKind } from '../../testing/index.ts'
import { LeaseProtocol, Leases } from '../index.ts'
import { HintMemory, untilFree } from './until-free.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let sent: Partial<Record<StatementKind, number>>
const make = () =>
  new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, defaultTtlSeconds: 60 })

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  sent = {}
  store.fault = (kind) => {
    sent[kind] = (sent[kind] ?? 0) + 1
    return undefined
  }
})

it.each([
  ['no row', null],
  ['a row without an owner', { owner: null, value: null }],
  ['an earlier owner', { owner: 'gone long ago', value: null }],
])('that shows %s for ever', async (_shows, hint) => {
  const held = await clock.run(make().acquire('job'))
  store.hint = async () => hint
  sent = {}
  const waiting = make().acquire('job')
  await clock.advance(60_000)
  // The first try, a try or none for the first hint, and the reads of the expiry and of every ten seconds.
  expect(sent.acquire).toBeLessThanOrEqual(3)
  expect(sent.read).toBeLessThanOrEqual(15)
  await clock.run(held.release())
  const releasedAtMs = clock.now().monotonicMs
  const next = await clock.run(waiting)
  expect(next.held).toBe(true)
  expect(clock.now().monotonicMs - releasedAtMs).toBeLessThanOrEqual(11_000)
  await clock.run(next.release())
})

it('that still shows the owner that has released', async () => {
  const held = await clock.run(make().acquire('job'))
  const hint = await store.hint('job')
  store.hint = async () => hint
  const waiting = make().acquire('job')
  await clock.advance(5_000)
  await clock.run(held.release())
  const releasedAtMs = clock.now().monotonicMs
  await clock.run((await clock.run(waiting)).release())
  expect(clock.now().monotonicMs - releasedAtMs).toBeLessThanOrEqual(11_000)
})

describe('one round of a wait', () => {
  const round = async (hints: HintMemory, refused = 0) => {
    const { context } = new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5 })
    const began = clock.now().monotonicMs
    const leftMs = () => began + 60_000 - clock.now().monotonicMs
    const waitedFor = await clock.run(
      untilFree(context, 'job', { leftMs, refused, hints, signal: undefined }),
    )
    return { waitedFor, tookMs: clock.now().monotonicMs - began }
  }

  it('believes of a new holder what was wrong of the one before it', () => {
    const hints = new HintMemory()
    hints.refute('old', null)
    expect([hints.believes('old', null), hints.believes('new', null)]).toEqual([false, true])
    hints.refute('new', 'old')
    expect([hints.believes('new', 'old'), hints.believes('new', null)]).toEqual([false, true])
  })

  it('ends at once where the lease is free, and with a pause where a try was refused a moment ago', async () => {
    expect(await round(new HintMemory())).toEqual({ waitedFor: null, tookMs: 0 })
    const { waitedFor, tookMs } = await round(new HintMemory(), 1)
    expect(waitedFor).toBeNull()
    expect(tookMs).toBeGreaterThan(0)
  })

  it.each(['is gone', 'is another'])(
    'ends at the expiry where a read shows that the holder %s, and no hint is believed',
    async (change) => {
      store.plain.insertIfNotExists('job', 'rival', null, 10)
      const hints = new HintMemory()
      hints.refute('rival', null)
      store.hint = async () => null
      let reads = 0
      const read = store.read.bind(store)
      store.read = async (name) => {
        const answer = await read(name)
        if (++reads > 1 && change === 'is another') {
          store.plain.insertIfNotExists('job', 'next', null, 10)
          return read(name)
        }
        return answer
      }
      const { waitedFor, tookMs } = await round(hints)
      expect(waitedFor).toBe('rival')
      expect(tookMs).toBeLessThan(11_000)
    },
  )
})
