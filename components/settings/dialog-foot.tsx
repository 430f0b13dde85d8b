'use client'

import { LockedButton } from '../ui/control/locked-button.tsx'
import { CancelButton } from '../ui/dialog/cancel-button.tsx'

interface DialogFootProps {
  /** A verb with its object. */
  act: string
  busyText: string
  busy: boolean
  /** Why it cannot be done now; null: it can. */
  lock: string | null
  tone?: 'primary' | 'danger'
  /** A request is under way whose answer only this dialog shows. */
  keeps?: boolean
  onClose: () => void
}

/** The way out, and the one button that names the act. It submits the form that it stands in. */
export function DialogFoot({
  act,
  busyText,
  busy,
  lock,
  tone = 'primary',
  keeps = false,
  onClose,
}: DialogFootProps) {
  return (
    <div className="df">
      <CancelButton keeps={keeps} onClose={onClose} />
      {lock !== null ? (
        <LockedButton className={`btn ${tone}`} lock={lock}>
          {act}
        </LockedButton>
      ) : (
        <button type="submit" className={`btn ${tone}`} aria-disabled={busy || undefined}>
          {busy ? busyText : act}
        </button>
      )}
    </div>
  )
}
