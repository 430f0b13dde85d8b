/**
 * The rights of each role in Cassandra: one list. `createConsole` grants it with the schema role, where there is one;
 * for a cluster of one's own docs/operations.md shows it, and a test compares the two.
 *
 * A table of the console's that is not modified is none: whatever a migration makes, the writer may modify. What it may
 * not modify is not in the list: `schema_migrations`, `audit_keys`, tables that are mapped `readOnly`, those of other programs.
 */
import {
  type CassandraSession,
  fromDriver,
  quoteIdentifier,
  type TableMapping,
  tables,
} from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import { type Clock, elapsedMs, systemClock, systemTimer, type Timer } from 'leasehold/time'
import { ConfigError } from '../config-error.ts'
import { migrations, schemaRoleTables } from './schema.ts'

export interface Grant {
  permission: 'SELECT' | 'MODIFY'
  /** `KEYSPACE "k"` or `TABLE "k"."t"`. */
  resource: string
  role: string
  why: string
}

/** Cassandra's names of the roles; a role that is not set gets no grant. */
interface GrantedRoles {
  writer: string | undefined
  reader: string | undefined
  /** Of services that speak CQL to the lease tables, beside the console. */
  program: string | undefined
}

/** A configured lease table. */
interface GrantedTable {
  readonly id: string
  readonly mapping: TableMapping
  readonly readOnly: boolean
}

/** What the console modifies each of its tables for. A test misses the one that is new. */
export const purposes: Record<string, string> = {
  leases: 'locks, elections, forced releases; the lease under which migrations run',
  sequences: 'numbers that are each given once',
  election_terms: 'the terms of elections',
  lock_tickets: 'the line of waiters for a fair lock',
  bakery_choosing: 'the bakery lock',
  bakery_numbers: 'the bakery lock',
  resign_requests: 'asking a holder to resign',
  users: 'new users, passwords, roles',
  user_changes: 'changes of users by earlier versions, during an upgrade',
  sessions: 'sign-in and sign-out',
  api_tokens: 'tokens of programs, made and revoked',
  token_revocations: 'the last revocation of a token, by which instances know which tokens count',
  token_uses: 'when a token was last used',
  idempotent_requests: 'answers kept for a request that is sent again',
  audit_log: 'entries, appended; `npm run audit -- verify` finds one that was changed',
  releases: 'forced releases, from plan to report',
  releases_by_lease: 'the forced releases of one lease',
  awaiting_releases: 'forced releases that wait for a second person',
  lease_events: 'the history of leases',
  lease_recordings: 'when the history was recorded, and when not',
  lab_runs: 'runs of the election lab',
  lab_journals: 'the journals of runs of the lab',
  lab_counters: 'the counters of runs of the lab',
}

/** The console's tables that it modifies, as the migrations make them. */
export function ownTables(): string[] {
  const made = migrations
    .flatMap(({ statements }) => statements)
    .flatMap((statement) => /CREATE TABLE IF NOT EXISTS \$k\.(\w+)/.exec(statement)?.[1] ?? [])
  return [...new Set(['leases', ...made])].filter((table) => !schemaRoleTables.includes(table))
}

