/**
 * Brings the schema up to date.
 *
 * Guarantees: each migration is applied by one instance at a time, guarded by the lease `leasehold/migrations`, which is
 * renewed before each step; what was applied is not applied again; a start that was cut off is picked up by the next one.
 * Instances of the last release go on working beside, and start again later: migrations only add (schema.ts), and one
 * that this version does not know is left alone. `upgrade.integration.test.ts` replays the last release's statements.
 * Does not guarantee: that one step, begun under the lease, ends before the lease does. So statements add only what is not
 * there, and what is done to the rows afterwards is conditional.
 * Does not guarantee: that an older release accepts what this one has written in new columns, or heeds it.
 */
import { createHash } from 'node:crypto'
import { type CassandraSession, fromDriver, quoteIdentifier } from 'leasehold/cassandra'
import { isLeaseholdError, type LeaseProtocol, type Tenure } from 'leasehold/lease'
import { type Clock, type Timer, untilDeadlineMs } from 'leasehold/time'
import type { Log } from '../../http/log/log.ts'
import { hasKeyspace, tablesOf } from '../system-statements.ts'
import { migrationStatements } from './migration-statements.ts'
import { bootstrapTable, type Migration, migrations, migrationsTable } from './schema.ts'

export const migrationsLease = 'leasehold/migrations'
const leaseTtlSeconds = 60
/**
 * From the beginning of the start on, whose connection and earlier tries may have taken a while. Less than the 180 s that `npm
 * start` and the unit wait for a console (scripts/console/server.mjs): after them it is ended, and never says why.
 */
const waitAtMostMs = 150_000
/** Less than the lease, which is renewed before each. */
const ddlWithinMs = 30_000
const ddlTries = 4

/** A schema that this version cannot work with: one sentence. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

interface MigrateOptions {
  session: CassandraSession
  leases: LeaseProtocol
  replication: number
  clock: Clock
  timer: Timer
  /** When the start began, by the monotonic clock. */
  beganMs: number
  log: Log
  migrations?: readonly Migration[]
  /**
   * What a migration does to the rows after its statements, by its version. It may run twice, when a start is cut off, and
   * beside another instance's, when a start stands still: it writes with conditions alone.
   */
  afterwards?: Readonly<Record<number, () => Promise<unknown>>>
}

/** @returns how many migrations this call applied */
export async function migrate(options: MigrateOptions): Promise<number> {
  const { session, clock, timer, beganMs, log } = options
  await createBootstrap(options)
  // Nothing to do is the usual start: it need not wait for the lease of an instance that died in the middle of its own.
  if ((await missing(options)).length === 0) return 0
  for (let isLogged = false; ; ) {
    const outcome = await options.leases.tryAcquire(migrationsLease, { ttlSeconds: leaseTtlSeconds })
    if (outcome.kind === 'acquired') {
      try {
        return await applyAll(options, outcome.tenure)
      } finally {
        await options.leases
          .release(outcome.tenure)
          .catch((error) => log.warn({ error }, 'migrations: the lease expires by itself'))
      }
    }
    if (!isLogged)
      log.info({ holder: outcome.owner }, 'migrations: waiting for another instance, which is migrating')
    isLogged = true
    if (clock.now().monotonicMs - beganMs > waitAtMostMs)
      throw new MigrationError(
        `Another instance (${outcome.owner}) is migrating ${session.keyspace}, and did not end within ${waitAtMostMs / 1000} seconds of this start: end it, or delete its lease ${migrationsLease}.`,
      )
    await timer.sleep(250)
  }
}

async function createBootstrap({ session, leases, replication, timer, log }: MigrateOptions): Promise<void> {
  const { client } = session
  if (!(await hasKeyspace(session, session.keyspace))) {
    const perDataCenter = new Map<string, number>()
    for (const host of client.hosts.values())
      perDataCenter.set(host.datacenter ?? '', (perDataCenter.get(host.datacenter ?? '') ?? 0) + 1)
    for (const [dataCenter, nodes] of perDataCenter)
      if (nodes < replication)
        throw new MigrationError(
          `CASSANDRA_REPLICATION is ${replication}, but the data centre ${dataCenter} has ${nodes} ${nodes === 1 ? 'node' : 'nodes'}: no quorum could ever be reached. Set it to ${nodes}, or create the keyspace ${session.keyspace} yourself.`,
        )
    const factors = [...perDataCenter.keys()].map(
      (dataCenter) => `'${dataCenter.replaceAll("'", "''")}': ${replication}`,
    )
    const replicated = `{'class': 'NetworkTopologyStrategy', ${factors.join(', ')}}`
    await untilAnswered(log, () =>
      ddl(session, `CREATE KEYSPACE IF NOT EXISTS $k WITH replication = ${replicated}`),
    )
  }
  if (!(await hasTable(session, 'leases')))
    await untilAnswered(log, () => ddl(session, bootstrapTable(session.keyspace)))
  for (let tries = 0; !(await session.schemaAgreement()); tries++) {
    if (tries === 100)
      throw new MigrationError(
        'The nodes of Cassandra do not agree on the schema; see `nodetool describecluster`.',
      )
    await timer.sleep(200)
  }
  await whenNamed(timer, () => leases.read(migrationsLease))
}

