'use client'

import type { LeaseView } from '../../../lib/client/view/lease-view.ts'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { leaseStates } from '../row/lease-state-map.tsx'
import { Appears, type UntilWhen, untilWhen } from './until-when.tsx'

interface NoMatchProps extends UntilWhen {
  view: LeaseView
  onClear: () => void
}

/** A search or a filter that found nothing, and the way out of it. */
export function NoMatch({ view, paused, scan, onClear }: NoMatchProps) {
  const { prefix, q, owner, states } = view
  const when = untilWhen({ paused, scan })
  const [is, matches] = when === null ? ['is', 'matches'] : ['was', 'matched']
  const isText = prefix !== '' || q !== '' || owner !== ''
  return (
    <div className="plain" role="status">
      <h2>
        {states.length > 0
          ? `No lease ${is} ${states.map((state) => leaseStates[state].word).join(' or ')}`
          : `No lease ${matches}`}
        {isText && (
          <>
            {states.length > 0 ? ` and ${matches} ` : ' '}
            <bdi className="seen mono break-all">
              <SeenText text={[prefix, q, owner].filter((text) => text !== '').join(' ')} />
            </bdi>
          </>
        )}
        {when !== null && ` ${when}`}
      </h2>
      <p className="mut">
        <Appears paused={paused} scan={scan}>
          A matching lease appears here by itself.
        </Appears>
      </p>
      <div className="acts">
        <button type="button" className="btn" onClick={onClear}>
          Show all leases
        </button>
      </div>
    </div>
  )
}
