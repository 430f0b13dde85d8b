/** Places in a chain, and which of two comes first. */
import { compareBuckets } from '../bucket.ts'

/** An entry that was seen, and so must still be there: a chain never becomes shorter. */
export interface Seen {
  bucket: string
  seq: number
  hash: string
}

/** Where something is, or should be. */
export type Spot = Pick<Seen, 'bucket' | 'seq'>

export function isBefore(one: Spot, other: Spot): boolean {
  const order = compareBuckets(one.bucket, other.bucket)
  return order < 0 || (order === 0 && one.seq < other.seq)
}

/**
 * The last entry that an installation knows of.
 * @param followed where it last stopped reading the chain; that is no entry where a seal led to a bucket without one
 */
export function lastKnown(anchored: Seen | null, followed: Seen | null): Seen | null {
  if (followed === null || followed.seq === 0) return anchored
  return anchored === null || isBefore(anchored, followed) ? followed : anchored
}
