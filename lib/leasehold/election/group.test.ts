import { beforeEach, describe, expect, it } from 'vitest'
import { LeaseProtocol } from '../lease/index.ts'
import { FakeClock, MemoryLeaseStore } from '../testing/index.ts'
import { LeadershipGroup, LeadershipStatus, type LeadershipToken } from './index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let group: LeadershipGroup
let status: LeadershipStatus

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  // cassandra-leadership's table has no value column.
  store = new MemoryLeaseStore(clock, { owner: true, value: false })
  const protocol = new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
  group = new LeadershipGroup(protocol, 'workers')
  status = new LeadershipStatus(protocol)
})
const claim = async (identity: string, durationMs: number): Promise<LeadershipToken> => {
  const outcome = await clock.run(group.tryClaimLeader(identity, durationMs))
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
  return outcome.token
}

describe('a claim', () => {
  it('leads until it expires; then another one does, with a greater token', async () => {
    const first = await claim('user1', 2_000)
    expect(await group.tryClaimLeader('user2', 3_000)).toEqual({ kind: 'held', leader: 'user1' })
    expect(await status.leaderOf('workers')).toBe('user1')
    expect(first).toMatchObject({ held: true, identity: 'user1', durationMs: 2_000, remainingMs: 900 })
    await clock.advance(3_000)
    expect(await status.leaderOf('workers')).toBeNull()
    expect(first).toMatchObject({ held: false, remainingMs: 0 })
    const second = await claim('user2', 3_000)
    expect(second.fencingToken).toBeGreaterThan(first.fencingToken as bigint)
    expect(await status.leaderOf('workers')).toBe('user2')
  })

  it('is `held` while its own identity leads: two processes with one identity would both lead', async () => {
    await claim('user1', 10_000)
    expect(await group.tryClaimLeader('user1', 10_000)).toEqual({ kind: 'held', leader: 'user1' })
  })

  it.each([0, 1_000, 1_999, 2_500, -2_000, Number.NaN, Number.POSITIVE_INFINITY])(
    'of %s ms is refused, with the numbers',
    async (durationMs) => {
      await expect(group.tryClaimLeader('user1', durationMs)).rejects.toMatchObject({
        code: 'invalid-argument',
        message: `durationMs is ${durationMs}; whole seconds are expected, 2000 or more, because Cassandra expires rows by the second.`,
      })
    },
  )

  it('whose answer is lost is not held, although a read shows its identity', async () => {
    const lost = [{ kind: 'lost', applied: true, finality: 'never' }] as const
    let next = 0
    store.fault = (kind) => (kind === 'acquire' ? lost[next++] : undefined)
    expect(await clock.run(group.tryClaimLeader('user1', 4_000))).toEqual({ kind: 'held', leader: 'user1' })
  })
})

describe('a heartbeat', () => {
  it('renews the claim for the whole duration each time', async () => {
    const token = await claim('user1', 4_000)
    for (let beats = 0; beats < 10; beats++) {
      await clock.advance(2_000)
      expect(await clock.run(token.heartbeat())).toEqual({ kind: 'renewed' })
      expect(token.remainingMs).toBe(2_900)
    }
    expect(await status.leaderOf('workers')).toBe('user1')
  })

  it('that is too late renews nothing, although the row is still there', async () => {
    const token = await claim('user1', 2_000)
    await clock.advance(950)
    expect(await status.leaderOf('workers')).toBe('user1')
    expect(await token.heartbeat()).toEqual({ kind: 'lost', why: 'deadline', leader: null })
  })

  it('names the new leader, and stays lost', async () => {
    const token = await claim('user1', 10_000)
    store.plain.deleteIfOwner('workers', 'user1')
    store.plain.insertIfNotExists('workers', 'user2', null, 10)
    const lost = { kind: 'lost', why: 'not-holder', leader: 'user2' }
    expect(await clock.run(token.heartbeat())).toEqual(lost)
    expect(token.held).toBe(false)
    expect(await clock.run(token.heartbeat())).toEqual(lost)
  })

  it('that was sent earlier and is answered later does not shorten the claim', async () => {
    const token = await claim('user1', 10_000)
    const { renew } = store
    store.renew = async (write) => {
      store.renew = renew
      const answer = await renew.call(store, write)
      await clock.sleep(2_000)
      return answer
    }
    const slow = token.heartbeat()
    await clock.advance(1_000)
    await clock.run(token.heartbeat())
    const { deadlineMs } = token
    expect(await clock.run(slow)).toEqual({ kind: 'renewed' })
    expect(token.deadlineMs).toBe(deadlineMs)
  })

  it('that was under way at the resignation does not restore the claim', async () => {
    const token = await claim('user1', 10_000)
    const beating = token.heartbeat()
    const resigning = token.resign()
    expect(token.held).toBe(false)
    expect(await clock.run(beating)).toMatchObject({ kind: 'lost', why: 'released' })
    expect(await clock.run(resigning)).toMatchObject({ kind: 'released' })
    expect(await status.leaderOf('workers')).toBeNull()
  })
})

describe('a heartbeat of a claim that was given up', () => {
  it('sends nothing, although the release was lost and the row is still there', async () => {
    const token = await claim('user1', 10_000)
    store.fault = (kind) => (kind === 'release' ? { kind: 'unavailable' } : undefined)
    await expect(clock.run(token.resign())).rejects.toMatchObject({ code: 'store-unavailable' })
    const { sent } = store
    expect(await clock.run(token.heartbeat())).toEqual({ kind: 'lost', why: 'released', leader: null })
    expect(store.sent).toBe(sent)
  })

  it('is not renewed, although its renewal was applied before', async () => {
    const token = await claim('user1', 10_000)
    store.fault = (kind) => (kind === 'renew' ? { kind: 'delayed', answerMs: 500 } : undefined)
    const beating = token.heartbeat()
    await clock.advance(100)
    const resigning = token.resign()
    expect(await clock.run(beating)).toEqual({ kind: 'lost', why: 'released', leader: null })
    expect(await clock.run(resigning)).toMatchObject({ kind: 'released' })
  })
})

describe('the status', () => {
  it('shows the time left, and lists every group with a leader', async () => {
    await claim('user1', 10_000)
    expect(await status.statusOf('workers')).toEqual({
      group: 'workers',
      leader: 'user1',
      expiresAtMs: Date.UTC(2026, 0, 1) + 10_000,
      remainingMs: 9_750,
    })
    for (let i = 0; i < 150; i++) store.plain.insertIfNotExists(`g${i}`, `leader of g${i}`, null, 60)
    store.plain.insertIfNotExists('broken', '!quarantine:1', null, 60)
    const leaders = new Map<string, string>()
    for await (const { group: of, leader } of status.leaders()) leaders.set(of, leader)
    expect(leaders.size).toBe(151)
    expect(leaders.get('workers')).toBe('user1')
    expect(leaders.get('g149')).toBe('leader of g149')
    expect(await status.statusOf('broken')).toBeNull()
  })

  it('is null for a group without a leader', async () => {
    expect(await status.leaderOf('workers')).toBeNull()
  })
})
