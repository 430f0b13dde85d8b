'use client'

import type { CSSProperties } from 'react'
import { durationText } from '../../lib/client/time-text.ts'
import { fateMarks } from './fate-marks.ts'

const vars = (values: Record<string, number>) => values as CSSProperties

/**
 * What a kill would do, on one line of time that begins when the button is pressed: the holder goes on in its belief
 * until its deadline, while the next may acquire at once. Where both do, two act as one.
 */
export function Fate({
  overlapMs,
  usualOverlapMs,
}: {
  overlapMs: number | null
  usualOverlapMs: number | null
}) {
  const marks = fateMarks(overlapMs, usualOverlapMs)
  const label =
    overlapMs === null
      ? 'The row is gone at once. The holder may go on without an end, while another may already have acquired.'
      : `The row is gone at once. The holder may go on for ${durationText(overlapMs)} while another may already have acquired: so long there may be two holders.`
  return (
    <div className="fate" role="img" aria-label={label}>
      <span className="clash" style={vars({ '--a': 0, '--b': marks.deadline })} />
      <div className="f-lane">
        <span>holder</span>
        <span
          className={overlapMs === null ? 'seg-b outl endless' : 'seg-b outl'}
          style={vars({ '--a': 0, '--b': marks.deadline })}
        >
          believes to hold it
        </span>
      </div>
      <div className="f-lane">
        <span>next</span>
        <span className="seg-b may" style={vars({ '--a': 0, '--b': 100 })}>
          may acquire from now on
        </span>
      </div>
      <span className="at t0" style={vars({ '--x': 0 })}>
        <span>now</span>
        <i>0 s</i>
      </span>
      {marks.renewal !== null && usualOverlapMs !== null && (
        <span className="at" style={vars({ '--x': marks.renewal })}>
          <span>next renewal</span>
          <i>{durationText(usualOverlapMs)}</i>
        </span>
      )}
      {overlapMs !== null && (
        <span className="at" style={vars({ '--x': marks.deadline })}>
          <span>deadline</span>
          <i>{durationText(overlapMs)}</i>
        </span>
      )}
    </div>
  )
}
