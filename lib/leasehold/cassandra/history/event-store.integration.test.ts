/** The history on Cassandra: what Leases with `recordEvents` write, and pages of it. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  bareEvent,
  type EventGap,
  type EventPlace,
  hourMs,
  type LeaseEvent,
  minuteMs,
  type RenewalMinute,
  readHistory,
} from '../../history/index.ts'
import { Leases } from '../../lease/index.ts'
import { testConnect, testContactPoint, testCredentials, testSession } from '../../test/node-session.ts'
import { systemTimer } from '../../time/index.ts'
import { createTables } from '../schema/create-tables.ts'
import type { CassandraSession } from '../session/session.ts'
import { CassandraEventStore } from './event-store.ts'

const keyspace = 'event_store_test'
let session: CassandraSession
let recording: CassandraSession
let store: CassandraEventStore

beforeAll(async () => {
  session = await testSession(keyspace)
  await createTables(session, { only: ['leases', 'lease_events'] })
  const where = { contactPoints: [testContactPoint()], localDataCenter: 'datacenter1', keyspace }
  recording = await testConnect({ ...where, ...testCredentials(), recordEvents: true })
  store = new CassandraEventStore(session)
})
afterAll(async () => {
  await recording?.close()
  await session?.close()
})

const names = (
  (count) => () =>
    `history/${process.pid}/${Date.now()}/${++count}`
)(0)

it('is not written unless it is asked for', async () => {
  expect(session.events).toBeUndefined()
  const name = names()
  const leases = new Leases(session)
  await (await leases.acquire(name)).release()
  await leases.close()
  const range = { fromMs: Date.now() - hourMs, toMs: Date.now() + minuteMs }
  expect((await readHistory(store, name, { ...range, renewals: 'minute', limit: 10 })).events).toEqual([])
})

it('has each renewal, and the reason of a loss', async () => {
  const name = names()
  const leases = new Leases(recording)
  const lease = await leases.acquire(name, { ttlSeconds: 11 })
  const { owner, token } = lease
  await lease.update('renews it')
  await lease.update('again')
  await leases.protocol.release({ name, owner })
  await expect(lease.update('and is lost')).rejects.toMatchObject({ code: 'lease-lost' })
  await leases.close()
  const range = { fromMs: Date.now() - hourMs, toMs: Date.now() + minuteMs }
  const { events, renewals } = await readHistory(store, name, { ...range, renewals: 'minute', limit: 10 })
  expect(events).toMatchObject([
    { kind: 'lost', reason: 'not-holder', owner, source: 'library' },
    { kind: 'acquired', owner, token, ttlSeconds: 11 },
  ])
  const exact = renewals.flatMap((minute) => minute.exact ?? [])
  expect(exact.length).toBeGreaterThanOrEqual(2)
  for (const { marginMs } of exact) expect(marginMs).toBeGreaterThan(0)
  expect(recording.events?.dropped).toBe(0)
})

it('pages show each row once, also those of one instant, on both sides of an hour', async () => {
  const name = names()
  const toMs = Math.floor(Date.now() / hourMs) * hourMs
  const event = (atMs: number, id: string): LeaseEvent => ({
    ...bareEvent,
    id,
    name,
    kind: 'asked',
    source: 'observed',
    atMs,
    owner: 'a',
    release: { id: 'r', mode: 'ask', by: 'ann' },
  })
  const minute = (atMs: number): RenewalMinute => ({
    id: `m${atMs}`,
    name,
    source: 'observed',
    atMs,
    owner: 'a',
    count: 6,
    exact: null,
    leastMarginMs: null,
  })
  const written = [1, hourMs, hourMs + 1, 5 * hourMs].flatMap((ago) => [
    event(toMs - ago, `x${ago}`),
    event(toMs - ago, `y${ago}`),
  ])
  // Twice: the second time changes nothing.
  for (const each of [...written, ...written]) await store.write(each)
  for (let count = 1; count <= 90; count++) await store.writeRenewals(minute(toMs - count * minuteMs))
  for (const limit of [1, 3, 100]) {
    const ids: string[] = []
    const minutes: number[] = []
    let before: EventPlace | undefined
    do {
      const range = { fromMs: toMs - 6 * hourMs, toMs }
      const page = await readHistory(store, name, { ...range, renewals: 'minute', limit, before })
      ids.push(...page.events.map(({ id }) => id))
      minutes.push(...page.renewals.map(({ atMs }) => atMs))
      before = page.next ?? undefined
    } while (before !== undefined)
    expect(ids.toSorted()).toEqual(written.map(({ id }) => id).toSorted())
    expect(minutes).toEqual(Array.from({ length: 90 }, (_, count) => toMs - (count + 1) * minuteMs))
  }
  const { rows } = await session.client.execute(
    `SELECT TTL(kind) AS ttl FROM ${keyspace}.lease_events WHERE lease_table = ? AND name = ? AND hour = ? AND part = 'transition'`,
    [`${keyspace}.leases`, name, new Date(toMs - hourMs)],
    { prepare: true },
  )
  expect(rows[0]?.ttl).toBeGreaterThan(6 * 86_400)
})

it('a gap is one row, found on the day on which it begins, and no event', async () => {
  const name = names()
  const midnightMs = Math.floor(Date.now() / 86_400_000) * 86_400_000
  const gap: EventGap = {
    id: 'g1',
    name,
    source: 'library',
    what: 'renewals',
    fromMs: midnightMs - 120_000,
    toMs: midnightMs,
  }
  await store.writeGap(gap)
  await store.writeGap(gap)
  await store.writeGap({ ...gap, id: 'g2', what: 'everything', fromMs: midnightMs, toMs: midnightMs + 5_000 })
  const range = { fromMs: midnightMs - 60_000, toMs: midnightMs + 60_000 }
  const page = await readHistory(store, name, { ...range, renewals: 'minute', limit: 10 })
  expect([page.events, page.renewals]).toEqual([[], []])
  expect(page.dropped).toEqual([
    { ...gap, id: 'g2', what: 'everything', fromMs: midnightMs, toMs: midnightMs + 5_000 },
    { ...gap, fromMs: range.fromMs },
  ])
})

it('has every event of many that are written at the same time', async () => {
  const atMs = Date.now()
  const all = Array.from(
    { length: 50 },
    (_, i): LeaseEvent => ({
      ...bareEvent,
      name: names(),
      id: `event-${i}`,
      kind: 'acquired',
      atMs,
      source: 'library',
      owner: i % 2 === 0 ? `owner ${i}` : null,
    }),
  )
  await Promise.all(all.map((event) => store.write(event)))
  const hour = { fromMs: atMs - minuteMs, toMs: atMs + minuteMs, renewals: 'minute', limit: 10 } as const
  const found = await Promise.all(all.map(({ name }) => readHistory(store, name, hour)))
  expect(found.map(({ events }) => events)).toMatchObject(all.map(({ id, owner }) => [{ id, owner }]))
})

it.each([
  ['short', 24],
  ['the longest', 512],
])('Cassandra warns of no batch of events with %s texts', async (_, length) => {
  const execute = session.client.execute.bind(session.client)
  const answered = vi.spyOn(session.client, 'execute').mockImplementation(execute as never)
  const gathering = new CassandraEventStore(session, undefined, { gathers: { timer: systemTimer, ms: 50 } })
  const name = (at: number) => `${names()}/${at}/`.padEnd(length, 'n')
  const text = 'o'.repeat(length)
  const partitions = Array.from({ length: 12 }, (_, at) => name(at))
  await Promise.all(
    Array.from({ length: 120 }, (_, at) => {
      const event = {
        ...bareEvent,
        id: `${at}`.padEnd(32, '0'),
        kind: 'acquired',
        source: 'observed',
      } as const
      const times = { atMs: Date.now() + at, notBeforeMs: Date.now(), notAfterMs: Date.now() }
      const facts = {
        name: partitions[at % 12] as string,
        owner: text,
        previousOwner: text,
        version: 1n,
        ttlSeconds: 60,
      }
      return gathering.write({ ...event, ...times, ...facts })
    }),
  )
  const results = await Promise.all(answered.mock.results.map(({ value }) => value))
  answered.mockRestore()
  expect(results.flatMap(({ info }) => info.warnings ?? [])).toEqual([])
  // Of the short ones, a statement has several.
  expect(results.length).toBeLessThan(length < 100 ? 120 / 4 : 121)
})
