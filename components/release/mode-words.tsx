'use client'

import { useCallback } from 'react'
import { serverNow } from '../../lib/client/call.ts'
import { clockText, durationText, zoneText } from '../../lib/client/time-text.ts'
import type { ModeOffer, ReleaseMode } from '../../lib/contract/releases/release.ts'
import { useZone } from '../shell/zone.tsx'
import { Ticking } from '../ui/ticking.tsx'
import { overlapReason, usualOverlap } from './overlap-text.ts'

interface ModeWordsProps {
  mode: ReleaseMode
  offer: ModeOffer
  /** When the holder's next renewal is expected, on the monotonic clock. null: not known. */
  renewalDueAtMs: number | null
}

/** What follows from a mode, in a sentence or two, with the times as they are if it is pressed now. */
export function ModeWords({ mode, offer, renewalDueAtMs }: ModeWordsProps) {
  switch (mode) {
    case 'ask':
      return (
        <p className="mut">
          Nothing happens if the holder does not answer: the lease stays as it is.{' '}
          {renewalDueAtMs === null ? (
            'When its next renewal is due is not known.'
          ) : (
            <AnswerIn dueAtMs={renewalDueAtMs} />
          )}
        </p>
      )
    case 'break':
      return offer.quarantineMs === null ? null : (
        <p className="mut">
          Acquirable again at <SafeAt quarantineMs={offer.quarantineMs} />, {durationText(offer.quarantineMs)}{' '}
          after the act: the whole TTL and a margin, because the holder may renew once more just before it.
          Safe as long as the holder keeps to its own deadline.
        </p>
      )
    case 'kill':
      return (
        <p className="mut">
          {overlapReason(offer)} {usualOverlap(offer)}
        </p>
      )
  }
}

function AnswerIn({ dueAtMs }: { dueAtMs: number }) {
  const text = useCallback(
    (nowMs: number) =>
      dueAtMs > nowMs
        ? `Expect it within ${durationText(dueAtMs - nowMs)}, its next renewal.`
        : 'Its next renewal was due, and has not been seen.',
    [dueAtMs],
  )
  return <Ticking text={text} />
}

function SafeAt({ quarantineMs }: { quarantineMs: number }) {
  const zone = useZone()
  const text = useCallback(
    (nowMs: number) => {
      const atMs = serverNow(nowMs) + quarantineMs
      return `${clockText(atMs, zone)} ${zoneText(zone, atMs)}`
    },
    [quarantineMs, zone],
  )
  return (
    <b>
      <Ticking text={text} />
    </b>
  )
}
