/** What one entry of the audit log shows by itself: its hash, its place, and the times of its cells. */
import type { AuditChain } from '../../../contract/audit.ts'
import { clocksApartMs, refusedTtlSeconds } from '../chain/bucket.ts'
import { entryHash } from '../chain/chain-hash.ts'
import type { AuditRow } from '../chain/entry-body.ts'
import type { CellTimes } from './cell-times.ts'
import type { Difference } from './verdict.ts'

export interface Body {
  v?: unknown
  chain?: unknown
  bucket?: unknown
  seq?: unknown
  keyId?: unknown
  entry?: unknown
  act: string
  before: unknown
  after: unknown
}

export interface EntryCheck {
  body: Body | null
  difference: Difference | null
  detail: string
}

export function checkEntry(
  row: AuditRow,
  { chain, bucket }: { chain: AuditChain; bucket: string },
  keys: ReadonlyMap<string, Buffer>,
): EntryCheck {
  const body = jsonOf(row.body)
  const named = typeof body?.keyId === 'string' ? body.keyId : ''
  const key = keys.get(named)
  if (body !== null && key === undefined && /^[0-9a-f]{12}$/.test(named))
    return { body, difference: 'key', detail: `it names the key ${named}, which was not given` }
  if (body === null || key === undefined || entryHash(key, row.prev, row.body) !== row.hash)
    return { body, difference: 'content', detail: 'its content, its link or its hash was changed' }
  if (body.chain !== chain || body.bucket !== bucket || body.seq !== row.seq)
    return {
      body,
      difference: 'order',
      detail: `it was written as ${String(body.chain)} ${String(body.bucket)} ${String(body.seq)}`,
    }
  if (body.entry !== row.id) return { body, difference: 'content', detail: 'its id was changed' }
  return { body, difference: null, detail: '' }
}

/**
 * Appends to the main chain set no TTL, and each has a later timestamp than the one before it: of one partition, ballots
 * only grow. Entries of the chain of refusals have the TTL that they were given; those of earlier versions have none.
 * @param beforeMicros null: not known
 * @returns what is wrong, without its subject; null: nothing
 */
export function timeProblem(
  { ttlSeconds, oldestMicros, newestMicros }: CellTimes,
  { chain, nowMs, beforeMicros }: { chain: AuditChain; nowMs: number; beforeMicros: number | null },
): string | null {
  const leftMs = oldestMicros / 1000 + refusedTtlSeconds * 1000 - nowMs
  const isGiven = chain === 'refused' && ttlSeconds !== null && ttlSeconds * 1000 > leftMs - clocksApartMs
  if (ttlSeconds !== null && !isGiven) return `was given a TTL, and vanishes in ${ttlSeconds} s`
  if (newestMicros / 1000 > nowMs + clocksApartMs)
    return `has a timestamp of the future: ${instantOf(newestMicros)}`
  if (beforeMicros !== null && oldestMicros < beforeMicros)
    return `has an older timestamp, ${instantOf(oldestMicros)}, than the entry before it, ${instantOf(beforeMicros)}: one of them was written again`
  return null
}

/** Whether an operator restarted the chain with this entry. */
export const isRestart = (seq: number, body: Body | null): boolean => seq === 1 && body?.act === 'restart'

/** Also of what no date holds. */
function instantOf(micros: number): string {
  const at = new Date(micros / 1000)
  return Number.isNaN(at.getTime()) ? `${micros} µs` : at.toISOString()
}

/** null: it is none. */
export function jsonOf(text: string): Body | null {
  try {
    const json: unknown = JSON.parse(text)
    return json !== null && typeof json === 'object' ? (json as Body) : null
  } catch {
    return null
  }
}
