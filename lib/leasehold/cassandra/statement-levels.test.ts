/**
 * The levels of each statement as the driver gets them. The integration tests have one node, where all levels do the
 * same. On three nodes a wrong one shows an observer what no majority has decided, or lets two customers into the bakery.
 */
import cassandra from 'cassandra-driver'
import { expect, it } from 'vitest'
import { FencedTable } from './fencing/fenced-table.ts'
import { CassandraEventStore } from './history/event-store.ts'
import { CassandraLeaseStore } from './leases/lease-store.ts'
import { CassandraResignRequests } from './leases/resign-requests.ts'
import { CassandraSession, type SessionParts } from './session/session.ts'
import type { SerialLevel } from './session/statement.ts'
import { CassandraBakeryRegisters } from './stores/bakery-registers.ts'
import { CassandraSequenceStore } from './stores/sequence-store.ts'
import { CassandraTermStore } from './stores/term-store.ts'
import { CassandraTicketStore } from './stores/ticket-store.ts'

const { consistencies } = cassandra.types
/** By `serial`: the names that the table below has for the levels. */
const levels = {
  SERIAL: { quorum: consistencies.quorum, serial: consistencies.serial },
  LOCAL_SERIAL: { quorum: consistencies.localQuorum, serial: consistencies.localSerial },
}

/** A session whose client answers every conditional write with *applied*, every read with no row. */
function recording(serial: SerialLevel) {
  const sent = new Set<string>()
  const { quorum, serial: confirmed } = levels[serial]
  const names = new Map<number | undefined, string>([
    [quorum, 'quorum'],
    [confirmed, 'serial'],
    [consistencies.localOne, 'local one'],
    [undefined, 'none'],
  ])
  const nameOf = (level: number | undefined) => names.get(level) ?? `level ${level}`
  const client = {
    options: { encoding: { useBigIntAsLong: true } },
    execute: async (cql: string, params: unknown[], options: cassandra.QueryOptions) => {
      const { consistency, serialConsistency } = options
      // Without parameters it is only prepared, ahead of its first use.
      if (params.length > 0) {
        const conditional = serialConsistency === undefined ? '' : `, ${nameOf(serialConsistency)}`
        sent.add(`${cql.split(' ', 1)} ${nameOf(consistency)}${conditional}`)
      }
      return { rows: / IF /.test(cql) ? [{ '[applied]': true }] : [], info: { queriedHost: '127.0.0.1' } }
    },
  }
  const parts = { client, reader: client, keyspace: 'k', serial, paxosVariant: 'v2', close: async () => {} }
  return { sent, session: new CassandraSession(parts as unknown as SessionParts) }
}

const leaseStores = (session: CassandraSession) => [
  new CassandraLeaseStore(session),
  new CassandraLeaseStore(session, { table: 'groups', name: 'group', owner: 'leader', value: null }),
]
const allLeaseStores = (session: CassandraSession) => [
  ...leaseStores(session),
  new CassandraLeaseStore(session, { table: 'lock', name: 'name', owner: null, value: null }),
]
const lease = { name: 'n', owner: 'o', value: 'v', knownValue: 'v', ttlSeconds: 30 }
const register = { name: 'n', customer: 'c', timestampMicros: 1n }
const ticket = { name: 'n', number: 1n, owner: 'o' }
const term = { term: 1n, leader: 'a', token: 1n, sinceMs: 0 }
const resignRequest = { id: 'i', name: 'n', owner: 'o', requestedBy: 'ann', reason: 'r', requestedAtMs: 0 }
const range = { fromMs: 0, toMs: 1 }
const moment = { name: 'n', id: 'i', atMs: 0, source: 'library', owner: 'o' } as const
const event = {
  ...moment,
  kind: 'acquired',
  previousOwner: null,
  token: null,
  version: null,
  ttlSeconds: null,
  notBeforeMs: null,
  notAfterMs: null,
  reason: null,
  release: null,
} as const
const fenced = (session: CassandraSession) =>
  new FencedTable(session, { table: 'orders', key: ['id'], fence: 'fence' })

type Work = (session: CassandraSession) => unknown
const onLeases =
  (stores: typeof leaseStores, work: (store: CassandraLeaseStore) => unknown): Work =>
  (session) =>
    Promise.all(stores(session).map(work))
const onBakery =
  (work: (store: CassandraBakeryRegisters) => unknown): Work =>
  (session) =>
    work(new CassandraBakeryRegisters(session))
const onEvents =
  (work: (store: CassandraEventStore) => unknown): Work =>
  (session) =>
    work(new CassandraEventStore(session))
const onTickets =
  (work: (store: CassandraTicketStore) => unknown): Work =>
  (session) =>
    work(new CassandraTicketStore(session))

