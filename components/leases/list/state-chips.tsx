'use client'

import { countText } from '../../../lib/client/time/time-text.ts'
import { filterStates, type LeaseView } from '../../../lib/client/view/lease-view.ts'
import type { WatchCounts } from '../../../lib/contract/leases/watch.ts'
import { statePatch } from '../address/state-patch.ts'
import type { UrlChange } from '../address/use-url-state.ts'
import { leaseStates, StateWord } from '../row/lease-state-map.tsx'
import { allCount, haveSameTally } from './all-count.ts'

interface StateChipsProps {
  view: LeaseView
  counts: WatchCounts | null
  /** The view whose counts they are, by `viewKey`. */
  countedKey: string | null
  change: (change: UrlChange) => void
}

/** How many leases are in which state; pressed, only those are shown. Their places, and so their keys, never change. */
export function StateChips({ view, counts, countedKey, change }: StateChipsProps) {
  const { all = null, ofLab = 0 } = counts === null ? {} : allCount(view, counts)
  const isCounted = haveSameTally(countedKey, view)
  // Until this view is counted the places of the numbers stay.
  const look = isCounted ? undefined : 'invisible'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a layout of its own that a strip cannot hold
    <div className="tally" role="group" aria-label="Filter by state">
      <button
        type="button"
        aria-pressed={view.states.length === 0}
        aria-keyshortcuts="0"
        title="All states (key 0)"
        onClick={() => change(statePatch(null))}
      >
        All {all !== null && <b className={look}>{countText(all)}</b>}
      </button>
      {filterStates.map((state, i) => {
        const count = counts?.byState[state] ?? 0
        return (
          <button
            key={state}
            type="button"
            data-state={state}
            data-none={(counts !== null && count === 0) || undefined}
            aria-pressed={view.states.includes(state)}
            aria-keyshortcuts={String(i + 1)}
            title={`${leaseStates[state].means} (key ${i + 1})`}
            onClick={() => change(statePatch(state))}
          >
            <StateWord state={state} /> {counts && <b className={look}>{countText(count)}</b>}
          </button>
        )
      })}
      {isCounted && ofLab > 0 && (
        <span
          className="mut small self-center whitespace-nowrap px-2"
          title="What befalls a lease of the lab is meant: no alarm counts it"
        >
          {countText(ofLab)} of the lab, counted in no state
        </span>
      )}
    </div>
  )
}
