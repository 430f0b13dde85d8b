'use client'

import { serverNow } from '../../../lib/client/call/call.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { instantText, zonedText } from '../../../lib/client/time/time-text.ts'
import { useZone } from './zone.tsx'

interface InstantProps {
  /** ISO 8601, or epoch milliseconds. */
  at: string | number
  digits?: 0 | 1 | 3
  /** Say the zone beside it. */
  zoned?: boolean
}

/** A clock time in the reader's zone, with its date when it is not today's. */
export function Instant({ at, digits = 0, zoned }: InstantProps) {
  const zone = useZone()
  const epochMs = typeof at === 'number' ? at : Date.parse(at)
  const textOf = zoned ? zonedText : instantText
  return (
    <time dateTime={new Date(epochMs).toISOString()}>
      {textOf(epochMs, serverNow(pageNow()), zone, digits)}
    </time>
  )
}
