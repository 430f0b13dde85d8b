'use client'

import type { Clocked } from '../../lib/client/countdown.ts'
import { Age } from '../ui/age.tsx'
import { Icon } from '../ui/icon.tsx'

interface ReadPillProps {
  of: Clocked
  /** When a SERIAL read found nobody: that is what is confirmed then. */
  goneAtMs?: number | null
  stale: boolean
}

/** How true, and how old: a solid diamond is read at SERIAL, a hatch older than it should be. */
export function ReadPill({ of, goneAtMs = null, stale }: ReadPillProps) {
  const readAtMs = goneAtMs ?? of.clock.readAtMs
  if (stale)
    return (
      <span className="read stale">
        <Icon name="stale" />
        <b>
          stale <Age sinceMs={readAtMs} />
        </b>
      </span>
    )
  return (
    <span className="read confirmed">
      <Icon name="confirmed" />
      {/* One text, so that it reads as one. */}
      <span>
        confirmed <Age sinceMs={readAtMs} after=" ago" />
      </span>
    </span>
  )
}
