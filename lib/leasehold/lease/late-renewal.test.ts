/**
 * A renewal that begins early and is applied late: it leaves the row with the expiry of its start, while the holder has
 * heard the answer of a renewal that was sent later. Both schedules happened on a real Cassandra. Whatever way the two
 * are sent: no rival acquires before the holder's deadline.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { LeadershipGroup } from '../election/index.ts'
import { type Delay, FakeClock, type Fault, MemoryLeaseStore } from '../testing/index.ts'
import type { PaxosVariant } from '../time/index.ts'
import {
  isLeaseholdError,
  LeaseProtocol,
  type LeaseProtocolOptions,
  Leases,
  openForMs,
  type Tenure,
} from './index.ts'

const name = 'job'
const maxClockSkewMs = 500
/** As late in its second as the first renewal starts: the later, the sooner the row expires. */
const startsAtMs = 950

interface Schedule {
  readonly paxosVariant: PaxosVariant
  readonly ttlSeconds: number
  readonly contendedMs: number
  /** How long after the acquisition a renewal is given up before it is applied. */
  readonly renewedAfterMs: number
  /** How long after the first one the second renewal is sent, where the caller decides. */
  readonly apartMs: number
}
const schedules: Schedule[] = [
  { paxosVariant: 'v2', ttlSeconds: 6, contendedMs: 1_300, renewedAfterMs: 1_500, apartMs: 950 },
  { paxosVariant: 'v1', ttlSeconds: 20, contendedMs: 5_000, renewedAfterMs: 6_000, apartMs: 4_100 },
]

let clock: FakeClock
let store: MemoryLeaseStore
/** What the next renewals meet. */
let faults: (Fault | Delay | undefined)[]
let renewals: number

function begin({ paxosVariant }: Pick<Schedule, 'paxosVariant'>, renewedAfterMs: number): void {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 100_000 + startsAtMs - renewedAfterMs)
  store = new MemoryLeaseStore(clock)
  store.paxosVariant = paxosVariant
  faults = []
  renewals = 0
  store.fault = (kind) => {
    if (kind !== 'renew') return undefined
    renewals++
    return faults.shift()
  }
}
const options = (ttlSeconds: number): LeaseProtocolOptions => ({
  store,
  clock,
  timer: clock,
  random: () => 0.5,
  maxClockSkewMs,
  defaultTtlSeconds: ttlSeconds,
})

async function acquired(leases: LeaseProtocol): Promise<Tenure> {
  const outcome = await clock.run(leases.tryAcquire(name))
  if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
  return outcome.tenure
}
async function renewed(leases: LeaseProtocol, tenure: Tenure): Promise<Tenure> {
  const outcome = await leases.renew(tenure)
  return outcome.kind === 'renewed' ? outcome.tenure : tenure
}
const deadlineMs = ({ deadline }: Tenure) => deadline.from.monotonicMs + deadline.afterMs

/** For how many milliseconds a rival who tries all the time holds the lease beside a holder who believes until then. */
async function overlapMs(believedUntilMs: () => number): Promise<number> {
  const rival = { name, owner: 'rival', value: null, ttlSeconds: 30 }
  while (!(await store.acquire(rival)).applied) await clock.advance(10)
  return Math.max(0, believedUntilMs() - clock.now().monotonicMs)
}

describe.each(schedules)(
  'under Paxos $paxosVariant, TTL $ttlSeconds s, applied $contendedMs ms late',
  (schedule) => {
    const { ttlSeconds, contendedMs, renewedAfterMs, apartMs } = schedule
    const late: Delay = { kind: 'delayed', contendedMs }

    it('one call sends it again', async () => {
      begin(schedule, renewedAfterMs)
      const leases = new LeaseProtocol(options(ttlSeconds))
      const tenure = await acquired(leases)
      await clock.advance(renewedAfterMs)
      faults = [late]
      const next = await clock.run(renewed(leases, tenure))
      expect(renewals).toBe(2)
      expect(await overlapMs(() => deadlineMs(next))).toBe(0)
    })

    it('a second call follows the first one, which ended unknown', async () => {
      begin(schedule, renewedAfterMs)
      const leases = new LeaseProtocol({ ...options(ttlSeconds), settleMs: 0 })
      const tenure = await acquired(leases)
      await clock.advance(renewedAfterMs)
      faults = [late]
      await expect(clock.run(leases.renew(tenure))).rejects.toSatisfy((thrown) =>
        isLeaseholdError(thrown, 'outcome-unknown'),
      )
      const next = await clock.run(renewed(leases, tenure))
      expect(renewals).toBe(2)
      expect(await overlapMs(() => deadlineMs(next))).toBe(0)
    })

    it('two calls at once', async () => {
      begin(schedule, renewedAfterMs)
      const leases = new LeaseProtocol(options(ttlSeconds))
      const tenure = await acquired(leases)
      await clock.advance(renewedAfterMs)
      faults = [late]
      const first = renewed(leases, tenure)
      await clock.advance(apartMs)
      const both = await clock.run(Promise.all([first, renewed(leases, tenure)]))
      expect(await overlapMs(() => Math.max(...both.map(deadlineMs)))).toBe(0)
    })

    it('two heartbeats at once', async () => {
      begin(schedule, renewedAfterMs)
      const group = new LeadershipGroup(new LeaseProtocol(options(ttlSeconds)), name)
      const claim = await clock.run(group.tryClaimLeader('leader', ttlSeconds * 1_000))
      if (claim.kind !== 'claimed') throw new Error(claim.kind)
      const { token } = claim
      await clock.advance(renewedAfterMs)
      faults = [late]
      const first = token.heartbeat()
      await clock.advance(apartMs)
      await clock.run(Promise.all([first, token.heartbeat()]))
      expect(await overlapMs(() => (token.held ? token.deadlineMs : 0))).toBe(0)
    })

    it('a lease that is kept alive', async () => {
      const thirdMs = Math.ceil(((ttlSeconds - 1) * 1_000 - maxClockSkewMs) / 3)
      begin(schedule, thirdMs)
      const leases = new Leases(options(ttlSeconds))
      const lease = await clock.run(leases.acquire(name))
      // The second one is answered; then its holder reaches no node any more.
      faults = [late, undefined, ...Array.from({ length: 100 }, (): Fault => ({ kind: 'unavailable' }))]
      await clock.advance(thirdMs + contendedMs)
      expect(renewals).toBe(2)
      expect(await overlapMs(() => (lease.held ? lease.deadlineMs : 0))).toBe(0)
    })
  },
)