/**
 * Reads a table that another instance may be making. Such a table is listed in system_schema a little before statements
 * can name it ("does not exist": two of five starts of two instances at once), and can be named a little before it can
 * be read ("Unknown CF": eight of a hundred).
 */
async function whenNamed<T>(timer: Timer, read: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await read()
    } catch (thrown) {
      if (!isTooEarly(thrown) || tries === 50) throw thrown
      await timer.sleep(200)
    }
  }
}

const isTooEarly = (thrown: unknown): boolean =>
  (isLeaseholdError(thrown, 'store-refused') && /does not exist/.test(thrown.message)) ||
  (isLeaseholdError(thrown, 'store-unavailable') && /Unknown CF/.test((thrown.cause as Error)?.message))

/** Migrations that are not applied yet. @throws MigrationError when one was applied in another form */
async function missing(options: MigrateOptions): Promise<{ migration: Migration; checksum: string }[]> {
  const { session, timer } = options
  const statements = migrationStatements(session.keyspace, session.serial)
  const known = await hasTable(session, 'schema_migrations')
  const { rows } = known
    ? await whenNamed(timer, () => session.execute(statements.readMigrations, []))
    : { rows: [] }
  const applied = new Map(rows.map((row) => [row.version as number, row.checksum as string]))
  return (options.migrations ?? migrations).flatMap((migration) => {
    const checksum = createHash('sha256').update(migration.statements.join('\n')).digest('hex')
    const before = applied.get(migration.version)
    if (before === checksum) return []
    if (before === undefined) return [{ migration, checksum }]
    throw new MigrationError(
      `Migration ${migration.version} (${migration.name}) was applied to ${session.keyspace} in another form than this version knows; use the version that made it.`,
    )
  })
}

async function applyAll(options: MigrateOptions, tenure: Tenure): Promise<number> {
  const { session, leases, clock, log } = options
  const statements = migrationStatements(session.keyspace, session.serial)
  if (!(await hasTable(session, 'schema_migrations')))
    await untilAnswered(log, () => ddl(session, migrationsTable))
  let held = tenure
  const stillHeld = async () => {
    const renewed = await leases.renew(held)
    if (renewed.kind === 'lost' || untilDeadlineMs(renewed.tenure.deadline, clock.now()) <= 0)
      throw new MigrationError('The lease on migrations was lost in the middle; start again.')
    held = renewed.tenure
  }
  // Looked up again under the lease: another instance may have applied some while this one waited.
  const list = await missing(options)
  for (const { migration, checksum } of list) {
    for (const statement of migration.statements)
      await untilAnswered(log, async () => {
        await stillHeld()
        await ddl(session, statement)
      })
    const work = options.afterwards?.[migration.version]
    if (work !== undefined) {
      await untilAnswered(log, stillHeld)
      await work()
    }
    await untilAnswered(log, stillHeld)
    await session.execute(statements.insertMigration, [
      migration.version,
      migration.name,
      checksum,
      new Date(),
    ])
    log.info({ version: migration.version, name: migration.name }, 'migrations: applied')
  }
  return list.length
}

/** Looked up first: a role without CREATE may use a keyspace that exists. */
const hasTable = async (session: CassandraSession, table: string): Promise<boolean> =>
  (await tablesOf(session, session.keyspace)).includes(table)

/** A busy cluster may need longer than `ddlWithinMs` to agree. Each statement adds what is not there, so it may be sent again. */
async function untilAnswered(log: Log, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isLeaseholdError(error, 'store-unavailable') || tries === ddlTries) throw error
      log.warn({ error, tries }, 'migrations: a change of the schema was not answered; it is sent again')
    }
  }
}

/** Schema changes wait for agreement; the driver does that before it answers. */
async function ddl(session: CassandraSession, statement: string): Promise<void> {
  const cql = statement.replace('$k', quoteIdentifier('keyspace', session.keyspace))
  try {
    await session.client.execute(cql, [], { readTimeout: ddlWithinMs })
  } catch (thrown) {
    throw fromDriver(thrown, 'read')
  }
}
