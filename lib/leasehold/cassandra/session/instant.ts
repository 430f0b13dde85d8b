/**
 * A cell of the type timestamp, in milliseconds; null: none, or none that a `Date` holds. Cassandra takes any 64 bits, and the driver
 * then gives a `Date` whose time is NaN.
 */
export function instantMs(cell: unknown): number | null {
  const ms = cell instanceof Date ? cell.getTime() : Number.NaN
  return Number.isNaN(ms) ? null : ms
}
