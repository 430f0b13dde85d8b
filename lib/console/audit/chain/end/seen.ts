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
