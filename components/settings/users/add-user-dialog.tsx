'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { codeOf } from '../../../lib/client/call/api-error.ts'
import { call } from '../../../lib/client/call/call.ts'
import { fieldIssue } from '../../../lib/client/call/error-words.ts'
import { keys } from '../../../lib/client/call/queries.ts'
import type { Role } from '../../../lib/contract/people/rights.ts'
import { newUserSchema } from '../../../lib/contract/people/user.ts'
import { useElevatedCall } from '../../elevation/use-elevated-call.tsx'
import { DialogHead } from '../../ui/control/dialog.tsx'
import { Field } from '../../ui/control/field.tsx'
import { HoldingDialog } from '../../ui/dialog/holding-dialog.tsx'
import { DialogFoot } from '../dialog-foot.tsx'
import { NotDone } from '../not-done.tsx'
import { newPassword } from '../password/new-password.ts'
import { type ChosenPassword, PasswordChoice } from '../password/password-choice.tsx'
import { PasswordDone } from '../password/password-done.tsx'
import { RoleChoice } from './role-choice.tsx'

interface AddUserDialogProps {
  open: boolean
  onClose: () => void
  lock: string | null
}

/** Adds a user, with a first password. */
export function AddUserDialog({ open, onClose, lock }: AddUserDialogProps) {
  const first = useRef<HTMLInputElement>(null)
  return (
    <HoldingDialog open={open} onClose={onClose} sticky initialFocus={first}>
      <AddUserSteps onClose={onClose} lock={lock} first={first} />
    </HoldingDialog>
  )
}

interface StepsProps extends Omit<AddUserDialogProps, 'open'> {
  first: RefObject<HTMLInputElement | null>
}

const doubt = {
  title: 'The user may have been added.',
  detail: 'Close this and read the list. If the user is there, set a new password.',
}

function AddUserSteps({ onClose, lock, first }: StepsProps) {
  const client = useQueryClient()
  const typed = useRef<HTMLInputElement>(null)
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [chosen, setChosen] = useState<ChosenPassword>(null)
  const [checked, setChecked] = useState<{ username?: string | undefined; password?: string | undefined }>({})
  const [created, setCreated] = useState<{ username: string; generated: string | null } | null>(null)
  const add = useElevatedCall(
    (input: { username: string; password: string; role: Role; generated: boolean }) =>
      call('createUser', {
        body: { username: input.username, password: input.password, role: input.role },
      }).then(() => input),
    ({ username, password, generated }) => {
      setCreated({ username, generated: generated ? password : null })
      client.invalidateQueries({ queryKey: keys.users })
    },
    () => client.invalidateQueries({ queryKey: keys.users }),
  )
  const submit = () => {
    if (lock !== null) return
    const body = { username, role, password: chosen ?? newPassword() }
    const issues = newUserSchema.safeParse(body).error?.issues ?? []
    const of = (field: string) => issues.find(({ path }) => path[0] === field)?.message
    setChecked({ username: of('username'), password: of('password') })
    if (of('username') !== undefined) return first.current?.focus()
    if (of('password') !== undefined) return typed.current?.focus()
    if (issues.length === 0) add.submit({ ...body, generated: chosen === null })
  }
  const changed = () => {
    setChecked({})
    add.reset()
  }
  if (created !== null)
    return (
      <PasswordDone
        title="User added"
        of={created.username}
        generated={created.generated}
        onClose={onClose}
      />
    )

  const taken =
    codeOf(add.error) === 'user-exists' ? `The user name ${add.input?.username} is taken.` : undefined
  const issue = {
    username: checked.username ?? taken ?? fieldIssue(add.error, 'username'),
    password: checked.password ?? fieldIssue(add.error, 'password'),
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <DialogHead
        title="Add a user"
        lead="The user signs in with this name and the first password that you set."
      />
      <div className="form">
        <Field
          id="username"
          ref={first}
          label="User name"
          mono
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={username}
          problem={issue.username}
          hint="The audit log records every act under this name. It cannot be changed."
          onChange={(event) => {
            setUsername(event.target.value)
            changed()
          }}
        />
        <RoleChoice
          value={role}
          onChange={(next) => {
            setRole(next)
            changed()
          }}
        />
        <PasswordChoice
          ref={typed}
          label="First password"
          value={chosen}
          problem={issue.password}
          onChange={(next) => {
            setChosen(next)
            changed()
          }}
        />
        {!issue.username && !issue.password && <NotDone error={add.error} doubt={doubt} />}
      </div>
      <DialogFoot
        act="Add the user"
        busyText="Adding…"
        busy={add.busy}
        keeps={add.isPending}
        lock={add.inDoubt ? doubt.title : lock}
        onClose={onClose}
      />
      {add.asking}
    </form>
  )
}
