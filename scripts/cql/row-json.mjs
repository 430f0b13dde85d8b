/**
 * A value as the driver gives it, as JSON can hold it without losing anything: 64-bit integers (and varints) as
 * decimal strings, instants as ISO 8601, blobs as 0x…, everything else of the driver's by its own text.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
export function plainValue(value) {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object') return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex')}`
  if (Array.isArray(value)) return value.map(plainValue)
  if (value instanceof Set) return [...value].map(plainValue)
  if (value instanceof Map) return [...value].map(([key, held]) => [plainValue(key), plainValue(held)])
  const { name } = value.constructor
  if (name === 'Object' || name === 'Row') {
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, plainValue(held)]))
  }
  if (name === 'Tuple') return /** @type {{ elements: unknown[] }} */ (value).elements.map(plainValue)
  return String(value)
}

/**
 * @param {{ forEach(f: (value: unknown, column: string) => void): void }} row
 * @returns {string} one line
 */
export function rowJson(row) {
  /** @type {[string, unknown][]} */
  const entries = []
  row.forEach((value, column) => {
    entries.push([column, plainValue(value)])
  })
  // Not through an object alone: a column may be called __proto__, and fromEntries defines it as its own.
  return JSON.stringify(Object.fromEntries(entries))
}
