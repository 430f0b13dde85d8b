'use client'

import type { PageOfLeases } from '../../lib/client/queries.ts'
import { SeenText } from '../ui/seen-text.tsx'

/** A search that found nothing, and the way out of it. */
export function NoMatch({ page, onClear }: { page: PageOfLeases; onClear: () => void }) {
  return (
    <div className="plain" role="status">
      <h2>
        No lease begins with{' '}
        <bdi className="seen mono break-all">
          <SeenText text={page.prefix} />
        </bdi>
      </h2>
      <p className="mut">
        Names are compared letter for letter, from their first letter on. A matching lease that is acquired
        now appears here within 2 seconds.
      </p>
      <div className="acts">
        <button type="button" className="btn" onClick={onClear}>
          Show all leases
        </button>
      </div>
    </div>
  )
}
