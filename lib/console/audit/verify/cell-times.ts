/**
 * What Cassandra keeps beside the cells of the audit log. A role that can write the table can write an entry once
 * more, letter for letter, with another TTL or timestamp: it would vanish later, or shadow what is written after it.
 */
export interface CellTimes {
  /** The shortest of its cells, in seconds; null: none has a TTL. */
  ttlSeconds: number | null
  /** The oldest and the newest, in microseconds since the epoch. */
  oldestMicros: number
  newestMicros: number
}

/** To be selected beside these columns. */
export const timesOf = (columns: readonly string[]): string =>
  columns.map((column) => `ttl(${column}) AS ttl_${column}, writetime(${column}) AS at_${column}`).join(', ')

/** null: none of these columns has a value. @param row with `timesOf` of the same columns; integers of any kind */
export function cellTimes(
  row: Readonly<Record<string, unknown>>,
  columns: readonly string[],
): CellTimes | null {
  const numbers = (prefix: string) =>
    columns.flatMap((column) => row[`${prefix}_${column}`] ?? []).map((value) => Number(String(value)))
  const [ttls, micros] = [numbers('ttl'), numbers('at')]
  if (micros.length === 0) return null
  return {
    ttlSeconds: ttls.length === 0 ? null : Math.min(...ttls),
    oldestMicros: Math.min(...micros),
    newestMicros: Math.max(...micros),
  }
}
