import type { Said } from '../../../lib/client/lab/run/said.ts'
import { momentText } from '../../../lib/client/lab/window/time-window.ts'
import { Icon, type IconName } from '../../ui/control/icon.tsx'

const looks: Record<Said['outcome'], { className: string; icon: IconName; word: string }> = {
  applied: { className: 'yes', icon: 'check', word: 'applied' },
  'not-applied': { className: 'no', icon: 'cross', word: 'not applied' },
  rows: { className: 'no', icon: 'list', word: 'answered' },
  unknown: { className: 'odd', icon: 'verifying', word: 'unknown' },
  unavailable: { className: 'odd', icon: 'stale', word: 'not carried out' },
  refused: { className: 'bad', icon: 'cross', word: 'refused' },
  waiting: { className: 'no', icon: 'verifying', word: 'no answer yet' },
  held: { className: 'odd', icon: 'pause', word: 'held back' },
  stale: { className: 'bad', icon: 'risk', word: 'stale write' },
}

/** For these “not applied” is bad news for the sender; for a try it is everyday. */
const matters = new Set(['renew', 'release', 'fenced-counter'])

interface SaidRowProps {
  said: Said
  isTabStop: boolean
  onPoint: () => void
}

export function SaidRow({ said, isTabStop, onPoint }: SaidRowProps) {
  const { className, icon, word } = looks[said.outcome]
  // Of a counter without a row yet it is everyday too: the row is made next.
  const isBad = said.outcome === 'not-applied' && matters.has(said.purpose) && said.found !== null
  return (
    <li
      data-statement={said.statement}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onPoint}
      onPointerEnter={onPoint}
    >
      <span className="dim">{momentText(said.atMs)}</span>
      <b>{said.by}</b>
      <span className="cut">{said.cql}</span>
      <span className={isBad ? 'bad' : className}>
        <Icon name={icon} /> {word}
        {said.delivered !== null && said.delivered !== 'answer' && <span className="odd">, lost</span>}
      </span>
      <span className="ms">{said.tookMs === null ? '' : `${Math.round(said.tookMs)} ms`}</span>
    </li>
  )
}
