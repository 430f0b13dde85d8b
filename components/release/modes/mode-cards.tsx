'use client'

import type { ReleaseMode, ReleasePlan } from '../../../lib/contract/releases/release.ts'
import { Icon } from '../../ui/control/icon.tsx'
import type { InputMark } from '../../ui/control/next-input.ts'
import { doesText, modeLooks, releaseModeList } from './mode-look.ts'
import { shortOverlap } from './overlap-text.ts'

interface ModeCardsProps {
  modes: ReleasePlan['modes']
  mode: ReleaseMode | null
  /** The person has chosen it, or has gone on from it. */
  isChosen: boolean
  onMode: (mode: ReleaseMode) => void
  /** The holder cannot be checked: how long two may act is not known. */
  lost: boolean
  /** The plan is dead: none can be chosen. */
  locked: boolean
}

/** Ask, break or kill: each with what it does, and for how long two may act at once. One that may not be chosen says why. */
export function ModeCards({ modes, mode, isChosen, onMode, lost, locked }: ModeCardsProps) {
  const next = mode ?? releaseModeList.find((each) => modes[each].allowed)
  const mark: InputMark = isChosen && mode !== null ? 'done' : 'missing'
  return (
    <fieldset>
      <legend className="vh">How</legend>
      <div className="modes">
        {releaseModeList.map((each) => {
          const look = modeLooks[each]
          const offer = modes[each]
          // Without an expiry no quarantine is long enough: a break promises nothing then.
          const isImpossible = each === 'break' && offer.quarantineMs === null
          const why = offer.allowed ? null : (offer.reason ?? 'Not possible here.')
          return (
            <label key={each} className={`mode ${look.hue}`}>
              <input
                type="radio"
                name="mode"
                value={each}
                aria-label={look.word}
                aria-describedby={`mode-${each}`}
                checked={each === mode}
                disabled={why !== null || locked}
                data-input={each === next && !locked ? mark : undefined}
                onChange={() => onMode(each)}
              />
              <span className="radio" />
              <b>
                <Icon name={look.icon} />
                {look.word}
              </b>
              <ModeText
                id={`mode-${each}`}
                does={doesText(each, offer)}
                overlap={lost || locked || isImpossible ? null : shortOverlap(each, offer)}
                why={why}
              />
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}

interface ModeTextProps {
  id: string
  does: string
  overlap: string | null
  why: string | null
}

function ModeText({ id, does, overlap, why }: ModeTextProps) {
  return (
    <span id={id} className="contents">
      <span className="does">{does}</span>
      {overlap !== null && <em>{overlap}</em>}
      {why !== null && (
        <span className="why">
          <Icon name="lock" />
          {why}
        </span>
      )}
    </span>
  )
}
