'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ElevateDialog } from '../../elevation/elevate-dialog.tsx'
import { useElevatedUntil } from '../../elevation/use-elevation.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { nextInput } from '../../ui/control/next-input.ts'
import { Say } from '../../ui/text/say.tsx'

interface ElevationLineProps {
  /** What it is for. */
  needs: string
  /** The act, for the dialog, which lies over what says it. */
  about: ReactNode
  /**
   * What it is for cannot be done any more. The line goes; a password that is being typed stays, because it is needed for
   * the next plan as well.
   */
  isOver?: boolean
  onElevated?: () => void
}

/** Whether the reader is elevated, until when, and the way there without leaving what was begun. */
export function ElevationLine({ needs, about, isOver = false, onElevated }: ElevationLineProps) {
  const elevatedUntil = useElevatedUntil()
  const isElevated = elevatedUntil !== null
  const isSso = useSession().via === 'sso'
  const [open, setOpen] = useState(false)
  // On a page, no dialog takes the focus that the button had: the line that stands in its place does.
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isElevated && document.activeElement === document.body) place.current?.focus()
  }, [isElevated])
  // Also on a telephone: its keyboard is open, for the password.
  const wasGiven = useRef(false)
  useEffect(() => {
    if (!isElevated || open || !wasGiven.current) return
    wasGiven.current = false
    const dialog = place.current?.closest<HTMLElement>('[role=dialog]')
    if (dialog) nextInput(dialog)?.focus()
  }, [isElevated, open])
  return (
    <div ref={place} tabIndex={-1} hidden={isOver}>
      {elevatedUntil !== null ? (
        <Say
          tone="hold"
          icon="shield"
          title={
            <>
              {isSso ? 'You signed in again: valid' : 'Your password is confirmed: valid'} until{' '}
              <Instant at={elevatedUntil} zoned />. <span className="mut font-normal">{needs}</span>
            </>
          }
        />
      ) : (
        <div className="elevate">
          <Say
            tone="hold"
            icon="shield"
            title={isSso ? 'Sign in again first.' : 'Confirm your password first.'}
          >
            {needs}
          </Say>
          {!isOver && (
            <button type="button" className="btn" data-input="missing" onClick={() => setOpen(true)}>
              {isSso ? 'Sign in again…' : 'Confirm password…'}
            </button>
          )}
        </div>
      )}
      <ElevateDialog
        open={open}
        about={about}
        onClose={() => setOpen(false)}
        onElevated={() => {
          wasGiven.current = true
          setOpen(false)
          onElevated?.()
        }}
      />
    </div>
  )
}
