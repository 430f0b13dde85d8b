'use client'

import type { ReactNode } from 'react'
import type { Counter, LanesPicture } from '../../../lib/client/lab/lanes/lanes.ts'
import { countText } from '../../../lib/client/time/time-text.ts'
import { Icon } from '../../ui/control/icon.tsx'
import type { RunActs } from '../run/use-run-acts.ts'

interface CountersPanelProps {
  picture: LanesPicture
  acts: RunActs
}

const nothing: Counter = { value: 0, applied: 0, answered: 0 }

/** What fencing is for: the same additions, once with the token checked and once without. */
export function CountersPanel({ picture: { counters, deadlineCheck }, acts }: CountersPanelProps) {
  const { fenced, unfenced, refused } = counters ?? { fenced: nothing, unfenced: nothing, refused: 0 }
  const isUsed = counters !== null
  return (
    <section className="counters" aria-label="Both counters">
      <div className="head">
        <h2>Both counters</h2>
      </div>
      <CounterCard name="fenced" counter={fenced} right={isUsed ? ', right' : ''} tone="leads">
        {refused > 0 && `; ${countText(refused)} more refused: old token`}
      </CounterCard>
      <CounterCard name="unfenced" counter={unfenced} right={isUsed ? ', right so far' : ''} tone="waiting">
        ; nothing checks the token
      </CounterCard>
      <label className="check-switch" title={acts.lock === null ? undefined : `Locked: ${acts.lock}`}>
        <input
          type="checkbox"
          checked={deadlineCheck}
          disabled={acts.lock !== null}
          onChange={({ target }) => acts.act({ act: 'deadline-check', on: target.checked })}
        />
        <span>
          Holders check their deadline
          <span className="small dim">
            Off only to show what the deadline is for: a paused leader then believes on.
          </span>
        </span>
      </label>
    </section>
  )
}

interface CounterCardProps {
  name: 'fenced' | 'unfenced'
  counter: Counter
  /** What is said of it while it has lost nothing. */
  right: string
  tone: 'leads' | 'waiting'
  children: ReactNode
}

/** Its value, and the additions that it counts. */
function CounterCard({ name, counter, right, tone, children }: CounterCardProps) {
  const { value, applied, answered } = counter
  // Cassandra may carry out an addition whose answer not even the server gets: only the counter shows it.
  const all = Math.max(applied, value)
  const unanswered = all - answered
  const lost = all - value
  const isWrong = lost > 0
  return (
    <div className="count" data-state={isWrong ? 'wrong' : tone}>
      <span className="state">
        <Icon name={isWrong ? 'risk' : 'check'} />
        <span>
          {name}
          {isWrong ? ', wrong' : right}
        </span>
      </span>
      <b className="n">{countText(value)}</b>
      <p>
        {countText(all)} {all === 1 ? 'addition' : 'additions'} applied
        {unanswered > 0 && `: ${countText(answered)} answered, ${countText(unanswered)} without an answer`}
        {isWrong ? `; ${countText(lost)} lost: a stale write put back an old value` : children}
      </p>
    </div>
  )
}
