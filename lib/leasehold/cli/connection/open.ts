import type { CassandraSession } from '../../cassandra/index.ts'
import type { Terms } from '../../election/index.ts'
import {
  isLeaseholdError,
  LeaseProtocol,
  type LeaseStore,
  type LeaseView,
  type ResignRequests,
  remainingMs,
  type TicketStore,
} from '../../lease/index.ts'
import type { Block } from '../../sequence/index.ts'
import { expirySeconds, systemClock, systemTimer, writtenTtlSeconds } from '../../time/index.ts'
import { CliError, sentence } from '../process/cli-error.ts'
import { exitCode } from '../process/exit-codes.ts'
import { unlessAborted } from '../process/interrupt.ts'
import type { Connection } from './connection.ts'

/** A lease for `ls` and `get`, read at SERIAL. */
export interface Row {
  readonly name: string
  /** null: a zombie, or a lock of a server's table without an owner column. */
  readonly owner: string | null
  /** The owner has expired, and the row has not. */
  readonly isZombie: boolean
  readonly value: string | null
  readonly version: bigint | null
  readonly ttlSeconds: number | null
  readonly expiresAtMs: number | null
  /** By the coordinator's clock, at the time of the read. */
  readonly remainingMs: number | null
  /** As `remainingMs`, for the value: it may stand for longer than the owner. */
  readonly valueRemainingMs: number | null
  /** The time of the read, on the monotonic clock. */
  readonly readAtMs: number
}

interface Page {
  readonly rows: Row[]
  /** Where the next page begins; null: there is none. */
  readonly next: string | null
}

/** What the commands need of a connection, to a cluster or to a server in front of one. */
export interface Opened {
  readonly store: LeaseStore
  /** The queues of waiters. */
  readonly tickets: TicketStore
  readonly terms: Terms
  readonly resignRequests: ResignRequests
  page(request: { prefix: string; limit: number; after: string | null }): Promise<Page>
  nextBlock(name: string, count: number): Promise<Block>
  close(): Promise<void>
}

/** @throws StoreUnavailableError, StoreRefusedError, InvalidArgumentError */
export async function open(connection: Connection): Promise<Opened> {
  // Imports at call time: `--help` stays quick, and a connection to a server loads no driver.
  return connection.kind === 'server' ? openServer(connection) : openCassandra(connection)
}

type ToCassandra = Connection & { kind: 'cassandra' }

/** @throws CliError (123) that names `npm start`, where its node was meant; as `connect` otherwise */
export async function connectTo({ connect: options, file }: ToCassandra): Promise<CassandraSession> {
  const { connect } = await import('../../cassandra/index.ts')
  try {
    return await connect(options)
  } catch (thrown) {
    if (file === undefined || !isLeaseholdError(thrown, 'store-unavailable')) throw thrown
    throw new CliError(
      exitCode.unavailable,
      `${sentence(thrown.message)} This is the Cassandra of \`npm start\` that ${file} names. See whether \`npm start\` runs, and wait until it is ready.`,
      { cause: thrown },
    )
  }
}

async function openCassandra(connection: ToCassandra): Promise<Opened> {
  const { CassandraLeaseStore, CassandraResignRequests, CassandraTicketStore, defaultMapping } = await import(
    '../../cassandra/index.ts'
  )
  const { Sequence } = await import('../../sequence/index.ts')
  const session = await connectTo(connection)
  try {
    const mapping = connection.mapping ?? defaultMapping
    const store = new CassandraLeaseStore(session, mapping)
    const protocol = new LeaseProtocol({ store })
    return {
      store,
      tickets: new CassandraTicketStore(session, mapping),
      terms: session.terms,
      resignRequests: new CassandraResignRequests(session, mapping),
      page: async ({ prefix, limit, after }) => {
        const page = await protocol.page({ prefix, limit, afterToken: after ?? undefined })
        return { rows: page.leases.map(rowOf), next: page.nextToken }
      },
      nextBlock: (name, count) => new Sequence({ store: session.sequences, name }).nextBlock(count),
      close: () => session.close(),
    }
  } catch (thrown) {
    await session.close()
    throw thrown
  }
}

async function openServer({
  url,
  token,
  table,
  paxosVariant,
}: Connection & { kind: 'server' }): Promise<Opened> {
  const {
    HttpLeaseStore,
    HttpResignRequests,
    HttpSequence,
    HttpTerms,
    HttpTicketStore,
    LeaseholdServer,
    leasePage,
  } = await import('../../http/index.ts')
  const server = new LeaseholdServer({ url, token })
  return {
    store: new HttpLeaseStore(server, { table, paxosVariant }),
    tickets: new HttpTicketStore(server, { table }),
    terms: new HttpTerms({ server }),
    resignRequests: new HttpResignRequests(server, { table }),
    page: async ({ prefix, limit, after }) => {
      const page = await leasePage(server, {
        limit,
        prefix: prefix === '' ? undefined : prefix,
        cursor: after ?? undefined,
        table,
      })
      const readAtMs = systemClock.now().monotonicMs
      const rows = page.leases.map(({ name, cells, isZombie }): Row => {
        const { owner, value, ownerWritetime: version, serverNowMs } = cells
        const expiryOf = (ttl: number | null) => (ttl === null ? null : expirySeconds(serverNowMs, ttl))
        const leftUntil = (seconds: number | null) => (seconds === null ? null : seconds * 1000 - serverNowMs)
        const expiry = expiryOf(cells.ownerTtlSeconds)
        return {
          name,
          owner,
          isZombie,
          value,
          version,
          ttlSeconds: expiry === null || version === null ? null : writtenTtlSeconds(expiry, version),
          expiresAtMs: expiry === null ? null : expiry * 1000,
          remainingMs: leftUntil(expiry),
          valueRemainingMs: leftUntil(expiryOf(cells.valueTtlSeconds)),
          readAtMs,
        }
      })
      return { rows, next: page.nextCursor }
    },
    nextBlock: (name, count) => new HttpSequence({ server, name }).nextBlock(count),
    close: async () => {},
  }
}

export function rowOf(view: LeaseView): Row {
  const { name, owner, value, version, ttlSeconds, expiresAtMs, valueExpiresAtMs, read } = view
  return {
    name,
    owner,
    isZombie: owner === null,
    value,
    version,
    ttlSeconds,
    expiresAtMs,
    remainingMs: remainingMs(view, read.at),
    valueRemainingMs: remainingMs({ expiresAtMs: valueExpiresAtMs, read }, read.at),
    readAtMs: read.at.monotonicMs,
  }
}

/** How long closing may take, in milliseconds. The process ends anyway, and an open connection harms no other one. */
const closeWithinMs = 300

export async function closeSoon(opened: { close(): Promise<void> }): Promise<void> {
  await Promise.race([opened.close().catch(() => {}), systemTimer.sleep(closeWithinMs)])
}

/**
 * Opens the connection, runs `work`, and closes the connection again.
 * @param interrupted aborts the opening
 */
export async function withOpened<T>(
  connection: Connection,
  work: (opened: Opened) => Promise<T>,
  interrupted?: AbortSignal,
): Promise<T> {
  const opened = await unlessAborted(interrupted, open(connection))
  try {
    return await work(opened)
  } finally {
    await closeSoon(opened)
  }
}
