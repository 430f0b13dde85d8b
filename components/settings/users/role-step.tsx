'use client'

import { useState } from 'react'
import { DialogHead } from '../../ui/control/dialog.tsx'
import { Say } from '../../ui/text/say.tsx'
import { DialogFoot } from '../dialog-foot.tsx'
import { NotDone } from '../not-done.tsx'
import { RoleChoice } from './role-choice.tsx'
import { useUserChange } from './use-user-change.ts'
import { UserName, type UserStepProps } from './user-step.tsx'

/** Another role. */
export function RoleStep({ user, own, lock, onClose }: UserStepProps) {
  const [role, setRole] = useState(user.role)
  const change = useUserChange(user, onClose)
  const locked = lock ?? (role === user.role ? 'the user already has this role' : null)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (locked === null) change.submit({ role })
      }}
    >
      <DialogHead
        title={
          <>
            Change the role of <UserName user={user} />
          </>
        }
        lead="The new role takes effect at once, also in open sessions."
      />
      <div className="form">
        <RoleChoice
          value={role}
          onChange={(next) => {
            setRole(next)
            change.reset()
          }}
        />
        {own && role !== 'admin' && (
          <Say tone="warn" icon="risk" title="This is your own role.">
            You lose access to users and tokens, and only another admin can undo this.
          </Say>
        )}
        <NotDone error={change.error} />
      </div>
      <DialogFoot
        act={role === user.role ? 'Change the role' : `Make them ${role === 'viewer' ? 'a' : 'an'} ${role}`}
        busyText="Changing…"
        busy={change.busy}
        lock={locked}
        onClose={onClose}
      />
      {change.asking}
    </form>
  )
}
