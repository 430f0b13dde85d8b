/** Sessions behind proxies that meet statements with faults at random, from a seed; and one past them, to observe. */
import { randomBytes } from 'node:crypto'
import { CassandraSession, tables } from '../../cassandra/index.ts'
import type { ExecutedRows } from '../../cassandra/session/executor.ts'
import type { Statement } from '../../cassandra/session/statement.ts'
import { type PassingStatement, type StatementFault, StatementProxy } from '../../testing/index.ts'
import type { Arrival } from '../../testing/laws/history.ts'
import { testConnect, testContactPoint, testCredentials, testSession } from '../node-session.ts'

/** Random numbers in [0, 1) that come again with the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A session that gives up sooner than the library's own 20 s and 2.5 s, so that a run may meet many time-outs. */
export class HastySession extends CassandraSession {
  static readonly writeTimeoutMs = 1_500
  static readonly readTimeoutMs = 600

  override execute(statement: Statement, params: unknown[]): Promise<ExecutedRows> {
    const limitMs =
      statement.serialConsistency === undefined ? HastySession.readTimeoutMs : HastySession.writeTimeoutMs
    return super.execute({ ...statement, readTimeoutMs: Math.min(statement.readTimeoutMs, limitMs) }, params)
  }
}

/** Of one file of tests: it drops its keyspace when it ends, and another one may run beside it. */
const keyspace = `faults_test_${randomBytes(4).toString('hex')}`

/** The observer, and the tables. */
export async function directSession(): Promise<CassandraSession> {
  const session = await testSession(keyspace)
  for (const table of [tables.leases, tables.sequences, tables.election_terms])
    await session.client.execute(table.replaceAll('$k', keyspace))
  return session
}

export async function proxyTo(options: {
  fault?: (statement: PassingStatement) => StatementFault | undefined
  arrives?: (statement: PassingStatement) => void
  answered?: (statement: PassingStatement) => void
}): Promise<StatementProxy> {
  const [host = '', port = ''] = testContactPoint().split(':')
  return StatementProxy.listen(host, Number(port), options)
}

export const sessionBehind = (proxy: StatementProxy): Promise<CassandraSession> =>
  testConnect({
    contactPoints: [proxy.contactPoint],
    localDataCenter: 'datacenter1',
    keyspace,
    ...testCredentials(),
  })

export async function hastySessionBehind(proxy: StatementProxy): Promise<CassandraSession> {
  return new HastySession(await sessionBehind(proxy))
}

/** A conditional write of the lease table as the proxy sees it; undefined: another statement. */
export function arrivalOf({ cql, values }: PassingStatement, atMs: number): Arrival | undefined {
  if (!cql.includes('.leases ') && !cql.includes('."leases" ')) return undefined
  const text = (i: number) => values[i]?.toString() ?? null
  const arrival = (kind: Arrival['kind'], name: number, owner: number, value: string | null) => ({
    kind,
    name: text(name) ?? '',
    owner: text(owner) ?? '',
    value,
    atMs,
    answeredMs: Number.POSITIVE_INFINITY,
  })
  if (cql.startsWith('DELETE')) return arrival('release', 0, 1, null)
  // A quarantine: its mark takes the owner's place.
  if (cql.startsWith('BEGIN BATCH UPDATE'))
    return { ...arrival('acquire', 3, 1, text(2)), ttlSeconds: values[0]?.readInt32BE(0) }
  if (!cql.startsWith('UPDATE')) return undefined
  return cql.endsWith('= null') ? arrival('acquire', 3, 1, text(2)) : arrival('renew', 3, 1, text(2))
}

const isRead = ({ cql }: PassingStatement) => cql.startsWith('SELECT')

type Maker = (random: () => number) => StatementFault
const between = (fromMs: number, toMs: number) => (random: () => number) =>
  Math.round(fromMs + (toMs - fromMs) * random())
/** Below and above the time after which a hasty session gives up a write. */
const [short, long] = [between(20, 1_000), between(1_700, 6_000)]
/** Together longer than a hasty session waits for a renewal; contention alone less than the limit of Paxos v2, 2 s. */
const [queued, contended] = [between(0, 400), between(1_000, 1_900)]
/** Longer than the server's every limit. */
export const longestHoldMs = 25_000

/** What happens to conditional writes, and how often among each other. */
const writeFaults: [weight: number, kind: string, make: Maker][] = [
  [20, 'request held, in time', (random) => ({ kind: 'hold-request', ms: short(random) })],
  [12, 'request held, too long', (random) => ({ kind: 'hold-request', ms: long(random) })],
  [12, 'answer held, in time', (random) => ({ kind: 'hold-answer', ms: short(random) })],
  [8, 'answer held, too long', (random) => ({ kind: 'hold-answer', ms: long(random) })],
  [10, 'began early, in time', (random) => ({ kind: 'delayed', contendedMs: short(random) })],
  [
    14,
    'began early, given up',
    (random) => ({ kind: 'delayed', queuedMs: queued(random), contendedMs: contended(random) }),
  ],
  [14, 'answer swallowed', () => ({ kind: 'swallow-answer' })],
  [3, 'cut, never arrives', () => ({ kind: 'cut-before' })],
  [4, 'cut, arrives', () => ({ kind: 'cut-after' })],
  [4, 'cut, arrives late', (random) => ({ kind: 'cut-late', ms: between(100, 6_000)(random) })],
  [9, 'server timed out, applied', () => ({ kind: 'time-out', arrives: true })],
  [9, 'server timed out, not applied', () => ({ kind: 'time-out', arrives: false })],
  [2, 'request held for 25 s', () => ({ kind: 'hold-request', ms: longestHoldMs })],
  [1, 'answer held for 25 s', () => ({ kind: 'hold-answer', ms: longestHoldMs })],
  [1, 'cut, arrives 25 s late', () => ({ kind: 'cut-late', ms: longestHoldMs })],
]
const readFaults: typeof writeFaults = [
  [30, 'read held', (random) => ({ kind: 'hold-request', ms: short(random) })],
  [30, 'read’s answer held', (random) => ({ kind: 'hold-answer', ms: short(random) })],
  [20, 'read’s answer swallowed', () => ({ kind: 'swallow-answer' })],
  [20, 'read timed out at the server', () => ({ kind: 'time-out', arrives: true })],
  [3, 'read cut', () => ({ kind: 'cut-after' })],
]

/** Meets statements with faults, and counts those that it has met. */
export class RandomFaults {
  readonly counts = new Map<string, number>()
  /** Of all conditional writes, and of all reads, the part that is met. */
  shares = { write: 0.06, read: 0.03 }
  /** Whether statements may still be held for 25 s. */
  longest = true
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  next(statement: PassingStatement): StatementFault | undefined {
    if (!statement.cql.includes(keyspace)) return undefined
    const read = isRead(statement)
    if (this.#random() >= (read ? this.shares.read : this.shares.write)) return undefined
    const faults = (read ? readFaults : writeFaults).filter(
      ([, kind]) => this.longest || !kind.includes('25 s'),
    )
    let at = this.#random() * faults.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, kind, make] of faults) {
      at -= weight
      if (at >= 0) continue
      this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
      return make(this.#random)
    }
    return undefined
  }
}
