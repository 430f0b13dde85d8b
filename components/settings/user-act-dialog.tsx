'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/client/call.ts'
import { fieldIssue } from '../../lib/client/error-words.ts'
import { keys } from '../../lib/client/queries.ts'
import { newPasswordSchema } from '../../lib/contract/session.ts'
import type { User } from '../../lib/contract/user.ts'
import { useElevatedCall } from '../elevation/use-elevated-call.tsx'
import { Dialog, DialogHead } from '../ui/dialog.tsx'
import { Say } from '../ui/say.tsx'
import { DialogFoot } from './dialog-foot.tsx'
import { newPassword } from './new-password.ts'
import { NotDone } from './not-done.tsx'
import { type ChosenPassword, PasswordChoice } from './password-choice.tsx'
import { PasswordDone } from './password-done.tsx'
import { RoleChoice } from './role-choice.tsx'

/** What can be done to a user. */
export type UserAct = 'role' | 'password' | 'disable' | 'enable'

interface UserActDialogProps {
  act: UserAct
  user: User
  /** It is oneself. */
  own: boolean
  lock: string | null
  onClose: () => void
}

/** Changes one thing about one user, and says before what follows. */
export function UserActDialog(props: UserActDialogProps) {
  const Step = { role: RoleStep, password: PasswordStep, disable: DisableStep, enable: EnableStep }[props.act]
  return (
    <Dialog open onClose={props.onClose} narrow sticky={props.act === 'role' || props.act === 'password'}>
      <Step {...props} />
    </Dialog>
  )
}

type StepProps = Omit<UserActDialogProps, 'act'>

const Name = ({ user }: { user: User }) => <bdi className="mono">{user.username}</bdi>

/** A change of a user; the list shows it, so that the dialog has nothing more to say. */
function useChange({ user, onClose }: Pick<StepProps, 'user' | 'onClose'>) {
  const client = useQueryClient()
  return useElevatedCall(
    (body: { role: User['role'] } | { disabled: boolean }) =>
      call('changeUser', { params: { username: user.username }, body }),
    () => {
      client.invalidateQueries({ queryKey: keys.users })
      client.invalidateQueries({ queryKey: keys.session })
      onClose()
    },
  )
}

function RoleStep({ user, own, lock, onClose }: StepProps) {
  const [role, setRole] = useState(user.role)
  const change = useChange({ user, onClose })
  const locked = lock ?? (role === user.role ? 'this is the role already' : null)
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
            Change the role of <Name user={user} />
          </>
        }
        lead="It takes effect at once, in what they have open too."
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
            You will not see users and tokens any more, and cannot take it back yourself.
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

function DisableStep({ user, own, lock, onClose }: StepProps) {
  const change = useChange({ user, onClose })
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
            Disable <Name user={user} />
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

function EnableStep({ user, lock, onClose }: StepProps) {
  const change = useChange({ user, onClose })
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
            Enable <Name user={user} />
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

function PasswordStep({ user, own, lock, onClose }: StepProps) {
  const [chosen, setChosen] = useState<ChosenPassword>(null)
  const [issue, setIssue] = useState<string>()
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
    if (wrong === undefined) set.submit({ password, generated: chosen === null })
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
            New password for <Name user={user} />
          </>
        }
        lead={
          own
            ? 'Every session of yours ends, this one too.'
            : 'The old one does not work any more, and every session of theirs ends.'
        }
      />
      <div className="form">
        <PasswordChoice
          label="New password"
          value={chosen}
          problem={atField}
          onChange={(next) => {
            setChosen(next)
            setIssue(undefined)
            set.reset()
          }}
        />
        {atField === undefined && <NotDone error={set.error} />}
      </div>
      <DialogFoot act="Set the password" busyText="Setting…" busy={set.busy} lock={lock} onClose={onClose} />
      {set.asking}
    </form>
  )
}
