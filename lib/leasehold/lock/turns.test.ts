/** Loops that lock, work and release again at once: none of them starves the others. */
import { beforeEach, describe, expect, it } from 'vitest'
import { Election } from '../election/index.ts'
import { Leases } from '../lease/index.ts'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from '../testing/index.ts'
import { Locks } from './index.ts'

const minuteMs = 60_000
let clock: FakeClock
let store: MemoryLeaseStore
let tickets: MemoryTicketStore | undefined
let inside: number

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  tickets = new MemoryTicketStore(clock)
  inside = 0
  // Every conditional write takes its time on the way.
  store.fault = (kind) =>
    kind === 'acquire' || kind === 'release' || kind === 'renew'
      ? { kind: 'delayed', queuedMs: 1, answerMs: 1 }
      : undefined
})

/** Pseudo-random, and the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed * 7_919 + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
const process_ = (seed: number) =>
  new Leases({
    store,
    tickets,
    clock,
    timer: clock,
    random: randomOf(seed),
    maxClockSkewMs: 100,
    defaultTtlSeconds: 30,
  })

async function work(workMs: number): Promise<void> {
  expect(++inside).toBe(1)
  await clock.sleep(workMs)
  inside--
}

const loops = {
  withLock: (leases: Leases, workMs: number) => new Locks(leases).withLock('job', async () => work(workMs)),
  campaign: async (leases: Leases, workMs: number) => {
    await using leadership = await new Election({ leases, group: 'job' }).campaign()
    expect(leadership.held).toBe(true)
    await work(workMs)
  },
}

/** How many turns each of `count` processes got in a minute. */
async function turnsOf(loop: keyof typeof loops, count: number, workMs: number): Promise<number[]> {
  const turns = Array.from({ length: count }, () => 0)
  const started = clock.now().monotonicMs
  const running = turns.map(async (_, i) => {
    const leases = process_(i)
    while (clock.now().monotonicMs - started < minuteMs) {
      await loops[loop](leases, workMs)
      turns[i] = (turns[i] as number) + 1
    }
    await leases.close()
  })
  await clock.run(Promise.all(running))
  return turns
}

describe.each(['withLock', 'campaign'] as const)('loops over %s', (loop) => {
  it.each([
    [2, 50],
    [2, 200],
    [2, 1_500],
    [3, 100],
    [5, 100],
  ])('%i of them share a minute, with work of %i ms', async (count, workMs) => {
    const turns = await turnsOf(loop, count, workMs)
    const all = turns.reduce((sum, each) => sum + each, 0)
    // Two: 40 to 60 of a hundred turns each; more: as near to an equal share.
    for (const each of turns) {
      expect(each / all).toBeGreaterThanOrEqual(0.8 / count)
      expect(each / all).toBeLessThanOrEqual(1.2 / count)
    }
    // Nor does the order cost the most of the time.
    expect(all * workMs).toBeGreaterThan(minuteMs / 4)
  })

  it('work without tickets too, in no order', async () => {
    tickets = undefined
    const turns = await turnsOf(loop, 2, 200)
    expect(turns.reduce((sum, each) => sum + each, 0) * 200).toBeGreaterThan(minuteMs / 2)
  })
})