describe('two renewals at once: the one that was sent later is answered last', () => {
  beforeEach(() => begin({ paxosVariant: 'v2' }, 0))

  it('although it was applied first: what was sent earlier was open meanwhile', async () => {
    const leases = new LeaseProtocol(options(20))
    const tenure = await acquired(leases)
    faults = [
      { kind: 'delayed', contendedMs: 2_000 },
      { kind: 'delayed', answerMs: 500 },
    ]
    const first = renewed(leases, tenure)
    await clock.advance(1_900)
    const both = await clock.run(Promise.all([first, renewed(leases, tenure)]))
    expect(await overlapMs(() => Math.max(...both.map(deadlineMs)))).toBe(0)
  })
})

it('a renewal brings no deadline forward, where it counts from before it was sent', async () => {
  begin({ paxosVariant: 'v1' }, 0)
  // A server sends again by itself: the deadline of its answer counts from 6 s before, when the lease was not there yet.
  Object.assign(store, { repeats: true })
  const leases = new LeaseProtocol(options(20))
  const tenure = await acquired(leases)
  await clock.advance(1_000)
  const next = await clock.run(renewed(leases, tenure))
  expect([renewals, deadlineMs(next)]).toEqual([1, deadlineMs(tenure)])
})

describe('a deadline counts from the send that was answered', () => {
  const ttlSeconds = 180
  /** What each renewal was given, and when it was sent. */
  let sends: { atMs: number; giveUpAfterMs: number | undefined }[]

  beforeEach(() => {
    begin({ paxosVariant: 'v2' }, 0)
    sends = []
    const renew = store.renew.bind(store)
    store.renew = (write) => {
      sends.push({ atMs: clock.now().monotonicMs, giveUpAfterMs: write.giveUpAfterMs })
      return renew(write)
    }
  })
  const fromSend = (at: number) => (sends.at(at)?.atMs ?? 0) + (ttlSeconds - 1) * 1_000 - maxClockSkewMs

  it.each([
    ['was not sent', { kind: 'unavailable' }, -1],
    ['the server gave up itself', { kind: 'lost', applied: false, finality: 'read' }, -1],
    ['may still be applied', { kind: 'lost', applied: false, finality: 'never' }, 0],
  ] as const)('where the one before it %s', async (_, fault, from) => {
    const leases = new LeaseProtocol(options(ttlSeconds))
    const tenure = await acquired(leases)
    await clock.advance(10_000)
    faults = [fault]
    const next = await clock.run(renewed(leases, tenure))
    expect(sends).toHaveLength(2)
    expect(sends[1]?.atMs).toBeGreaterThan(sends[0]?.atMs ?? 0)
    expect(deadlineMs(next)).toBe(fromSend(from))
  })

  it('where one without an answer is too old to be applied', async () => {
    const leases = new LeaseProtocol({ ...options(ttlSeconds), settleMs: 0 })
    const tenure = await acquired(leases)
    faults = [{ kind: 'lost', applied: false, finality: 'never' }]
    await expect(clock.run(leases.renew(tenure))).rejects.toMatchObject({ code: 'outcome-unknown' })
    await clock.advance(openForMs + 10_000)
    expect(deadlineMs(await clock.run(renewed(leases, tenure)))).toBe(fromSend(-1))
  })

  it('and an answer has a third of the time that is left, and a second at least', async () => {
    const leases = new LeaseProtocol(options(ttlSeconds))
    const tenure = await acquired(leases)
    const leftMs = () => deadlineMs(tenure) - clock.now().monotonicMs
    await clock.advance(leftMs() - 60_000)
    await clock.run(renewed(leases, tenure))
    await clock.advance(leftMs() - 1_500)
    await clock.run(renewed(leases, tenure))
    expect(sends.map(({ giveUpAfterMs }) => giveUpAfterMs)).toEqual([20_000, 1_000])
  })
})

describe('the wall clock of the holder is set forward', () => {
  it('does not end a renewal that may still be applied', async () => {
    const schedule = { paxosVariant: 'v1', ttlSeconds: 180, renewedAfterMs: 6_000 } as const
    begin(schedule, schedule.renewedAfterMs)
    let stepMs = 0
    const stepped = {
      now: () => ({ monotonicMs: clock.now().monotonicMs, wallMs: clock.now().wallMs + stepMs }),
    }
    const leases = new LeaseProtocol({ ...options(schedule.ttlSeconds), clock: stepped })
    const tenure = await acquired(leases)
    await clock.advance(schedule.renewedAfterMs)
    faults = [{ kind: 'delayed', contendedMs: 5_000 }]
    const first = renewed(leases, tenure)
    await clock.advance(4_100)
    stepMs = 95_000
    const both = await clock.run(Promise.all([first, renewed(leases, tenure)]))
    expect(await overlapMs(() => Math.max(...both.map(deadlineMs)))).toBe(0)
  })
})
