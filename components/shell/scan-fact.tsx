'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Answer } from '../../lib/client/call.ts'
import { keys } from '../../lib/client/queries.ts'
import { countText, tookText } from '../../lib/client/time-text.ts'
import { Age } from '../ui/age.tsx'
import { Icon } from '../ui/icon.tsx'

/** The youngest scan of the table that this page has heard of. Nothing before the first one. */
export function ScanFact() {
  const client = useQueryClient()
  const latest = () => {
    let found: Answer<'listLeases'> | undefined
    for (const [, answer] of client.getQueriesData<Answer<'listLeases'>>({ queryKey: keys.pages }))
      if (answer && (found === undefined || answer.arrivedAtMs > found.arrivedAtMs)) found = answer
    return found
  }
  const answer = useSyncExternalStore(
    (listener) => client.getQueryCache().subscribe(listener),
    latest,
    () => undefined,
  )
  if (answer === undefined) return null
  const { rows, tookMs } = answer.data.scan
  return (
    <span>
      <Icon name="scan" />
      <span>
        Scanned{' '}
        <b>
          <Age sinceMs={answer.arrivedAtMs} after=" ago" />
        </b>
      </span>
      <span className="x-wide dim">
        {countText(rows)} {rows === 1 ? 'row' : 'rows'} in {tookText(tookMs)}
      </span>
    </span>
  )
}
