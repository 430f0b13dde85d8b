/**
 * What an entry `restart` says, under the key, of the chain before it: where it ended then, and the first place that could
 * not be read. A restart excuses the loss that it was made for, and no later one.
 */
import { z } from 'zod'
import type { AuditEvent } from '../../../../../contract/audit.ts'
import { compareBuckets, isBucket } from '../../bucket.ts'
import { isBefore, type Seen, type Spot } from '../seen.ts'

export interface Restart {
  /** The one that it begins. */
  bucket: string
  /** The entry that it names as the last one that was left, where that one must still be there; null: none must. */
  left: Seen | null
  /** The first place that could not be read; null: it does not say. */
  gap: Spot | null
  /** The entry whose hash it is bound to; null: none. undefined: it does not say. */
  follows: Seen | null | undefined
}

const bucketSchema = z.string().refine(isBucket)
const seenSchema = z.object({ bucket: bucketSchema, seq: z.number(), hash: z.string() })
/** Restarts of the first version have no `gap`, and those of the first two have no `isEndSound`. */
const beforeSchema = z.object({
  end: seenSchema.nullish().catch(null),
  gap: z.object({ bucket: bucketSchema, seq: z.number() }).nullish().catch(null),
  isEndSound: z.boolean().nullish().catch(null),
})
const afterSchema = z.object({ follows: seenSchema.nullable() })

/** @param entry one with the act `restart`, that a holder of the key wrote as the first of this bucket */
export function restartOf(bucket: string, { before, after }: Pick<AuditEvent, 'before' | 'after'>): Restart {
  const { end = null, gap = null, isEndSound } = beforeSchema.safeParse(before).data ?? {}
  const follows = afterSchema.safeParse(after).data?.follows
  const mustStay = end !== null && isLasting(end, { bucket, gap, isEndSound: isEndSound === true })
  return { bucket, left: mustStay ? end : null, gap, follows }
}

/**
 * The end may have been a row that another client had put there, which an operator may delete. One that a console wrote
 * is known by `isEndSound`. Of an older restart only one before the gap is: it was read.
 */
function isLasting(
  end: Seen,
  { bucket, gap, isEndSound }: { bucket: string; gap: Spot | null; isEndSound: boolean },
): boolean {
  // A later bucket is one that another client had planted: a chain is restarted after all of its own.
  if (compareBuckets(end.bucket, bucket) >= 0) return false
  return isEndSound || gap === null || isBefore(end, gap)
}

/** Whether a place that cannot be read is part of the loss for which the chain was restarted. */
export const isLostBefore = ({ gap }: Restart, place: Spot): boolean => gap === null || !isBefore(place, gap)

/**
 * Whether the bucket before a restart may end without a seal at this place: it is the bucket of the entry that was left, or
 * what follows was lost by then.
 */
export const mayEndAt = (restart: Restart, place: Spot): boolean =>
  restart.left === null
    ? isLostBefore(restart, place)
    : compareBuckets(place.bucket, restart.left.bucket) >= 0
