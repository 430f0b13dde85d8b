'use client'

import { useCallback } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import type { Pace } from '../../../lib/client/time/ticker.ts'
import { durationText } from '../../../lib/client/time/time-text.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'

/** A moment ahead, by the server's clock, and how far it is: "12:00:15 UTC (another 12 s)". */
export function UntilText({ at }: { at: string | number }) {
  const atMs = typeof at === 'number' ? at : Date.parse(at)
  const left = useCallback(
    (nowMs: number) => {
      const seconds = Math.ceil((atMs - serverNow(nowMs)) / 1000)
      return seconds > 0 ? ` (another ${durationText(seconds * 1000)})` : ''
    },
    [atMs],
  )
  return (
    <>
      <Instant at={atMs} zoned />
      <Ticking text={left} pace={everySecond} />
    </>
  )
}

const everySecond = (): Pace => 'seconds'
