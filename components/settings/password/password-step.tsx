'use client'

import { useRef, useState } from 'react'
import { call } from '../../../lib/client/call/call.ts'
import { fieldIssue } from '../../../lib/client/call/error-words.ts'
import { newPasswordSchema } from '../../../lib/contract/people/session.ts'
import { useElevatedCall } from '../../elevation/use-elevated-call.tsx'
import { DialogHead } from '../../ui/control/dialog.tsx'
import { DialogFoot } from '../dialog-foot.tsx'
import { NotDone } from '../not-done.tsx'
import { UserName, type UserStepProps } from '../users/user-step.tsx'
import { newPassword } from './new-password.ts'
import { type ChosenPassword, PasswordChoice } from './password-choice.tsx'
import { PasswordDone } from './password-done.tsx'

/** A password that is set again replaces the one before, also one whose answer was lost. */
const doubt = {
  title: 'The password may have been set.',
  detail: 'Set a password again: only the last one counts.',
}

/** A new password for a user, who has to sign in again. */
export function PasswordStep({ user, own, lock, onClose }: UserStepProps) {
  const [chosen, setChosen] = useState<ChosenPassword>(null)
  const [issue, setIssue] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const [done, setDone] = useState<{ generated: string | null } | null>(null)
  const set = useElevatedCall(
    (input: { password: string; generated: boolean }) =>
      call('setPassword', {
        params: { username: user.username },
        body: { password: input.password },
      }).then(() => input),
    ({ password, generated }) => setDone({ generated: generated ? password : null }),
  )
  const submit = () => {
    if (lock !== null) return
    const password = chosen ?? newPassword()
    const wrong = newPasswordSchema.safeParse(password).error?.issues[0]?.message
    setIssue(wrong)
    if (wrong !== undefined) return field.current?.focus()
    set.submit({ password, generated: chosen === null })
  }
  if (done !== null)
    return (
      <PasswordDone
        title="New password set"
        of={user.username}
        generated={done.generated}
        onClose={onClose}
      />
    )
  const atField = issue ?? fieldIssue(set.error, 'password')
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <DialogHead
        title={
          <>
            New password for <UserName user={user} />
          </>
        }
        lead={
          own
            ? 'All your sessions end, this one too.'
            : 'The old password stops working, and all sessions of this user end.'
        }
      />
      <div className="form">
        <PasswordChoice
          ref={field}
          label="New password"
          value={chosen}
          problem={atField}
          onChange={(next) => {
            setChosen(next)
            setIssue(undefined)
            set.reset()
          }}
        />
        {atField === undefined && <NotDone error={set.error} doubt={doubt} />}
      </div>
      <DialogFoot
        act="Set the password"
        busyText="Setting…"
        busy={set.busy}
        keeps={set.isPending}
        lock={lock}
        onClose={onClose}
      />
      {set.asking}
    </form>
  )
}
