'use client'

import type { CSSProperties } from 'react'
import type { Row } from '../../lib/client/row/row-board.ts'
import { durationText } from '../../lib/client/time/time-text.ts'
import { rhythmOf } from './facts/lease-rhythm.ts'

const at = (ms: number, ttlMs: number) => ({ '--x': (ms / ttlMs) * 100 }) as CSSProperties

/** On a narrow screen the words of two marks that are closer than this share of the bar lie over each other. */
const wordsShare = 0.2

/** The moments of a lease along its bar. Dashed: expected of the holder, not seen. `opt`: left out on a narrow screen. */
export function LeaseMarks({ row }: { row: Row }) {
  const rhythm = row.state === 'quarantined' || row.state === 'verifying' ? null : rhythmOf(row)
  if (rhythm === null) return null
  const { renewsMs, riskMs, stopsMs, ttlMs } = rhythm
  const isCrowded = riskMs !== null && stopsMs !== null && riskMs - stopsMs < wordsShare * ttlMs
  return (
    <>
      {renewsMs !== null && (
        <span className="m" style={at(renewsMs, ttlMs)}>
          <span>
            renews with<b>{durationText(renewsMs)} left</b>
          </span>
        </span>
      )}
      {riskMs !== null && (
        <span className="m" style={at(riskMs, ttlMs)}>
          <span>
            at risk under<b>{durationText(riskMs)}</b>
          </span>
        </span>
      )}
      {stopsMs !== null && (
        <span className={isCrowded ? 'm dash opt' : 'm dash'} style={at(stopsMs, ttlMs)}>
          <span>
            stops with<b>{durationText(stopsMs)} left</b>
          </span>
        </span>
      )}
      <span className="m opt" style={at(ttlMs, ttlMs)}>
        <span>
          TTL<b>{durationText(ttlMs)}</b>
        </span>
      </span>
    </>
  )
}
