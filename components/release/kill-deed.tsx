'use client'

import { durationText } from '../../lib/client/time-text.ts'
import type { ModeOffer } from '../../lib/contract/release.ts'
import { Icon } from '../ui/icon.tsx'
import { Fate } from './fate.tsx'
import { overlapReason, usualOverlap } from './overlap-text.ts'

interface KillDeedProps {
  offer: ModeOffer
  /** The holder cannot be checked: what would happen cannot be told. */
  lost: boolean
}

/** What kill does, for how long two may act at once, and the same drawn. A statement: there is nothing to choose. */
export function KillDeed({ offer, lost }: KillDeedProps) {
  const { overlapMs, usualOverlapMs } = offer
  const usual = usualOverlap(offer)
  return (
    <section aria-label="What it does">
      <div className="deed danger-c">
        <h3>
          <Icon name="kill" />
          What a kill does
        </h3>
        <p>The row is deleted now. The holder does not know it yet, and may go on working.</p>
        {!lost && (
          <p>
            <b>
              {overlapMs === null ? 'Overlap without an end' : `Up to ${durationText(overlapMs)} of overlap`}
            </b>
          </p>
        )}
      </div>
      {!lost && (
        <>
          <Fate overlapMs={overlapMs} usualOverlapMs={usualOverlapMs} />
          <p className="mut">
            {overlapReason(offer)} {usual}
          </p>
        </>
      )}
    </section>
  )
}
