/** Numbers beyond what a type holds, which any program that may write these tables can leave: a timestamp that no `Date` holds is one of NaN. */
import { expect, it } from 'vitest'
import { bareEvent } from '../history/index.ts'
import { CassandraEventStore } from './history/event-store.ts'
import { CassandraResignRequests } from './leases/resign-requests.ts'
import type { Executor } from './session/executor.ts'
import { CassandraTermStore } from './stores/term-store.ts'

const never = new Date(Number.NaN)
const withRow = (row: Record<string, unknown>): Executor => ({
  keyspace: 'k',
  serial: 'SERIAL',
  paxosVariant: 'v2',
  execute: async () => ({ rows: [row], coordinator: 'n' }),
})
const refused = { code: 'store-refused' }

it('a term, and a request to resign, are refused by name', async () => {
  const terms = new CassandraTermStore(withRow({ term: 1n, leader: 'a', token: 1n, since: never }))
  await expect(terms.read('g')).rejects.toMatchObject(refused)
  const row = { owner: 'a', id: 'i', requested_by: 'ann', reason: 'r', requested_at: never }
  await expect(new CassandraResignRequests(withRow(row)).of('job', 'a')).rejects.toMatchObject(refused)
})

it('an event is as well placed as its other instants say', async () => {
  const row = {
    id: 'i',
    kind: 'acquired',
    source: 'observed',
    at: new Date(5),
    not_before: never,
    not_after: never,
  }
  const events = new CassandraEventStore(withRow(row))
  const range = { fromMs: 0, toMs: 10 }
  expect(await events.transitions('job', range, 5)).toMatchObject([
    { atMs: 5, notBeforeMs: null, notAfterMs: null },
  ])
  const nowhere = new CassandraEventStore(withRow({ ...row, at: never }))
  await expect(nowhere.transitions('job', range, 5)).rejects.toMatchObject(refused)
})

it('an event of a row whose version lies in the far future is written without the TTL that no column holds', async () => {
  const sent: unknown[][] = []
  const execute = async (_: unknown, params: unknown[]) => {
    sent.push(params)
    return { rows: [], coordinator: 'n' }
  }
  const events = new CassandraEventStore({ ...withRow({}), execute })
  const event = {
    ...bareEvent,
    id: 'i',
    name: 'job',
    kind: 'acquired',
    source: 'observed',
    atMs: 5,
    owner: 'a',
  } as const
  await events.write({ ...event, ttlSeconds: -9_221_576_212_810 })
  await events.write({ ...event, ttlSeconds: 30 })
  const numbers = sent.map((params) => params.filter((param) => typeof param === 'number'))
  // The last is the retention.
  expect(numbers.map((all) => all.slice(0, -1))).toEqual([[], [30]])
})
