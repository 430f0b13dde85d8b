'use client'

import type { Clocked } from '../../lib/client/countdown.ts'
import { Age } from '../ui/age.tsx'
import { Icon } from '../ui/icon.tsx'

interface ReadPillProps {
  of: Clocked
  /** When a SERIAL read found no holder: the pill then confirms that. */
  goneAtMs?: number | null
  stale: boolean
}

/**
 * The certainty and the age of a row: a solid diamond is read at SERIAL, an outline seen by a scan, a hatch older than
 * it should be.
 */
export function ReadPill({ of, goneAtMs = null, stale }: ReadPillProps) {
  const confirmed = goneAtMs !== null || of.lease.read.level === 'SERIAL'
  const readAtMs = goneAtMs ?? of.clock.readAtMs
  if (stale)
    return (
      <span className="read stale">
        <Icon name="stale" />
        <b>
          stale <Age sinceMs={readAtMs} whole />
        </b>
      </span>
    )
  return (
    <span className={confirmed ? 'read confirmed' : 'read scanned'}>
      <Icon name={confirmed ? 'confirmed' : 'scanned'} />
      {/* One text, so that it reads as one. */}
      <span>
        {confirmed ? 'confirmed ' : 'scanned '}
        <Age sinceMs={readAtMs} after=" ago" whole />
      </span>
    </span>
  )
}
