'use client'

import { isApiError } from '../../../lib/client/call/api-error.ts'
import { errorWords } from '../../../lib/client/call/error-words.ts'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { Say } from '../../ui/text/say.tsx'
import { OtherAct } from '../modes/other-act.tsx'

interface NoPlanProps {
  error: unknown
  planning: boolean
  lock: string | null
  onAgain: () => void
  onClose: () => void
}

/** There is no plan: it is being made, or cannot be made, and why. */
export function NoPlan({ error, planning, lock, onAgain, onClose }: NoPlanProps) {
  const words = error === null ? null : errorWords(error)
  const harmless = isApiError(error) && (error.code === 'not-held' || error.code === 'not-releasable')
  // The next plan would be refused as this one was.
  const hopeless = isApiError(error) && (error.code === 'forbidden' || error.code === 'read-only')
  const leaves = harmless || hopeless
  // A break or a kill just before is why there is nothing to plan for.
  const release = isApiError(error) ? error.problem?.release : undefined
  return (
    <>
      <div className="body">
        {words === null ? (
          <p className="mut" role="status">
            Reading the holder at SERIAL…
          </p>
        ) : (
          <Say
            tone={harmless ? 'plain' : 'danger'}
            icon={harmless ? 'info' : 'risk'}
            title={words.title}
            role="alert"
          >
            {words.detail}
            {release && (
              <>
                {' '}
                <OtherAct release={release} />
              </>
            )}
          </Say>
        )}
      </div>
      <div className="df">
        <button
          type="button"
          className={hopeless ? 'btn primary push' : 'btn push'}
          data-input={leaves ? 'missing' : undefined}
          onClick={onClose}
        >
          Close
        </button>
        {words !== null && !hopeless && (
          <LockedButton
            className="btn"
            lock={lock}
            data-input={harmless ? undefined : 'missing'}
            onClick={onAgain}
          >
            {planning ? 'Planning…' : 'Plan again'}
          </LockedButton>
        )}
      </div>
    </>
  )
}
