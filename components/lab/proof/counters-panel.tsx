'use client'

import type { LanesPicture } from '../../../lib/client/lab/lanes/lanes.ts'
import { countText } from '../../../lib/client/time/time-text.ts'
import { Icon } from '../../ui/control/icon.tsx'
import type { RunActs } from '../run/use-run-acts.ts'

interface CountersPanelProps {
  picture: LanesPicture
  acts: RunActs
}

/** What fencing is for: the same additions, once with the token checked and once without. */
export function CountersPanel({ picture: { counters, deadlineCheck }, acts }: CountersPanelProps) {
  const { fenced, unfenced, refused, added } = counters ?? { fenced: 0, unfenced: 0, refused: 0, added: 0 }
  // An answer may be counted before its write is noted.
  const lost = Math.max(0, added - unfenced)
  const isWrong = lost > 0
  return (
    <section className="counters" aria-label="Both counters">
      <div className="head">
        <h2>Both counters</h2>
      </div>
      <div className="count" data-state="leads">
        <span className="state">
          <Icon name="check" />
          <span>fenced{counters === null ? '' : ', right'}</span>
        </span>
        <b className="n">{countText(fenced)}</b>
        <p>
          {countText(fenced)} {fenced === 1 ? 'addition' : 'additions'} applied
          {refused > 0 && `; ${countText(refused)} more refused: old token`}
        </p>
      </div>
      <div className="count" data-state={isWrong ? 'wrong' : 'waiting'}>
        <span className="state">
          <Icon name={isWrong ? 'risk' : 'check'} />
          <span>unfenced{counters === null ? '' : isWrong ? ', wrong' : ', right so far'}</span>
        </span>
        <b className="n">{countText(unfenced)}</b>
        <p>
          {countText(added)} {added === 1 ? 'addition' : 'additions'} applied
          {isWrong
            ? `; ${countText(lost)} lost: a stale write put back an old value`
            : '; nothing checks the token'}
        </p>
      </div>
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
