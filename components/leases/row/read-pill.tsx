'use client'

import { useCallback } from 'react'
import type { Clocked } from '../../../lib/client/time/countdown.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { Age } from '../../ui/text/age.tsx'

interface ReadPillProps {
  of: Clocked
  /** When a SERIAL read found no holder: the pill then confirms that. */
  goneAtMs?: number | null
  stale: boolean
  /** It is old because the reader paused the list. */
  paused?: boolean
  /** When it was read last, where that goes on without its being drawn again. */
  reading?: { readonly atMs: number }
}

/**
 * The certainty and the age of a row: a solid diamond is read at SERIAL, an outline seen by a scan, a hatch older than
 * it should be.
 */
export function ReadPill({ of, goneAtMs = null, stale, paused = false, reading }: ReadPillProps) {
  const confirmed = goneAtMs !== null || of.lease.read.level === 'SERIAL'
  const last = useCallback(() => reading?.atMs ?? 0, [reading])
  const readAtMs = goneAtMs ?? (reading === undefined ? of.clock.readAtMs : last)
  if (stale)
    return (
      <span className="read stale">
        <Icon name={paused ? 'pause' : 'stale'} />
        <b>
          {paused ? 'paused ' : 'stale '}
          <Age sinceMs={readAtMs} after={paused ? ' ago' : ''} whole />
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
