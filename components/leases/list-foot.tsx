'use client'

import type { Answer } from '../../lib/client/call.ts'
import { previousCursor, rememberStep } from '../../lib/client/page-trail.ts'
import { type PageOfLeases, pageSize } from '../../lib/client/queries.ts'
import type { Row } from '../../lib/client/row-board.ts'
import { countText } from '../../lib/client/time-text.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import { Instant } from '../shell/instant.tsx'
import { may } from '../shell/may.ts'
import { useSession } from '../shell/session-context.tsx'
import { type UrlPatch, useUrlState } from './use-url-state.ts'

interface ListFootProps {
  page: PageOfLeases
  answer: Answer<'listLeases'> | undefined
  rows: readonly Row[]
  stale: boolean
  change: (patch: UrlPatch) => void
  /** Another page is shown from its first row on. */
  onTurn: () => void
}

/** The position in the table, and links to the other pages. */
export function ListFoot({ page, answer, rows, stale, change, onTurn }: ListFootProps) {
  const number = usePageNumber()
  const next = answer?.data.nextCursor ?? null
  const first = page.cursor === undefined
  const goOn = () => {
    if (next === null) return
    rememberStep(sessionStorage, page.cursor ?? '', next)
    onTurn()
    change({ cursor: next, page: String(number + 1) })
  }
  const goBack = () => {
    if (first) return
    onTurn()
    const before = page.cursor === undefined ? undefined : previousCursor(sessionStorage, page.cursor)
    change({ cursor: before, page: before ? String(Math.max(2, number - 1)) : undefined })
  }
  return (
    <div className="foot">
      <span>
        {answer === undefined && rows.length === 0 ? (
          'Reading the leases…'
        ) : (
          <>
            <Range from={(number - 1) * pageSize + 1} rows={rows} whole={first && next === null} />
            {stale
              ? answer && (
                  <>
                    , as last seen at <Instant at={answer.data.now} zoned />.
                  </>
                )
              : ', each confirmed at SERIAL.'}
          </>
        )}
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
          <kbd>?</kbd> all keys
        </span>
      </span>
      {!(first && next === null) && (
        <span className="push flex gap-2">
          <button
            type="button"
            className="btn sm"
            aria-disabled={first || undefined}
            title={first ? 'This is the first page' : undefined}
            onClick={goBack}
          >
            Previous
          </button>
          <button
            type="button"
            className="btn sm"
            aria-disabled={next === null || undefined}
            title={next === null ? 'This is the last page' : undefined}
            onClick={goOn}
          >
            Next
          </button>
        </span>
      )}
    </div>
  )
}

function Range({ from, rows, whole }: { from: number; rows: readonly Row[]; whole: boolean }) {
  const listed = rows.filter((row) => row.listed).length
  if (whole && listed === 0) return 'No leases'
  if (whole) return `${countText(listed)} ${listed === 1 ? 'lease' : 'leases'}`
  return listed === 0 ? 'No lease on this page' : `${countText(from)}–${countText(from + listed - 1)}`
}

/** Said in the URL only for the eye: it is the cursor that leads to a page. */
function usePageNumber(): number {
  const number = Number(useUrlState().params.get('page') ?? '1')
  return Number.isSafeInteger(number) && number > 0 ? number : 1
}
