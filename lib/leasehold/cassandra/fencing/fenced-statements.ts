/** All CQL on an application's fenced tables. Identifiers are quoted, values are bound. */
import {
  levelsOf,
  readTimeoutMs,
  type SerialLevel,
  type Statement,
  writeTimeoutMs,
} from '../session/statement.ts'

export interface FencedNames {
  readonly table: string
  /** The primary key's columns. */
  readonly key: readonly string[]
  readonly fence: string
}

interface FencedUpdate {
  /** Bound: the columns, the fence, the key, the fence again. `<=` is false for a missing row, and for a null. */
  readonly upToFence: Statement
  /** Bound: the columns, the fence, the key. True for a row that is missing, or has no fence yet. */
  readonly withoutFence: Statement
}

/** @param columns quoted, in the order in which their values are bound */
export function fencedUpdate(
  names: FencedNames,
  columns: readonly string[],
  serial: SerialLevel,
): FencedUpdate {
  const { table, fence } = names
  const level = levelsOf(serial)
  const set = [...columns, fence].map((column) => `${column} = ?`).join(', ')
  const update = `UPDATE ${table} SET ${set} WHERE ${whereKey(names)}`
  const write = {
    operation: 'fenced-write',
    consistency: level.quorum,
    serialConsistency: level.serial,
    readTimeoutMs: writeTimeoutMs,
  }
  return {
    upToFence: { cql: `${update} IF ${fence} <= ?`, ...write },
    withoutFence: { cql: `${update} IF ${fence} = null`, ...write },
  }
}

export const fenceRead = (names: FencedNames, serial: SerialLevel): Statement => ({
  cql: `SELECT ${names.fence} FROM ${names.table} WHERE ${whereKey(names)}`,
  operation: 'fenced-write',
  consistency: levelsOf(serial).serial,
  readTimeoutMs,
})

const whereKey = ({ key }: FencedNames) => key.map((column) => `${column} = ?`).join(' AND ')
