import { compareBuckets, dayOfBucket, isWithinReach, partAfter } from '../../bucket.ts'
import { bucketsOf, newestOwnBucket, type OwnChain } from '../own-rows.ts'
import type { Seen } from '../seen.ts'
import { findTail, type Tail } from '../tail.ts'

/** How a chain goes on after a damaged end: apart from it, as nothing that is appended there would be safe. */
export interface Apart {
  /** Later than each bucket that a console has written. */
  bucket: string
  /** The last entry that is left, and whether it must stay; null: there is none. */
  left: Seen | null
  isEndSound: boolean
  /** The entry to be bound to; null: none. */
  follows: Seen | null
}

/** @param anchored the newest entry that the anchors know of @throws StoreUnavailableError */
export async function apartFrom(
  own: OwnChain,
  { anchored, today }: { anchored: Seen | null; today: string },
): Promise<Apart> {
  const tail = await findTail(own, null)
  const left = lastOf(tail)
  // A row that another client has put at the end need not stay; one that a console wrote must (restart-entry.ts).
  const isEndSound = tail.last !== null && own.isOurs(tail.last.bucket, tail.last.row)
  // A bucket of a later day, or one beside those of this key, was not written by a console. Those of a lost key are older.
  const mayBeOlder = (each: string) => dayOfBucket(each) <= today && isWithinReach(each)
  const older = (await bucketsOf(own)).filter(mayBeOlder).at(-1) ?? today
  const newest = (await newestOwnBucket(own))?.bucket ?? null
  const isLeftOfLog = left !== null && (newest !== null || mayBeOlder(left.bucket))
  const follows = anchored ?? (isLeftOfLog ? left : null)
  // Today's first one may be what was deleted.
  const known = [newest ?? older, follows?.bucket ?? today, today]
  return { bucket: partAfter(known.sort(compareBuckets).at(-1) as string, today), left, isEndSound, follows }
}

const lastOf = ({ last }: Tail): Seen | null =>
  last === null ? null : { bucket: last.bucket, seq: last.row.seq, hash: last.row.hash }
