/** Elections on a real Cassandra and real clocks. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Election, type Leadership, type Observation, StoredTerms } from '../../election/index.ts'
import { Leases } from '../../lease/index.ts'
import { testKeptTtlSeconds, testSession } from '../../test/node-session.ts'
import { CassandraLeaseStore } from '../leases/lease-store.ts'
import { tables } from '../schema/tables.ts'
import type { CassandraSession } from '../session/session.ts'
import { CassandraTermStore } from './term-store.ts'

const keyspace = 'election_test'
let session: CassandraSession
let groups = 0
const fresh = () => `g/${process.pid}/${Date.now().toString(36)}/${++groups}`

const maxClockSkewMs = 100
const ttlSeconds = testKeptTtlSeconds(maxClockSkewMs)

beforeAll(async () => {
  session = await testSession(keyspace)
  for (const ddl of [tables.leases, tables.election_terms])
    await session.client.execute(ddl.replaceAll('$k', keyspace))
})
afterAll(() => session?.close())

/** A candidate; to Cassandra, each call is a process of its own. */
function candidate(group: string) {
  const leases = new Leases({ store: new CassandraLeaseStore(session), maxClockSkewMs })
  const terms = new StoredTerms({ store: new CassandraTermStore(session) })
  return { leases, election: new Election({ leases, group, terms }) }
}

/** Follows a group in the background. `until` resolves after that many observations. */
function observe(election: Election) {
  const abort = new AbortController()
  const observations: Observation[] = []
  let news: () => void = () => {}
  const ended = (async () => {
    for await (const observation of election.observe({ signal: abort.signal })) {
      // A leader whose term takes two seconds to begin is shown without it first, and with it after its next renewal.
      if (observation.kind === 'leader' && observation.leader.term === null) continue
      observations.push(observation)
      news()
    }
  })()
  const until = async (count: number) => {
    while (observations.length < count)
      await new Promise<void>((resolve) => {
        news = resolve
      })
  }
  const end = async () => {
    abort.abort()
    await ended
  }
  return { observations, until, end }
}

it('hands over when a leader resigns, and observers see the leaders, their values, and the vacancy', async () => {
  const group = fresh()
  const [one, two, observer] = [candidate(group), candidate(group), candidate(group)]
  const seen = observe(observer.election)
  await seen.until(1)
  const first = await one.election.campaign({ value: 'http://one', ttlSeconds: Math.max(10, ttlSeconds) })
  await seen.until(2)
  await first.proclaim('http://one/ready')
  await seen.until(3)
  expect(await observer.election.leader()).toMatchObject({
    group,
    owner: first.owner,
    value: 'http://one/ready',
    term: 1n,
    token: first.token,
  })
  const { token } = first
  await first.resign()
  await seen.until(4)
  const second = await two.election.campaign({ value: 'http://two', ttlSeconds: Math.max(10, ttlSeconds) })
  await seen.until(5)
  expect(second.term).toBe(2n)
  expect(second.token).toBeGreaterThan(token)
  await second.resign()
  await seen.until(6)
  await seen.end()
  expect(
    seen.observations.map((observation) =>
      observation.kind === 'leader'
        ? [observation.leader.value, observation.leader.term]
        : ['vacant', observation.last?.term ?? null],
    ),
  ).toEqual([
    ['vacant', null],
    ['http://one', 1n],
    ['http://one/ready', 1n],
    ['vacant', 1n],
    ['http://two', 2n],
    ['vacant', 2n],
  ])
})

it('follows a leader that died, after its expiry and not before', async () => {
  const group = fresh()
  const sentMs = Date.now()
  const dead = await candidate(group).leases.protocol.tryAcquire(group, { ttlSeconds: 3 })
  if (dead.kind !== 'acquired') throw new Error(dead.kind)
  const next = candidate(group)
  const led = await next.election.campaign({ ttlSeconds })
  // By the second in which the statement began. One read's expiry may be a second late: its now() is evaluated later.
  expect(Date.now()).toBeGreaterThanOrEqual((Math.floor(sentMs / 1000) + 3) * 1000)
  expect(led.token).toBeGreaterThan(dead.tenure.token ?? 0n)
  expect(await next.leases.close({ waitMs: 60_000 })).toEqual([])
})

it('six candidates lead one after another, each with the next term', async () => {
  const group = fresh()
  const order: Leadership[] = []
  const tokens: bigint[] = []
  let leading = 0
  // Nothing here waits for an expiry: a machine that stands still for some seconds loses no lease.
  const long = Math.max(30, ttlSeconds)
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      await using led = await candidate(group).election.campaign({ ttlSeconds: long })
      expect(++leading).toBe(1)
      order.push(led)
      tokens.push(led.token)
      led.throwIfLost()
      leading--
    }),
  )
  expect(order.map(({ term }) => term)).toEqual(order.map((_, i) => BigInt(i + 1)))
  expect(tokens).toEqual(tokens.toSorted((a, b) => (a < b ? -1 : 1)))
})
