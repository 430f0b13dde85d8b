'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { call } from '../../../lib/client/call/call.ts'
import { fieldIssue } from '../../../lib/client/call/error-words.ts'
import { keys } from '../../../lib/client/call/queries.ts'
import { type TokenRole, tokenRoles } from '../../../lib/contract/people/rights.ts'
import type { NewToken } from '../../../lib/contract/programs/token.ts'
import { useElevatedCall } from '../../elevation/use-elevated-call.tsx'
import { useTable } from '../../leases/address/use-table.ts'
import { DialogHead } from '../../ui/control/dialog.tsx'
import { Field } from '../../ui/control/field.tsx'
import { HoldingDialog } from '../../ui/dialog/holding-dialog.tsx'
import { ChoiceCards } from '../choice-cards.tsx'
import { DialogFoot } from '../dialog-foot.tsx'
import { NotDone } from '../not-done.tsx'
import { tokenRoleTitles, tokenRoleWords } from '../users/role-words.ts'
import { checkToken } from './new-token-check.ts'
import { onePrefix, PrefixList } from './prefix-list.tsx'
import { TokenDone } from './token-done.tsx'

interface NewTokenDialogProps {
  open: boolean
  onClose: () => void
  lock: string | null
}

/** Makes a token for a program. */
export function NewTokenDialog({ open, onClose, lock }: NewTokenDialogProps) {
  const first = useRef<HTMLInputElement>(null)
  return (
    <HoldingDialog open={open} onClose={onClose} sticky initialFocus={first}>
      <NewTokenSteps onClose={onClose} lock={lock} first={first} />
    </HoldingDialog>
  )
}

interface StepsProps extends Omit<NewTokenDialogProps, 'open'> {
  first: RefObject<HTMLInputElement | null>
}

interface Issues {
  name: string | undefined
  tables: string | undefined
  prefixes: Record<number, string>
}
const doubt = {
  title: 'The token may have been made.',
  detail: 'Close this and read the list. Revoke a token of this name: its secret was lost with the answer.',
}
const noIssue: Issues = { name: undefined, tables: undefined, prefixes: {} }

function NewTokenSteps({ onClose, lock, first }: StepsProps) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [role, setRole] = useState<TokenRole>('client')
  const [prefixes, setPrefixes] = useState(onePrefix)
  const [tablesText, setTablesText] = useState('leases')
  const { tables } = useTable(undefined)
  const [issues, setIssues] = useState<Issues>(noIssue)
  const make = useElevatedCall(
    (body: NewToken) => call('createToken', { body, once: true }),
    () => client.invalidateQueries({ queryKey: keys.tokens }),
    () => client.invalidateQueries({ queryKey: keys.tokens }),
  )
  const submit = () => {
    if (lock !== null) return
    const checked = checkToken(name, role, prefixes, tablesText)
    setIssues(checked.ok ? noIssue : checked)
    if (checked.ok) make.submit(checked.body)
  }
  const changed = () => {
    setIssues(noIssue)
    make.reset()
  }
  if (make.answer !== undefined) return <TokenDone token={make.answer.data} onClose={onClose} />

  const nameIssue = issues.name ?? fieldIssue(make.error, 'name')
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <DialogHead
        title="Make a token"
        lead="Programs sign in with it. A token is valid until it is revoked."
      />
      <div className="form">
        <Field
          id="token-name"
          ref={first}
          label="Name"
          autoComplete="off"
          value={name}
          problem={nameIssue}
          hint="Programs using this token appear under this name."
          onChange={(event) => {
            setName(event.target.value)
            changed()
          }}
        />
        <ChoiceCards
          legend="Role"
          name="token-role"
          choices={tokenRoles.map((each) => ({
            value: each,
            title: tokenRoleTitles[each],
            text: tokenRoleWords[each],
          }))}
          value={role}
          onChange={(next) => {
            setRole(next)
            changed()
          }}
        />
        <PrefixList
          value={prefixes}
          problems={issues.prefixes}
          onChange={(next) => {
            setPrefixes(next)
            changed()
          }}
        />
        {tables.length > 1 && (
          <Field
            id="token-tables"
            label="Tables"
            autoComplete="off"
            value={tablesText}
            problem={issues.tables}
            hint={`The tables that the token may use, separated by commas. Configured: ${tables.map(({ id }) => id).join(', ')}. * means every table.`}
            onChange={(event) => {
              setTablesText(event.target.value)
              changed()
            }}
          />
        )}
        {nameIssue === undefined && <NotDone error={make.error} doubt={doubt} />}
      </div>
      <DialogFoot
        act="Make the token"
        busyText="Making…"
        busy={make.busy}
        keeps={make.isPending}
        lock={make.inDoubt ? doubt.title : lock}
        onClose={onClose}
      />
      {make.asking}
    </form>
  )
}
