'use client'

import { countText, tookText } from '../../../lib/client/time/time-text.ts'
import type { LiveList } from '../../../lib/client/watch/live-list.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { Age } from '../../ui/text/age.tsx'
import { useOfList } from '../use-page-list.ts'

/** The last scan of the table that the page shows. Nothing before the first one has ended. */
export function ScanFact({ list }: { list: LiveList }) {
  const scan = useOfList(list, (shown) => shown.scan)
  if (scan === null || scan.atMs === null) return null
  return (
    <span className={scan.isBehind ? 'scan late' : 'scan'}>
      <Icon name="scan" />
      <span>
        Scanned{' '}
        <b>
          <Age sinceMs={scan.atMs} after={scan.isBehind ? ' ago, behind' : ' ago'} />
        </b>
      </span>
      <span className="x-wide dim">
        {countText(scan.rows)} {scan.rows === 1 ? 'row' : 'rows'} in {tookText(scan.tookMs)}
      </span>
    </span>
  )
}
