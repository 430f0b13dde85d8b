'use client'

import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Answer, call } from '../../../lib/client/call/call.ts'
import { fieldIssue } from '../../../lib/client/call/error-words.ts'
import { typedHint } from '../../release/plan/unseen-hint.ts'
import { DialogHead } from '../../ui/control/dialog.tsx'
import { Field } from '../../ui/control/field.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { CancelButton } from '../../ui/dialog/cancel-button.tsx'
import { HoldingDialog } from '../../ui/dialog/holding-dialog.tsx'
import { useTable } from '../address/use-table.ts'
import { useUrlState } from '../address/use-url-state.ts'
import { AcquiredStep } from './acquired-step.tsx'
import { type NewLease, newLeaseIssues, ttlLimitsText } from './new-lease-check.ts'
import { NotAcquired } from './not-acquired.tsx'

interface NewLeaseDialogProps {
  open: boolean
  onClose: () => void
  /** Why nothing can be acquired now; null: it can. */
  lock: string | null
  table: string | undefined
}

/**
 * Acquires a lease in the console's name. What the server finds wrong stands at the field it is about. A name to begin
 * with may stand in the URL, as `name`.
 */
export function NewLeaseDialog({ open, onClose, lock, table }: NewLeaseDialogProps) {
  const first = useRef<HTMLInputElement>(null)
  const { params, change } = useUrlState()
  const close = () => {
    // With the dialog goes its name; what else is to be closed is the page's matter.
    change({ new: undefined, name: undefined })
    onClose()
  }
  return (
    <HoldingDialog open={open} onClose={close} sticky initialFocus={first}>
      <NewLeaseSteps
        onClose={close}
        lock={lock}
        table={table}
        first={first}
        initialName={params.get('name') ?? ''}
      />
    </HoldingDialog>
  )
}

interface StepsProps extends Omit<NewLeaseDialogProps, 'open'> {
  first: React.RefObject<HTMLInputElement | null>
  initialName: string
}

function NewLeaseSteps({ onClose, lock, table, first, initialName }: StepsProps) {
  const { facts } = useTable(table)
  // Until the table is known, it is taken for one with everything: what it lacks is refused before anything is written.
  const { hasOwner = true, hasValue = true } = facts ?? {}
  const [form, setForm] = useState<NewLease>({ name: initialName, ttl: '60', value: '' })
  const [checked, setChecked] = useState<Partial<Record<keyof NewLease, string>>>({})
  // State would be too late: a second submit comes before the first one is rendered.
  const sent = useRef(false)
  const acquire = useMutation({
    mutationFn: ({ name, ttl, value }: NewLease): Promise<Answer<'putLock'>> =>
      call('putLock', {
        params: { name },
        query: { table },
        body: { ttlSeconds: Number(ttl), value: hasValue && value !== '' ? value : undefined },
      }),
    onError: () => {
      sent.current = false
    },
  })
  const set = (patch: Partial<NewLease>) => {
    setForm({ ...form, ...patch })
    setChecked({})
    if (!sent.current) acquire.reset()
  }
  const submit = () => {
    if (lock !== null || sent.current) return
    const issues = newLeaseIssues(form)
    setChecked(issues)
    if (Object.keys(issues).length > 0) return
    sent.current = true
    acquire.mutate(form)
  }
  if (acquire.isSuccess) return <AcquiredStep answer={acquire.data} table={table} onClose={onClose} />

  const issue = {
    name: checked.name ?? fieldIssue(acquire.error, 'name'),
    ttl: checked.ttl ?? fieldIssue(acquire.error, 'ttlSeconds'),
    value: checked.value ?? fieldIssue(acquire.error, 'value'),
  }
  const elsewhere = acquire.isError && !issue.name && !issue.ttl && !issue.value
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <DialogHead
        title="New lease"
        lead={
          hasOwner
            ? 'Acquired now, under a new owner id. It is not renewed, so it ends when its time is up.'
            : 'Acquired now, without an owner: this table has no column for one. It is not renewed, so it ends when its time is up.'
        }
      />
      <div className="form">
        <Field
          id="new-name"
          ref={first}
          label="Name"
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="billing/invoice-run"
          value={form.name}
          problem={issue.name}
          hint={typedHint(form.name) ?? undefined}
          onChange={(event) => set({ name: event.target.value })}
        />
        <Field
          id="new-ttl"
          label="Time to live, in seconds"
          inputMode="numeric"
          autoComplete="off"
          value={form.ttl}
          problem={issue.ttl}
          hint={`Whole seconds, ${ttlLimitsText}. Cassandra lets it live up to one second less.`}
          onChange={(event) => set({ ttl: event.target.value })}
        />
        {hasValue && (
          <Field
            id="new-value"
            label="Value"
            mono
            autoComplete="off"
            spellCheck={false}
            value={form.value}
            problem={issue.value}
            hint="Anything for others to read. May be left empty."
            onChange={(event) => set({ value: event.target.value })}
          />
        )}
        {elsewhere && <NotAcquired error={acquire.error} name={acquire.variables.name} table={table} />}
      </div>
      <div className="df">
        <CancelButton keeps={acquire.isPending} onClose={onClose} />
        <LockedSubmit lock={lock} busy={acquire.isPending} />
      </div>
    </form>
  )
}

function LockedSubmit({ lock, busy }: { lock: string | null; busy: boolean }) {
  if (lock !== null)
    return (
      <LockedButton className="btn primary" lock={lock}>
        Locked: {lock}
      </LockedButton>
    )
  return (
    <button type="submit" className="btn primary">
      <Icon name="plus" />
      {busy ? 'Acquiring…' : 'Acquire the lease'}
    </button>
  )
}
