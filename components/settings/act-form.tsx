'use client'

import type { ComponentProps, ReactNode } from 'react'
import { DialogHead } from '../ui/control/dialog.tsx'
import { DialogFoot } from './dialog-foot.tsx'
import { NotDone } from './not-done.tsx'

interface ActFormProps extends ComponentProps<typeof DialogFoot> {
  title: ReactNode
  lead: ReactNode
  /** Why the last try failed; null: it did not. */
  error: unknown
  onAct: () => void
  /** What follows from the act, or has to be chosen for it. */
  children?: ReactNode
}

/** One act on a user or a token, in a dialog: what it is, what follows, why it failed, and the one button. */
export function ActForm({ title, lead, error, onAct, children, ...foot }: ActFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (foot.lock === null && !foot.busy) onAct()
      }}
    >
      <DialogHead title={title} lead={lead} />
      <div className="form">
        {children}
        <NotDone error={error} />
      </div>
      <DialogFoot {...foot} />
    </form>
  )
}
