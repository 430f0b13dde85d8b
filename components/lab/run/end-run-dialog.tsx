'use client'

import { ActForm } from '../../settings/act-form.tsx'
import { Dialog } from '../../ui/control/dialog.tsx'

interface EndRunDialogProps {
  /** How many watch it besides this person. */
  others: number
  /** The title of the story that begins after it; left out: none. */
  next?: string
  lock: string | null
  onEnd: () => void
  onClose: () => void
}

export function EndRunDialog({ others, next, lock, onEnd, onClose }: EndRunDialogProps) {
  const watched =
    others === 0 ? '' : `${others} ${others === 1 ? 'other viewer watches' : 'others watch'} it. `
  return (
    <Dialog open onClose={onClose} narrow>
      <ActForm
        title={next === undefined ? 'End this run' : `End this run and start “${next}”`}
        lead={`${watched}The journal stays for 7 days, under the same address.`}
        error={null}
        onAct={() => {
          onEnd()
          onClose()
        }}
        act={next === undefined ? 'End the run' : 'End it and start'}
        busyText="Ending…"
        busy={false}
        lock={lock}
        tone="danger"
        onClose={onClose}
      />
    </Dialog>
  )
}
