import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import type { Sighting } from '../../../lib/client/time/countdown.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'

/** Who holds a lease after it was killed, by the newest read that is later than the delete. */
export interface AfterRelease {
  /** `then`: by the read that is stored with the release, which may be weeks old. `unread`: there was none. */
  known: 'now' | 'then' | 'unread'
  /** null: it was free, or not read. */
  owner: string | null
  /** The read of `now` that found a holder. */
  seen: Sighting | null
}

/** Of this page's own reads those count that are younger than the answer, and so than the delete. */
export function afterRelease(
  { now, current, currentReadAt }: Pick<Release, 'now' | 'current' | 'currentReadAt'>,
  reading: LeaseReading | undefined,
): AfterRelease {
  if (reading?.held && reading.sighting.lease.read.at > now)
    return { known: 'now', owner: reading.sighting.lease.owner, seen: reading.sighting }
  if (reading?.held === false && reading.now !== undefined && reading.now > now)
    return { known: 'now', owner: null, seen: null }
  if (currentReadAt === null) return { known: 'unread', owner: null, seen: null }
  return { known: 'then', owner: current?.owner ?? null, seen: null }
}
