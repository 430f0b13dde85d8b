'use client'

import { useState } from 'react'
import { later } from '../../ui/control/later.tsx'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import type { RunActs } from './use-run-acts.ts'

const EndRunDialog = later(async () => (await import('./end-run-dialog.tsx')).EndRunDialog)

/** Ends the run: at once for the only viewer, after a question when others watch. */
export function EndRun({ viewers, acts }: { viewers: number | null; acts: RunActs }) {
  const [asks, setAsks] = useState(false)
  const others = Math.max(0, (viewers ?? 1) - 1)
  return (
    <>
      <LockedButton
        className="btn"
        lock={acts.lock}
        onClick={() => (others === 0 ? acts.end() : setAsks(true))}
      >
        End run
      </LockedButton>
      {asks && (
        <EndRunDialog others={others} lock={acts.lock} onEnd={acts.end} onClose={() => setAsks(false)} />
      )}
    </>
  )
}