/** By class and method: what is sent, with its level, and the level of its condition. */
const table: Record<string, Record<string, readonly [sent: string[], Work]>> = {
  CassandraLeaseStore: {
    acquire: [
      ['UPDATE quorum, serial', 'INSERT quorum, serial'],
      onLeases(allLeaseStores, (store) => store.acquire(lease)),
    ],
    renew: [['UPDATE quorum, serial'], onLeases(leaseStores, (store) => store.renew(lease))],
    release: [['DELETE quorum, serial'], onLeases(allLeaseStores, (store) => store.release(lease))],
    quarantine: [
      ['BEGIN quorum, serial'],
      onLeases(leaseStores, (store) => store.quarantine({ ...lease, mark: 'm' })),
    ],
    read: [['SELECT serial'], onLeases(allLeaseStores, (store) => store.read('n'))],
    // Of the caller's own acquisition, after its answer: a quorum has it.
    readWritten: [['SELECT quorum'], onLeases(allLeaseStores, (store) => store.readWritten('n'))],
    hint: [['SELECT local one'], onLeases(allLeaseStores, (store) => store.hint('n'))],
    scan: [
      ['SELECT quorum'],
      onLeases(allLeaseStores, async (store) => {
        await store.scan({ limit: 1 })
        await store.scan({ afterToken: '1', limit: 1 })
      }),
    ],
    scanRows: [
      ['SELECT quorum'],
      onLeases(allLeaseStores, async (store) => {
        await store.scanRows({ limit: 1 })
        await store.scanRows({ afterToken: '1', limit: 1 })
      }),
    ],
  },
  CassandraBakeryRegisters: {
    setChoosing: [['INSERT quorum'], onBakery((store) => store.setChoosing(register, 30))],
    clearChoosing: [['DELETE quorum'], onBakery((store) => store.clearChoosing(register))],
    setNumber: [['INSERT quorum'], onBakery((store) => store.setNumber(register, 1n, 30))],
    clearNumber: [['DELETE quorum'], onBakery((store) => store.clearNumber(register))],
    choosing: [['SELECT quorum'], onBakery((store) => store.choosing('n'))],
    numbers: [['SELECT quorum'], onBakery((store) => store.numbers('n'))],
  },
  CassandraTicketStore: {
    put: [['INSERT quorum'], onTickets((store) => store.put(ticket, 30, 1n))],
    remove: [['DELETE quorum'], onTickets((store) => store.remove(ticket, 1n))],
    first: [['SELECT quorum'], onTickets((store) => store.first('n', 0n, 1))],
  },
  CassandraSequenceStore: {
    read: [['SELECT serial'], (session) => new CassandraSequenceStore(session).read('n')],
    advance: [
      ['UPDATE quorum, serial'],
      (session) => new CassandraSequenceStore(session).advance('n', 1n, 2n),
    ],
  },
  CassandraTermStore: {
    read: [['SELECT serial'], (session) => new CassandraTermStore(session).read('g')],
    begin: [['UPDATE quorum, serial'], (session) => new CassandraTermStore(session).begin('g', null, term)],
  },
  FencedTable: {
    fence: [['SELECT serial'], (session) => fenced(session).fence({ id: 'a' })],
    guard: [
      ['UPDATE quorum, serial'],
      (session) => fenced(session).guard(1n).update({ id: 'a' }, { state: 's' }),
    ],
  },
  CassandraResignRequests: {
    ask: [['INSERT quorum'], (session) => new CassandraResignRequests(session).ask(resignRequest)],
    of: [
      ['SELECT quorum'],
      async (session) => {
        await new CassandraResignRequests(session).of('n')
        await new CassandraResignRequests(session).of('n', 'o')
      },
    ],
  },
  CassandraEventStore: {
    // Those that are written together share a batch.
    write: [
      ['INSERT quorum', 'BEGIN quorum'],
      onEvents((store) => Promise.all(Array.from({ length: 4 }, () => store.write(event)))),
    ],
    writeRenewals: [
      ['INSERT quorum'],
      onEvents((store) => store.writeRenewals({ ...moment, count: 1, exact: null, leastMarginMs: null })),
    ],
    writeGap: [
      ['INSERT quorum'],
      onEvents((store) =>
        store.writeGap({ name: 'n', id: 'i', source: 'library', what: 'everything', ...range }),
      ),
    ],
    gaps: [['SELECT quorum'], onEvents((store) => store.gaps('n', range))],
    transitions: [
      ['SELECT quorum'],
      onEvents(async (store) => {
        await store.transitions('n', range, 1)
        await store.transitions('n', range, 1, { atMs: 1, id: 'i' })
      }),
    ],
    renewals: [['SELECT quorum'], onEvents((store) => store.renewals('n', range))],
  },
}

it.each(['SERIAL', 'LOCAL_SERIAL'] as const)(
  'with %s each statement is sent at the level that its guarantee needs',
  async (serial) => {
    const expected: Record<string, string[]> = {}
    const found: Record<string, string[]> = {}
    for (const [store, methods] of Object.entries(table))
      for (const [method, [sent, work]] of Object.entries(methods)) {
        const { session, sent: levelsSent } = recording(serial)
        await work(session)
        expected[`${store}.${method}`] = sent
        found[`${store}.${method}`] = [...levelsSent]
      }
    expect(found).toEqual(expected)
  },
)

it('the table above has every method of the stores', () => {
  const stores = [
    CassandraLeaseStore,
    CassandraBakeryRegisters,
    CassandraTicketStore,
    CassandraSequenceStore,
    CassandraTermStore,
    FencedTable,
    CassandraResignRequests,
    CassandraEventStore,
  ]
  const methodsOf = (store: { prototype: object }) =>
    Object.getOwnPropertyNames(store.prototype).filter((name) => name !== 'constructor')
  expect(Object.fromEntries(stores.map((store) => [store.name, methodsOf(store).sort()]))).toEqual(
    Object.fromEntries(Object.entries(table).map(([store, methods]) => [store, Object.keys(methods).sort()])),
  )
})
