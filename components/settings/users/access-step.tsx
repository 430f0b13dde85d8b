'use client'

import { Say } from '../../ui/text/say.tsx'
import { ActForm } from '../act-form.tsx'
import { useUserChange } from './use-user-change.ts'
import { UserName, type UserStepProps } from './user-step.tsx'

/** Ends a user's access, after saying what follows. */
export function DisableStep({ user, own, lock, onClose }: UserStepProps) {
  const change = useUserChange(user, onClose)
  // Of a person with several accounts, the one that sign-ins use.
  const used = user.samePerson?.[0]
  return (
    <>
      <ActForm
        title={
          <>
            Disable <UserName user={user} />
          </>
        }
        lead={
          used === undefined || used === user.username
            ? 'This user cannot sign in until an admin enables them again.'
            : `The person of this account signs in as ${used}, and still can. To keep the person out, disable ${used}.`
        }
        error={change.error}
        onAct={() => change.submit({ disabled: true })}
        act="Disable the user"
        busyText="Disabling…"
        busy={change.busy}
        lock={lock}
        tone="danger"
        onClose={onClose}
      >
        <Say
          tone={own ? 'danger' : 'warn'}
          icon="risk"
          title={
            own
              ? 'This is you. Your sessions and open requests end at once.'
              : used === user.username
                ? 'Their sessions and open requests end at once, under each of their accounts.'
                : 'Their sessions and open requests end at once.'
          }
        >
          Leases that they acquired stay held until they expire or are released.
        </Say>
      </ActForm>
      {change.asking}
    </>
  )
}

/** Gives it back. */
export function EnableStep({ user, lock, onClose }: UserStepProps) {
  const change = useUserChange(user, onClose)
  return (
    <>
      <ActForm
        title={
          <>
            Enable <UserName user={user} />
          </>
        }
        lead={`This user can sign in again, as ${user.role}, with the same password.`}
        error={change.error}
        onAct={() => change.submit({ disabled: false })}
        act="Enable the user"
        busyText="Enabling…"
        busy={change.busy}
        lock={lock}
        onClose={onClose}
      />
      {change.asking}
    </>
  )
}
