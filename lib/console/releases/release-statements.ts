/**
 * All CQL of forced releases. A plan's row is written by conditional writes alone: of any number of attempts one uses it. The
 * two lists beside it are plain rows with client-made ids, written idempotently.
 */

import { type SerialLevel, type Statement, writeTimeoutMs } from 'leasehold/cassandra'
import type { ReleaseMode } from '../../contract/releases/release.ts'
import { statementsIn } from '../store/statement-kinds.ts'
import type { Plan } from './plans.ts'
import { rememberedSeconds } from './rules/lease-release.ts'

/** A person waits for this at the screen: a shorter time-out than that of a lease's own writes. */
const decideWithinMs = writeTimeoutMs / 2

/** All of a row but its version and its seal. */
export const sealedColumns = [
  'id',
  'state',
  'plan',
  'mode',
  'reason',
  'requested_by',
  'requested_at',
  'decided_by',
  'decided_at',
  'decision_reason',
  'report',
  'attempt',
] as const

/** Of one list of a lease. Each costs a read at SERIAL, until its outcome is final. */
export const recentMax = 50

export function releaseStatements(keyspace: string, serial: SerialLevel) {
  const kinds = statementsIn(keyspace, serial)
  // For reads too: operators release leases while Cassandra is slow.
  const patient = (statement: Statement): Statement => ({ ...statement, readTimeoutMs: decideWithinMs })
  const plain = (cql: string) => patient(kinds.plain(cql))
  const conditional = (cql: string) => patient(kinds.conditional(cql))
  const confirmed = (cql: string) => patient(kinds.confirmed(cql))
  const columns = [...sealedColumns, 'version', 'seal'].join(', ')
  const moved = ['state', 'mode', 'reason', 'requested_by', 'requested_at', 'decided_by', 'decided_at']
  const set = [...moved, 'decision_reason', 'report', 'attempt', 'version', 'seal']
  return {
    insert: conditional(
      'INSERT INTO $k.releases (id, state, plan, attempt, version, seal) VALUES (?, ?, ?, ?, ?, ?) IF NOT EXISTS',
    ),
    read: confirmed(`SELECT ${columns} FROM $k.releases WHERE id = ?`),
    move: conditional(
      `UPDATE $k.releases SET ${set.map((column) => `${column} = ?`).join(', ')} WHERE id = ? IF state = ? AND version = ?`,
    ),
    remember: plain(
      'INSERT INTO $k.releases_by_lease (lease_table, name, requested_at, id) VALUES (?, ?, ?, ?) USING TTL ?',
    ),
    recent: plain(
      `SELECT id FROM $k.releases_by_lease WHERE lease_table = ? AND name = ? LIMIT ${recentMax}`,
    ),
    await: plain('INSERT INTO $k.awaiting_releases (shard, requested_at, id) VALUES (0, ?, ?)'),
    stopAwaiting: plain('DELETE FROM $k.awaiting_releases WHERE shard = 0 AND requested_at = ? AND id = ?'),
    awaiting: plain('SELECT id FROM $k.awaiting_releases WHERE shard = 0 ORDER BY requested_at DESC LIMIT ?'),
  }
}

/** Kills of a lease have a list of their own too: requests of other modes, which cost no rights, would push them out of the one of all. */
export const killsIn = (table: string): string => `kills in ${table}`

/** Of `remember`, for each list. The lists are keyed by the plan's time of making: a second try writes the same rows again. */
export const rememberedValues = (
  { id, lease: { table, name }, madeAtMs }: Plan,
  mode: ReleaseMode,
  overlapMs: number | null,
): unknown[][] =>
  (mode === 'kill' ? [table, killsIn(table)] : [table]).map((list) => [
    list,
    name,
    new Date(madeAtMs),
    id,
    rememberedSeconds(mode, overlapMs),
  ])
