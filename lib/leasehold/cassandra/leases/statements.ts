/**
 * All CQL on the lease tables, each statement with its consistency and its serial consistency. No other file of this library writes a
 * lease table: a plain write breaks the protocol. After one with a timestamp in the future, a conditional write answers
 * *applied* and has no effect.
 */
import cassandra from 'cassandra-driver'
import {
  levelsOf,
  readTimeoutMs,
  type SerialLevel,
  type Statement,
  writeTimeoutMs,
} from '../session/statement.ts'
import type { QuotedMapping } from './mapping.ts'

const { consistencies } = cassandra.types

export interface LeaseStatements {
  readonly acquire: Statement
  readonly renew: Statement | null
  readonly release: Statement
  readonly quarantine: Statement | null
  readonly read: Statement
  readonly readWritten: Statement
  readonly hint: Statement
  readonly scanFirst: Statement
  readonly scanAfter: Statement
  readonly scanRowsFirst: Statement
  readonly scanRowsAfter: Statement
}

export function leaseStatements(mapping: QuotedMapping, serial: SerialLevel): LeaseStatements {
  const { table, name, owner, value } = mapping
  const level = levelsOf(serial)
  // `consistency` is the level of a conditional write's commit; the driver's default is LOCAL_ONE.
  const write = { consistency: level.quorum, serialConsistency: level.serial, readTimeoutMs: writeTimeoutMs }
  const scan = { operation: 'scan', consistency: level.quorum, readTimeoutMs }
  const scans = {
    scanFirst: { cql: `SELECT ${name}, token(${name}) FROM ${table} LIMIT ?`, ...scan },
    scanAfter: {
      cql: `SELECT ${name}, token(${name}) FROM ${table} WHERE token(${name}) > ? LIMIT ?`,
      ...scan,
    },
  }
  const scanRows = (cells: string) => {
    const select = `SELECT ${name}, token(${name}), ${cells} FROM ${table}`
    return {
      scanRowsFirst: { cql: `${select} LIMIT ?`, ...scan },
      scanRowsAfter: { cql: `${select} WHERE token(${name}) > ? LIMIT ?`, ...scan },
    }
  }
  const hint = (columns: string) => ({
    operation: 'hint',
    cql: `SELECT ${columns} FROM ${table} WHERE ${name} = ?`,
    consistency: consistencies.localOne,
    readTimeoutMs,
  })
  const read = (columns: string) => ({
    operation: 'read',
    cql: `SELECT ${columns} FROM ${table} WHERE ${name} = ?`,
    consistency: level.serial,
    readTimeoutMs,
  })
  const readWritten = (columns: string) => ({ ...read(columns), consistency: level.quorum })
  if (owner === null)
    return {
      acquire: {
        operation: 'acquire',
        cql: `INSERT INTO ${table} (${name}) VALUES (?) IF NOT EXISTS USING TTL ?`,
        ...write,
      },
      renew: null,
      release: { operation: 'release', cql: `DELETE FROM ${table} WHERE ${name} = ? IF EXISTS`, ...write },
      quarantine: null,
      read: read(`${name}, toUnixTimestamp(now())`),
      readWritten: readWritten(`${name}, toUnixTimestamp(now())`),
      hint: hint(name),
      ...scans,
      ...scanRows('toUnixTimestamp(now())'),
    }
  const cells =
    value === null
      ? `${owner}, writetime(${owner}), ttl(${owner}), toUnixTimestamp(now())`
      : `${owner}, ${value}, writetime(${owner}), ttl(${owner}), ttl(${value}), toUnixTimestamp(now())`
  // UPDATE … IF owner = null, not INSERT … IF NOT EXISTS: an INSERT fails on a row whose value or marker outlived its
  // owner. A renewal sets every column: else the value would expire with the TTL of the acquisition.
  const [set, and] = value === null ? ['', ''] : [`, ${value} = ?`, ` AND ${value} = ?`]
  return {
    acquire: {
      operation: 'acquire',
      cql: `UPDATE ${table} USING TTL ? SET ${owner} = ?${set} WHERE ${name} = ? IF ${owner} = null`,
      ...write,
    },
    renew: {
      operation: 'renew',
      cql: `UPDATE ${table} USING TTL ? SET ${owner} = ?${set} WHERE ${name} = ? IF ${owner} = ?${and}`,
      ...write,
    },
    release: {
      operation: 'release',
      cql: `DELETE FROM ${table} WHERE ${name} = ? IF ${owner} = ?`,
      ...write,
    },
    // An UPDATE does not change the row marker of an INSERT, and a marker that outlives the mark locks plain clients
    // out.
    quarantine: {
      operation: 'quarantine',
      cql: `BEGIN BATCH UPDATE ${table} USING TTL ? SET ${owner} = ?${set} WHERE ${name} = ? IF ${owner} = ?; INSERT INTO ${table} (${name}) VALUES (?) USING TTL ?; APPLY BATCH`,
      ...write,
    },
    read: read(cells),
    readWritten: readWritten(cells),
    hint: hint(value === null ? owner : `${owner}, ${value}`),
    ...scans,
    ...scanRows(cells),
  }
}