/** What is granted for these tables, and taken back: a table that is mapped `readOnly` now may not have been before. */
export function grantsOf(
  keyspace: string,
  configured: readonly GrantedTable[],
  { writer, reader, program }: GrantedRoles,
): { grants: Grant[]; revocations: Grant[] } {
  const resourceOf = (of: string, table: string) =>
    `TABLE ${quoteIdentifier('keyspace', of)}.${quoteIdentifier('table', table)}`
  const own = ownTables().map((table) => ({
    resource: resourceOf(keyspace, table),
    why: purposes[table] ?? table,
  }))
  const mapped = configured
    .map(({ id, mapping, readOnly }) => ({
      resource: resourceOf(mapping.keyspace ?? keyspace, mapping.table),
      why: `${id} of LEASEHOLD_CONFIG`,
      readOnly,
    }))
    .filter(({ resource, readOnly }) => readOnly || own.every((table) => table.resource !== resource))
  const shown = mapped.filter(({ readOnly }) => readOnly).map(({ resource }) => resource)
  const shared = Object.keys(tables).map((table) => resourceOf(keyspace, table))

  const modified = [...own, ...mapped].filter(({ resource }) => !shown.includes(resource))
  const lent = modified.filter(
    (table) => shared.includes(table.resource) || mapped.some(({ resource }) => resource === table.resource),
  )
  const conditional = 'a conditional write reads what its condition names'
  return {
    grants: [
      ...to(reader, 'SELECT', [
        { resource: keyspaceResource(keyspace), why: 'what the console shows' },
        ...mapped,
      ]),
      ...to(writer, 'SELECT', [{ resource: keyspaceResource(keyspace), why: conditional }, ...mapped]),
      ...to(writer, 'MODIFY', modified),
      ...to(
        program,
        'SELECT',
        lent.map(({ resource }) => ({ resource, why: conditional })),
      ),
      ...to(program, 'MODIFY', lent),
    ],
    revocations: to(
      writer,
      'MODIFY',
      mapped.filter(({ readOnly }) => readOnly),
    ),
  }
}

type Granted = Pick<Grant, 'resource' | 'why'>

const keyspaceResource = (keyspace: string) => `KEYSPACE ${quoteIdentifier('keyspace', keyspace)}`
const quoteRole = (role: string) => `"${role.replaceAll('"', '""')}"`

/** What only an administrator of Cassandra can grant: the settings that protocols depend on are in a keyspace of its own. */
export const administratorGrants = ({ reader, writer }: GrantedRoles): Grant[] =>
  to(reader ?? writer, 'SELECT', [
    { resource: 'KEYSPACE system_views', why: "the nodes' settings (paxos_variant) and state" },
  ])

/** Makes a grant of each. */
const to = (role: string | undefined, permission: Grant['permission'], of: readonly Granted[]): Grant[] =>
  role === undefined ? [] : of.map(({ resource, why }) => ({ permission, resource, role, why }))

export const grantCql = ({ permission, resource, role }: Grant): string =>
  `GRANT ${permission} ON ${resource} TO ${quoteRole(role)}`
const revokeCql = ({ permission, resource, role }: Grant): string =>
  `REVOKE ${permission} ON ${resource} FROM ${quoteRole(role)}`

/**
 * Cassandra gives the role that made a keyspace its rights there a moment after others see the keyspace. A statement of that
 * role in between makes each node remember that the right is missing, for `permissions_validity` (2 s unless set): two consoles that
 * start at once on an empty cluster were both refused.
 */
const refusedForMs = 10_000
const pauseMs = 250

/**
 * Grants the list, and revokes what the list takes back; it touches no other right.
 * @throws ConfigError when Cassandra refuses it for ten seconds
 */
export async function applyGrants(
  session: Pick<CassandraSession, 'client'>,
  { grants, revocations }: ReturnType<typeof grantsOf>,
  { clock = systemClock, timer = systemTimer }: { clock?: Clock; timer?: Timer } = {},
): Promise<void> {
  const began = clock.now()
  for (const cql of [...grants.map(grantCql), ...revocations.map(revokeCql)]) {
    let refusal = await refusalOf(session, cql)
    while (refusal !== null && elapsedMs(began, clock.now()) < refusedForMs) {
      await timer.sleep(pauseMs)
      refusal = await refusalOf(session, cql)
    }
    if (refusal !== null)
      throw new ConfigError(
        `The role of CASSANDRA_SCHEMA_USERNAME cannot do ${cql}: ${refusal.replace(/[^.!?]$/, '$&.')} docs/operations.md says what it needs; or unset CASSANDRA_SCHEMA_USERNAME, and grant by hand.`,
      )
  }
}

/** Why Cassandra refuses the statement; null: it was carried out. @throws StoreUnavailableError */
async function refusalOf({ client }: Pick<CassandraSession, 'client'>, cql: string): Promise<string | null> {
  try {
    await client.execute(cql)
    return null
  } catch (thrown) {
    const error = fromDriver(thrown, 'read')
    if (isLeaseholdError(error, 'store-refused')) return error.message
    throw error
  }
}
