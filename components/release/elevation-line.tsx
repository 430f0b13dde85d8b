'use client'

import { useState } from 'react'
import { ElevateDialog } from '../elevation/elevate-dialog.tsx'
import { useElevation } from '../elevation/use-elevation.ts'
import { Instant } from '../shell/instant.tsx'
import { Say } from '../ui/say.tsx'

interface ElevationLineProps {
  /** Said while it is missing: what it is for. */
  needs: string
  onElevated?: () => void
}

/** Whether whoever looks is elevated, until when, and the way there without leaving what was begun. */
export function ElevationLine({ needs, onElevated }: ElevationLineProps) {
  const { isElevated, elevatedUntil } = useElevation()
  const [open, setOpen] = useState(false)
  return (
    <>
      {isElevated && elevatedUntil !== null ? (
        <Say
          tone="hold"
          icon="shield"
          title={
            <>
              You are elevated until <Instant at={elevatedUntil} />.{' '}
              <span className="mut font-normal">Break and kill need it; asking does not.</span>
            </>
          }
        />
      ) : (
        <div className="elevate">
          <Say tone="hold" icon="shield" title="You are not elevated.">
            {needs}
          </Say>
          <button type="button" className="btn" onClick={() => setOpen(true)}>
            Elevate…
          </button>
        </div>
      )}
      <ElevateDialog
        open={open}
        onClose={() => setOpen(false)}
        onElevated={() => {
          setOpen(false)
          onElevated?.()
        }}
      />
    </>
  )
}
