/**
 * Where a chain is kept: one partition a day, `main:2026-11-21#530412871`, or more where a day is full. The number is
 * random; the first day of a log has none.
 *
 * A partition stays below 100,000 rows and 32 MB. A row is its body (600 to 900 bytes mostly, 24 kB at most: before and
 * after are cut at 8 kB), two hashes and an id of 164 bytes, and up to 80 bytes of Cassandra's own. Bodies, hashes and
 * ids are counted as they are written, and 24 MB of them close a bucket, which 50,000 entries do in any case: so there
 * are at most 50,000 rows, and 24 MB + 50,000 × 80 bytes + one batch (at most 0.2 MB) = 28.2 MB.
 *
 * Buckets are a list: the entry that seals one names the next. A bucket is never chosen by a clock alone, or two
 * instances with different clocks would each begin one. The first of all is the origin, which holds its seal alone.
 *
 * Another client that may write the table can plant partitions ahead of their day, or delete them with a timestamp in the
 * future, which hides what is appended later and cannot be seen in advance. So no bucket has a name that can be known before
 * the seal which leads to it: the intruder would have to plant or delete a thousand million of them.
 */
import { randomInt } from 'node:crypto'
import type { AuditChain } from '../../../contract/audit.ts'

export const entriesPerBucket = 50_000
export const bytesPerBucket = 24 * 1024 * 1024

/** Entries of the chain of refusals are kept for so long: 30 days. */
export const refusedTtlSeconds = 2_592_000

/** The clocks of nodes, of consoles and of the verifier are nearer to each other than this. */
export const clocksApartMs = 3_600_000

/** The TTL of a chain's entries; null: they stay for ever. */
export const ttlSecondsOf = (chain: AuditChain): number | null =>
  chain === 'refused' ? refusedTtlSeconds : null

/** Whether entries of a bucket of the chain of refusals may be gone by themselves. The origin holds a seal of any day. */
export function hasExpired(bucket: string, nowMs: number): boolean {
  return dayOfBucket(bucket) <= dayOf(nowMs - refusedTtlSeconds * 1000)
}

/**
 * Whether a bucket of the chain of refusals may be the first that is left. The origin has the day of no entry: it was sealed
 * on the day of the bucket that follows it, and does not expire before that one.
 * @param previous the cell that names the bucket before this one; it is under no hash
 */
export function mayBeFirst(bucket: string, previous: string | null, nowMs: number): boolean {
  const isNamed = previous !== null && isBucket(previous) && previous !== originBucket
  return hasExpired(isNamed ? previous : bucket, nowMs)
}

export const originBucket = '0000-00-00'

/** Parts are counted from 2, up to 15 digits: a JavaScript number holds each of them exactly. */
const pattern = /^(\d{4}-\d{2}-\d{2})(?:#([2-9]|[1-9]\d{1,14}))?$/
const partMax = 999_999_999_999_999
const randomParts = 1_000_000_000

export const isBucket = (text: string): boolean => pattern.test(text)

/** Its day and its part, from 1. */
function partsOf(bucket: string): { day: string; part: number } {
  const match = pattern.exec(bucket)
  if (match === null) throw new TypeError(`${JSON.stringify(bucket)} is not a bucket of the audit log.`)
  return { day: match[1] as string, part: Number(match[2] ?? 1) }
}

export const dayOfBucket = (bucket: string): string => partsOf(bucket).day

/** The day of an instant, UTC. */
export const dayOf = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 10)

export function compareBuckets(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)]
  if (a.day !== b.day) return a.day < b.day ? -1 : 1
  return a.part - b.part
}

/**
 * The bucket that comes after this one; null: this one goes on. A clock that is behind the bucket's day changes
 * nothing: whatever is written then stands in the later day's bucket, with the time that the clock says.
 */
export function bucketAfter(
  bucket: string,
  filled: { entries: number; bytes: number },
  wallMs: number,
): string | null {
  const { day, part } = partsOf(bucket)
  const today = dayOf(wallMs)
  if (today > day) return today
  // One place is kept for the seal.
  if (filled.entries < entriesPerBucket - 1 && filled.bytes < bytesPerBucket) return null
  return `${day}#${part + 1}`
}

/** The first bucket after this one that is of today, or of the day of this one if that is later. */
export function partAfter(bucket: string, today: string): string {
  const { day, part } = partsOf(bucket)
  return day < today ? today : `${day}#${part + 1}`
}

/** A later part of the same day, one of a thousand million: another client cannot foresee which. */
export function randomPartAfter(bucket: string): string {
  const { day, part } = partsOf(bucket)
  return `${day}#${part + 1 + randomInt(randomParts)}`
}

/** No console comes to the upper half of the parts of a day: a bucket there was planted, to leave no part after it. */
export const isWithinReach = (bucket: string): boolean => partsOf(bucket).part <= partMax / 2

export const partitionOf = (chain: AuditChain, bucket: string): string => `${chain}:${bucket}`

/** null: not a partition of this chain. */
export function bucketOf(chain: AuditChain, partition: string): string | null {
  const bucket = partition.startsWith(`${chain}:`) ? partition.slice(chain.length + 1) : ''
  return isBucket(bucket) ? bucket : null
}

/** By chain, then oldest first; what is no bucket comes last. */
export function comparePartitions(one: string, other: string): number {
  const keyOf = (partition: string): [string, string | null] => {
    const [chain = '', bucket = ''] = partition.split(':')
    return isBucket(bucket) ? [chain, bucket] : ['~', null]
  }
  const [[chain, bucket], [otherChain, otherBucket]] = [keyOf(one), keyOf(other)]
  if (chain !== otherChain) return chain < otherChain ? -1 : 1
  return bucket === null || otherBucket === null ? 0 : compareBuckets(bucket, otherBucket)
}
