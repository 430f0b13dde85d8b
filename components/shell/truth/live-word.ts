import type { ApiError } from '../../../lib/client/call/api-error.ts'
import { isUnknownTable } from '../../../lib/client/call/queries.ts'

interface LiveFacts {
  isSilent: boolean
  /** Cassandra answers no read of its table, or refuses each; null: it answers. */
  unanswered: { isRefused: boolean } | null
  /** Rows of this list were read since the page was opened. */
  isRead: boolean
  /** What the stream was refused with last; null: it was not. */
  refused: ApiError | null
  /** The page does not open the stream again by itself. */
  isFinal: boolean
}

/**
 * Whether a list follows what happens, in a word. null: there is nothing to follow, because the page says that its
 * table does not exist.
 */
export function liveWord({ isSilent, unanswered, isRead, refused, isFinal }: LiveFacts): string | null {
  if (isUnknownTable(refused)) return null
  if (isFinal) return 'Stream refused'
  if (isSilent) return 'Stream silent'
  if (unanswered !== null) return unanswered.isRefused ? 'Table refused' : 'Table silent'
  if (isRead) return 'Live'
  return refused === null ? 'Connecting…' : 'Not connected'
}
