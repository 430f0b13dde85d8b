import type { ReleaseMode } from '../../../lib/contract/releases/release.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { modeLooks } from './mode-look.ts'

interface ActButtonProps {
  mode: ReleaseMode | null
  secondPerson: boolean
  /** null: it may be pressed. Empty: why not stands beside it. Another text: what it says instead of its act. */
  locked: string | null
  sending: boolean
  onAct: () => void
}

/** The one button, in the hue of the mode. It names the act. */
export function ActButton({ mode, secondPerson, locked, sending, onAct }: ActButtonProps) {
  const look = mode === null ? null : modeLooks[mode]
  const act = look === null ? 'Release' : secondPerson ? look.request : look.act
  if (locked !== null || look === null)
    return (
      <button type="button" className="btn" aria-disabled="true" aria-describedby="act-missing">
        <Icon name="lock" />
        {locked || act}
      </button>
    )
  return (
    <button
      type="button"
      className={`btn ${look.button}`}
      aria-disabled={sending || undefined}
      // A key that is held down from the step before must not carry it out.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onClick={() => sending || onAct()}
    >
      <Icon name={look.icon} />
      {sending ? 'Sent, waiting for Cassandra…' : act}
    </button>
  )
}
