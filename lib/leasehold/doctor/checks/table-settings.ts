import type { TableSettings } from '../../cassandra/index.ts'
import { fail, type Judgement, ok, warn } from '../finding.ts'

const hour = 3_600
const day = 24 * hour

export function checkDefaultTtl({ defaultTtlSeconds: ttl }: TableSettings, table: string): Judgement {
  if (ttl === 0)
    return warn(
      'default_time_to_live is 0: a client that writes without a TTL makes a lease that never ends.',
      `ALTER TABLE ${table} WITH default_time_to_live = 180. Rows that exist keep what they have.`,
    )
  if (ttl > day)
    return warn(
      `default_time_to_live is ${ttl} s: a client that writes without a TTL holds a lease for ${Math.round(ttl / hour)} h.`,
      `ALTER TABLE ${table} WITH a default_time_to_live of minutes.`,
    )
  return ok(`default_time_to_live is ${ttl} s. Leasehold names a TTL in each write.`)
}

/** Tombstones of busy rows are kept for this long, and so is what a replica may miss. */
export function checkGcGrace({ gcGraceSeconds: grace }: TableSettings, table: string): Judgement {
  if (grace < hour)
    return warn(
      `gc_grace_seconds is ${grace}: a replica that was away for longer may bring a released lease back until its TTL ends.`,
      `ALTER TABLE ${table} WITH gc_grace_seconds = 10800.`,
    )
  if (grace > 3 * hour)
    return warn(
      `gc_grace_seconds is ${grace}: rows that change often keep the tombstones of ${Math.round(grace / hour)} h, which each read passes.`,
      `ALTER TABLE ${table} WITH gc_grace_seconds = 10800.`,
    )
  return ok(`gc_grace_seconds is ${grace}.`)
}

/** Those that bring the versions of a row together soon. */
const fitting = ['LeveledCompactionStrategy', 'UnifiedCompactionStrategy']

export function checkCompaction({ compaction }: TableSettings, table: string): Judgement {
  if (fitting.includes(compaction)) return ok(`The table has ${compaction}.`)
  return warn(
    `The table has ${compaction}: tombstones of busy rows stay in many files, which each read passes.`,
    `ALTER TABLE ${table} WITH compaction = {'class': 'LeveledCompactionStrategy'}.`,
  )
}

/** On an Accord table of 6.0-alpha2 a conditional write with a TTL is applied, and its row has expired already. */
export function checkTransactionalMode(
  { transactionalMode: mode, migratesFrom }: TableSettings,
  table: string,
): Judgement {
  if (mode === null) return ok('This Cassandra has no transactional_mode: conditional writes run on Paxos.')
  if (mode === 'off' && migratesFrom === null)
    return ok('transactional_mode is off: conditional writes run on Paxos.')
  if (mode === 'off')
    return fail(
      `transactional_mode is off, and the migration from ${migratesFrom} is not finished: conditional writes may still run on Accord.`,
      `Repair the table ${table}, which ends the migration, then run the canary.`,
    )
  return fail(
    `transactional_mode is ${mode}: conditional writes run on Accord${migratesFrom === null ? '' : `, or will once the migration from ${migratesFrom} is finished`}. Cassandra 6.0-alpha2 grants one lease to two owners there.`,
    `ALTER TABLE ${table} WITH transactional_mode = 'off', repair the table, then run the canary.`,
  )
}
