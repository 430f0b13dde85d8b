'use client'

import { ActForm } from '../../settings/act-form.tsx'
import { Dialog } from '../../ui/control/dialog.tsx'
import type { RunActs } from './use-run-acts.ts'

interface EndRunDialogProps {
  /** How many watch it besides this person. */
  others: number
  acts: RunActs
  onClose: () => void
}

export function EndRunDialog({ others, acts, onClose }: EndRunDialogProps) {
  return (
    <Dialog open onClose={onClose} narrow>
      <ActForm
        title="End this run"
        lead={`${others} ${others === 1 ? 'other viewer watches' : 'others watch'} it. The journal stays for 7 days, under the same address.`}
        error={null}
        onAct={() => {
          acts.end()
          onClose()
        }}
        act="End the run"
        busyText="Ending…"
        busy={false}
        lock={acts.lock}
        tone="danger"
        onClose={onClose}
      />
    </Dialog>
  )
}
