import type { Evidence } from '../../../lib/contract/leases/lease.ts'

/**
 * How the expiry follows from what Cassandra said: `floor(now / 1000) + ttl`. undefined when a part of it is missing,
 * as in a row without a TTL.
 */
export function expiryFormula(cells: Evidence['cells']): { text: string; expiresAtMs: number } | undefined {
  const number = (pattern: RegExp) => {
    const value = cells.find(({ column }) => pattern.test(column))?.value
    return value && /^\d+$/.test(value) ? Number(value) : undefined
  }
  const nowMs = number(/\bnow\(\)/)
  // The first TTL is the owner's: columns are asked for in that order.
  const ttl = number(/^ttl\(/)
  if (nowMs === undefined || ttl === undefined) return undefined
  const seconds = Math.floor(nowMs / 1000)
  return {
    text: `expiry = floor(now / 1000) + ttl = ${seconds} + ${ttl}`,
    expiresAtMs: (seconds + ttl) * 1000,
  }
}
