'use client'

import { useCallback } from 'react'
import { serverNow } from '../../lib/client/call/call.ts'
import { zonedText } from '../../lib/client/time/time-text.ts'
import { elevationSeconds } from '../../lib/contract/people/rights.ts'
import { useZone } from '../shell/time/zone.tsx'
import { Ticking } from '../ui/text/ticking.tsx'

/** Until when it would last, if it began now. */
export function ElevationUntil() {
  const zone = useZone()
  const text = useCallback(
    (nowMs: number) =>
      `Valid until ${zonedText(serverNow(nowMs) + elevationSeconds * 1000, serverNow(nowMs), zone)}`,
    [zone],
  )
  return <Ticking className="small dim" text={text} />
}
