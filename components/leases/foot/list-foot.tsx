'use client'

import { serverNow } from '../../../lib/client/call/call.ts'
import { countText } from '../../../lib/client/time/time-text.ts'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import { may } from '../../shell/session/may.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { Instant } from '../../shell/time/instant.tsx'

interface ListFootProps {
  rows: readonly LiveRow[]
  /** Whether the table was read: without rows it is empty then. */
  isRead: boolean
  offset: number
  matching: number | null
  /** Since when nothing is known of the rows, by the page's clock; null: they are live. */
  asOfMs: number | null
  /** What a key has just done. */
  said: string | null
}

/** Which rows are read, how sure they are, and the keys. */
export function ListFoot({ rows, isRead, offset, matching, asOfMs, said }: ListFootProps) {
  const isKnown = isRead || rows.length > 0
  const unread = asOfMs === null ? 'Reading the leases…' : 'No lease was read yet.'
  return (
    <div className="foot stays">
      <span>
        {isKnown ? <Range rows={rows} offset={offset} matching={matching} /> : unread}
        {isKnown && asOfMs !== null && (
          <>
            {' '}
            As last seen at <Instant at={serverNow(asOfMs)} zoned />.
          </>
        )}{' '}
        <b role="status">{said}</b>
      </span>
      <span className="keys">
        <span>
          <kbd>↓</kbd>
          <kbd>↑</kbd> move
        </span>
        <span>
          <kbd>↵</kbd> open
        </span>
        {may(useSession(), endpoints.planRelease) && (
          <span>
            <kbd>r</kbd> release
          </span>
        )}
        <span>
          <kbd>a</kbd> attention
        </span>
        <span>
          <kbd>?</kbd> all keys
        </span>
      </span>
    </div>
  )
}

function Range({ rows, offset, matching }: Omit<ListFootProps, 'isRead' | 'asOfMs' | 'said'>) {
  const listed = rows.filter((row) => row.listed)
  if (listed.length === 0) return 'No leases.'
  const confirmed = listed.filter(({ lease }) => lease.read.level === 'SERIAL').length
  const scanned = listed.length - confirmed
  const isAll = matching === null || matching === listed.length
  const range = isAll
    ? `${countText(listed.length)} ${listed.length === 1 ? 'lease' : 'leases'}`
    : `${countText(offset + 1)}–${countText(offset + listed.length)} of ${countText(matching)}`
  if (scanned === 0) return `${range}${listed.length === 1 ? '' : ', each'} confirmed at SERIAL.`
  return `${range}: ${countText(confirmed)} confirmed at SERIAL, ${countText(scanned)} scanned.`
}
