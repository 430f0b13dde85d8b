'use client'

import type { CSSProperties } from 'react'
import { boundText } from '../../../lib/client/time/time-text.ts'
import { latestRenewalMs } from '../../../lib/contract/leases/library-times.ts'
import type { ModeOffer, ReleaseMode } from '../../../lib/contract/releases/release.ts'
import { askMark, breakMarks, killMarks } from './fate-marks.ts'

const vars = (values: Record<string, number>) => values as CSSProperties

interface FateProps {
  mode: ReleaseMode
  offer: ModeOffer
  /** null: the lease has no expiry. */
  ttlMs: number | null
  /** Its next renewal is expected, and not late. */
  renews: boolean
}

/**
 * What a release would do, on lines of time that begin when the button is pressed: for how long the holder goes on, and
 * from when the next may acquire. Where both do, two act as one.
 */
export function Fate({ mode, offer, ttlMs, renews }: FateProps) {
  switch (mode) {
    case 'ask':
      return <AskFate renews={renews} />
    case 'break':
      return <BreakFate ttlMs={ttlMs} quarantineMs={offer.quarantineMs} />
    case 'kill':
      return (
        <KillFate
          overlapMs={offer.overlapMs}
          renewsWithinMs={renews && ttlMs !== null ? latestRenewalMs(ttlMs / 1000) : null}
        />
      )
  }
}

/** When the next renewal comes stands in the words below, where it is counted: a holder may renew while this is read. */
function AskFate({ renews }: { renews: boolean }) {
  const resigns = askMark(renews)
  return (
    <div
      className="fate"
      role="img"
      aria-label={`The holder goes on until it resigns${renews ? ' at its next renewal' : ''}; then the next holder may acquire.`}
    >
      <Lane of="holder" className="keeps" from={0} to={resigns} text="goes on" />
      <Lane of="next" className="may" from={resigns + 0.7} to={100} text="may acquire" />
      <Now />
      <At
        x={resigns}
        word={renews ? 'resigns' : 'resigns, if it reads this'}
        at={renews ? 'next renewal' : 'time unknown'}
      />
    </div>
  )
}

function BreakFate({ ttlMs, quarantineMs }: { ttlMs: number | null; quarantineMs: number | null }) {
  const { deadline, safe } = breakMarks(ttlMs, quarantineMs)
  const until = quarantineMs === null ? '' : ` for ${boundText(quarantineMs)}`
  return (
    <div
      className="fate"
      role="img"
      aria-label={`Quarantined${until}: the lease cannot be acquired. The holder must have stopped before that ends, if it keeps to its deadline; then the next holder may acquire.`}
    >
      <Lane
        of="holder"
        className="outl"
        from={0}
        to={deadline}
        text="believes it holds, until its deadline"
      />
      <Lane of="row" className="quar" from={0} to={safe} text="quarantined: cannot be acquired" />
      <Lane of="next" className="may" from={safe} to={100} text="may acquire" />
      <Now />
      <At
        x={safe}
        word="old holder’s time is over"
        at={quarantineMs === null ? '' : boundText(quarantineMs)}
      />
    </div>
  )
}

interface KillFateProps {
  overlapMs: number | null
  /** Within which time the holder is expected to renew; null: not known. */
  renewsWithinMs: number | null
}

function KillFate({ overlapMs, renewsWithinMs }: KillFateProps) {
  const { deadline, renewal } = killMarks(overlapMs, renewsWithinMs)
  const label =
    overlapMs === null
      ? 'The row is deleted at once. The holder may go on with no end, while the next holder already holds the lease.'
      : `The row is deleted at once. The holder may go on for up to ${boundText(overlapMs)}, while the next holder already holds the lease.`
  return (
    <div className="fate" role="img" aria-label={label}>
      <span className="clash" style={vars({ '--a': 0, '--b': deadline })} />
      <Lane
        of="holder"
        className={overlapMs === null ? 'outl endless' : 'outl'}
        from={0}
        to={deadline}
        text="believes it holds"
      />
      <Lane of="next" className="may" from={0} to={100} text="may acquire from now on" />
      <Now />
      {renewal !== null && renewsWithinMs !== null && (
        <At x={renewal} word="next renewal" at={`within ${boundText(renewsWithinMs)}`} />
      )}
      {overlapMs !== null && <At x={deadline} word="holder’s deadline" at={boundText(overlapMs)} />}
    </div>
  )
}

interface LaneProps {
  of: string
  className: string
  from: number
  to: number
  text: string
}

const Lane = ({ of, className, from, to, text }: LaneProps) => (
  <div className="f-lane">
    <span>{of}</span>
    <span className={`seg-b ${className}`} style={vars({ '--a': from, '--b': to })}>
      {text}
    </span>
  </div>
)

const Now = () => (
  <span className="at t0" style={vars({ '--x': 0 })}>
    <span>now</span>
    <i>0 s</i>
  </span>
)

const At = ({ x, word, at }: { x: number; word: string; at: string }) => (
  <span className="at" style={vars({ '--x': x })}>
    <span>{word}</span>
    <i>{at}</i>
  </span>
)
