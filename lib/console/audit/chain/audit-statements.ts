/**
 * All CQL that writes the audit log, and what the console reads of it. An append is one batch on one partition: every
 * row, and the head moved from what it was. So no two writers can take one place, and no place is left out.
 */
import {
  levelsOf,
  quoteIdentifier,
  readTimeoutMs,
  type SerialLevel,
  type Statement,
  writeTimeoutMs,
} from 'leasehold/cassandra'

/**
 * An append waits for these reads, and is refused when they are given up: no act without its intent. A cluster whose
 * conditional writes take seconds takes as long for a read at SERIAL, and can still be acted in.
 */
const patientReadTimeoutMs = 10_000

export function auditStatements(keyspace: string, serial: SerialLevel) {
  const table = `${quoteIdentifier('keyspace', keyspace)}.audit_log`
  const level = levelsOf(serial)
  const operation = 'audit'
  const read = (cql: string): Statement => ({ operation, cql, consistency: level.quorum, readTimeoutMs })
  const patient = (statement: Statement): Statement => ({ ...statement, readTimeoutMs: patientReadTimeoutMs })
  const confirmed = (cql: string): Statement => patient({ ...read(cql), consistency: level.serial })
  const row = 'seq, id, body, prev, hash'
  const head = 'head_seq, head_hash, head_bytes, head_next, prev_bucket, ttl(head_hash) AS head_ttl'
  return {
    /** @param count how many rows; each number is a statement of its own. @param ttlSeconds null: for ever */
    append: (count: number, ttlSeconds: number | null): Statement => {
      const using = ttlSeconds === null ? '' : ` USING TTL ${ttlSeconds}`
      return {
        operation,
        cql: `BEGIN BATCH
 UPDATE ${table}${using} SET head_seq = ?, head_hash = ?, head_bytes = ?, head_next = ?, prev_bucket = ? WHERE bucket = ? IF head_seq = ? AND head_hash = ?;
${` INSERT INTO ${table} (bucket, ${row}) VALUES (?, ?, ?, ?, ?, ?)${using};\n`.repeat(count)}APPLY BATCH`,
        consistency: level.quorum,
        serialConsistency: level.serial,
        readTimeoutMs: writeTimeoutMs,
      }
    },
    // It also reads the last row: a head that was set back must not make the console write over later rows.
    head: confirmed(
      `SELECT ${row}, ttl(hash) AS row_ttl, ${head} FROM ${table} WHERE bucket = ? ORDER BY seq DESC LIMIT 1`,
    ),
    /** Reads back what was appended. */
    appended: confirmed(
      `SELECT seq, id, hash, ttl(hash) AS row_ttl, ${head} FROM ${table} WHERE bucket = ? AND seq >= ? LIMIT ?`,
    ),
    rowsFrom: confirmed(`SELECT ${row} FROM ${table} WHERE bucket = ? AND seq >= ? LIMIT ?`),
    rowsBefore: read(`SELECT ${row} FROM ${table} WHERE bucket = ? AND seq < ? ORDER BY seq DESC LIMIT ?`),
    // Page by page in token order, and few at a time: a node reads the heads with the names, and another client may have put megabytes into
    // each. Some 700 partitions a year.
    buckets: patient(read(`SELECT DISTINCT bucket FROM ${table} LIMIT 10`)),
    bucketsAfter: patient(
      read(`SELECT DISTINCT bucket FROM ${table} WHERE token(bucket) > token(?) LIMIT 10`),
    ),
  }
}

export type AuditStatements = ReturnType<typeof auditStatements>
