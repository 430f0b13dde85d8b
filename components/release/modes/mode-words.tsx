'use client'

import { useCallback } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import { boundText, zonedText } from '../../../lib/client/time/time-text.ts'
import type { ModeOffer, ReleaseMode } from '../../../lib/contract/releases/release.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { useZone } from '../../shell/time/zone.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'
import { answerText, noticeText, overlapReason } from './overlap-text.ts'

interface ModeWordsProps {
  mode: ReleaseMode
  offer: ModeOffer
  /** When the holder's next renewal is expected, on the monotonic clock. null: not known. */
  renewalDueAtMs: number | null
  /** The expiry of the lease as it was read last; null: it has none. */
  expiresAt: string | null
  /** It is carried out when another person approves, and not now. */
  secondPerson: boolean
}

/** What follows from a mode, in a sentence or two; where one person is enough, with the times as they are if it is pressed now. */
export function ModeWords({ mode, offer, renewalDueAtMs, expiresAt, secondPerson }: ModeWordsProps) {
  switch (mode) {
    case 'ask':
      return (
        <p className="mut">
          If the holder does not answer, the lease stays as it is.{' '}
          <Until dueAtMs={renewalDueAtMs} words={answerText} />
        </p>
      )
    case 'break':
      return offer.quarantineMs === null ? null : (
        <p className="mut">
          The next holder can acquire{' '}
          {!secondPerson && (
            <>
              at <SafeAt quarantineMs={offer.quarantineMs} />,{' '}
            </>
          )}
          {boundText(offer.quarantineMs)} after the break
          {secondPerson && ', which is the moment of the approval'}: the whole TTL and a margin, because the
          holder may renew just before the break. Safe if the holder keeps to its deadline: the moment at
          which its own clock says that the lease is lost.
          {expiresAt !== null && (
            <>
              {' '}
              Without a break, the lease is free at <Instant at={expiresAt} zoned /> if the holder does not
              renew.
            </>
          )}
        </p>
      )
    case 'kill':
      return (
        <p className="mut">
          {overlapReason(offer)}{' '}
          {offer.overlapMs !== null && <Until dueAtMs={renewalDueAtMs} words={noticeText} />}
        </p>
      )
  }
}

interface UntilProps {
  /** null: not known. */
  dueAtMs: number | null
  words: (dueInMs: number | null) => string
}

function Until({ dueAtMs, words }: UntilProps) {
  const text = useCallback(
    (nowMs: number) => words(dueAtMs === null ? null : dueAtMs - nowMs),
    [dueAtMs, words],
  )
  return <Ticking text={text} />
}

function SafeAt({ quarantineMs }: { quarantineMs: number }) {
  const zone = useZone()
  const text = useCallback(
    (nowMs: number) => zonedText(serverNow(nowMs) + quarantineMs, serverNow(nowMs), zone),
    [quarantineMs, zone],
  )
  return (
    <b>
      <Ticking text={text} />
    </b>
  )
}
