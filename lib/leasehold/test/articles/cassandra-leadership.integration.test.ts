/**
 * What the Java library cassandra-leadership shows in its README and tests, on its own table: a leader claims a group
 * for some seconds, heartbeats, resigns; another one follows.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CassandraLeaseStore, type CassandraSession, LeadershipSchema } from '../../cassandra/index.ts'
import { LeadershipGroup, LeadershipStatus } from '../../election/index.ts'
import { isLeaseholdError, LeaseProtocol } from '../../lease/index.ts'
import { testSession } from '../node-session.ts'

const keyspace = 'cassandra_leadership'
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Two seconds last one to two, by the fraction of the second that they begin in: nearly two, from its start. */
const startOfSecond = () => pause(1_000 - (Date.now() % 1_000))
const schemas = {
  'leadership_election("group", leader_id)': LeadershipSchema.default,
  'a table with names of its own': new LeadershipSchema({
    tableName: 'Team_Leads',
    groupColumnName: 'Team',
    leaderIdColumnName: 'boss',
  }),
}

/** Claims for seconds whose answer a busy machine reads too late, which shows nothing: another group is claimed then. */
async function inTime<T>(claim: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await claim()
    } catch (thrown) {
      if (tries === 10 || !isLeaseholdError(thrown, 'outcome-unknown')) throw thrown
    }
}

let session: CassandraSession
let groups = 0
beforeAll(async () => {
  session = await testSession(keyspace)
})
afterAll(() => session?.close())

describe.each(Object.entries(schemas))('%s', (_title, schema) => {
  let protocol: LeaseProtocol
  let status: LeadershipStatus
  const newGroup = () => new LeadershipGroup(protocol, `random/${process.pid}/${Date.now()}/${++groups}`)

  beforeAll(async () => {
    await session.client.execute(schema.createTable(keyspace))
    protocol = new LeaseProtocol({
      store: new CassandraLeaseStore(session, schema.mapping),
      maxClockSkewMs: 100,
    })
    status = new LeadershipStatus(protocol)
  })

  it.concurrent('user1 claims for 2 s; after 3 s, user2 claims', async () => {
    const claim = async () => {
      const leadership = newGroup()
      await startOfSecond()
      const first = await leadership.tryClaimLeader('user1', 2_000)
      if (first.kind !== 'claimed') throw new Error(first.kind)
      const rival = await leadership.tryClaimLeader('user2', 3_000)
      const leader = await status.leaderOf(leadership.group)
      return { leadership, first, rival, leader }
    }
    let claimed = await inTime(claim)
    // A busy machine may answer after the deadline, which shows nothing: again.
    for (let tries = 1; tries < 10 && !claimed.first.token.held; tries++) claimed = await inTime(claim)
    const { leadership, first, rival, leader } = claimed
    expect(rival).toEqual({ kind: 'held', leader: 'user1' })
    expect(leader).toBe('user1')
    await pause(3_000)
    // A busy machine may answer after this one's end, too.
    const second = await leadership.tryClaimLeader('user2', 10_000)
    if (second.kind !== 'claimed') throw new Error(second.kind)
    expect(await status.leaderOf(leadership.group)).toBe('user2')
    expect(first.token.held).toBe(false)
    expect(second.token.fencingToken).toBeGreaterThan(first.token.fencingToken as bigint)
  })

  it.concurrent('heartbeats keep a leader, and rivals out', async () => {
    const leadership = newGroup()
    const claim = await leadership.tryClaimLeader('user1', 20_000)
    if (claim.kind !== 'claimed') throw new Error(claim.kind)
    for (let beats = 0; beats < 3; beats++) {
      await pause(7_000)
      expect(await claim.token.heartbeat()).toEqual({ kind: 'renewed' })
      expect(await leadership.tryClaimLeader('user2', 12_000)).toEqual({ kind: 'held', leader: 'user1' })
    }
    const shown = await status.statusOf(leadership.group)
    expect(shown?.leader).toBe('user1')
    expect(shown?.remainingMs).toBeLessThanOrEqual(20_000)
    expect(shown?.remainingMs).toBeGreaterThan(0)
  })

  it.concurrent('a resignation makes the leadership available at once', async () => {
    const leadership = newGroup()
    const claim = await leadership.tryClaimLeader('user1', 100_000)
    if (claim.kind !== 'claimed') throw new Error(claim.kind)
    expect(await claim.token.resign()).toEqual({ kind: 'released', certain: true })
    expect(claim.token.held).toBe(false)
    expect(await status.leaderOf(leadership.group)).toBeNull()
    expect((await leadership.tryClaimLeader('user2', 100_000)).kind).toBe('claimed')
    const listed: string[] = []
    for await (const { group, leader } of status.leaders())
      if (group === leadership.group) listed.push(leader)
    expect(listed).toEqual(['user2'])
  })

  it.concurrent('a heartbeat after the expiry says that it is lost', async () => {
    const claim = await inTime(() => newGroup().tryClaimLeader('user1', 2_000))
    if (claim.kind !== 'claimed') throw new Error(claim.kind)
    await pause(2_100)
    expect(await claim.token.heartbeat()).toEqual({ kind: 'lost', why: 'deadline', leader: null })
  })
})
