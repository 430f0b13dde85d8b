'use client'

import { DialogHead } from '../ui/dialog.tsx'
import { Say } from '../ui/say.tsx'
import { DialogFoot } from './dialog-foot.tsx'
import { NotDone } from './not-done.tsx'
import { useUserChange } from './use-user-change.ts'
import { UserName, type UserStepProps } from './user-step.tsx'

/** Nobody signs in by this name any more, after saying what follows. */
export function DisableStep({ user, own, lock, onClose }: UserStepProps) {
  const change = useUserChange(user, onClose)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (lock === null) change.submit({ disabled: true })
      }}
    >
      <DialogHead
        title={
          <>
            Disable <UserName user={user} />
          </>
        }
        lead="They cannot sign in until somebody enables them again."
      />
      <div className="form">
        <Say
          tone={own ? 'danger' : 'warn'}
          icon="risk"
          title={
            own
              ? 'This is you. Your sessions and open requests end at once.'
              : 'Their sessions and open requests end at once.'
          }
        >
          Leases that they acquired stay: a lease is its holder’s until it expires or is released.
        </Say>
        <NotDone error={change.error} />
      </div>
      <DialogFoot
        act="Disable the user"
        busyText="Disabling…"
        busy={change.busy}
        lock={lock}
        tone="danger"
        onClose={onClose}
      />
      {change.asking}
    </form>
  )
}

/** And again. */
export function EnableStep({ user, lock, onClose }: UserStepProps) {
  const change = useUserChange(user, onClose)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (lock === null) change.submit({ disabled: false })
      }}
    >
      <DialogHead
        title={
          <>
            Enable <UserName user={user} />
          </>
        }
        lead={`They can sign in again, as ${user.role}, with the password that they had.`}
      />
      <div className="form">
        <NotDone error={change.error} />
      </div>
      <DialogFoot
        act="Enable the user"
        busyText="Enabling…"
        busy={change.busy}
        lock={lock}
        onClose={onClose}
      />
      {change.asking}
    </form>
  )
}
