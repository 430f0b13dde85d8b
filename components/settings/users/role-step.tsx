'use client'

import { useState } from 'react'
import { Say } from '../../ui/text/say.tsx'
import { ActForm } from '../act-form.tsx'
import { RoleChoice } from './role-choice.tsx'
import { useUserChange } from './use-user-change.ts'
import { UserName, type UserStepProps } from './user-step.tsx'

/** Another role. */
export function RoleStep({ user, own, lock, onClose }: UserStepProps) {
  const [role, setRole] = useState(user.role)
  const change = useUserChange(user, onClose)
  const locked = lock ?? (role === user.role ? 'the user already has this role' : null)
  return (
    <>
      <ActForm
        title={
          <>
            Change the role of <UserName user={user} />
          </>
        }
        lead="The new role takes effect at once, also in open sessions."
        error={change.error}
        onAct={() => change.submit({ role })}
        act={role === user.role ? 'Change the role' : `Make them ${role === 'viewer' ? 'a' : 'an'} ${role}`}
        busyText="Changing…"
        busy={change.busy}
        lock={locked}
        onClose={onClose}
      >
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
      </ActForm>
      {change.asking}
    </>
  )
}
