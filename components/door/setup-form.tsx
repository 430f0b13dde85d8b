'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { codeOf } from '../../lib/client/call/api-error.ts'
import { call } from '../../lib/client/call/call.ts'
import { errorWords, fieldIssue } from '../../lib/client/call/error-words.ts'
import { passwordMinLength } from '../../lib/contract/people/rights.ts'
import { setupBodySchema } from '../../lib/contract/people/session.ts'
import { Field } from '../ui/control/field.tsx'
import { Say } from '../ui/text/say.tsx'
import { NeedsScripts } from './needs-scripts.tsx'

/** The token stands in the fragment, which no server and no log ever sees; null: on the server, and until its HTML is taken over. */
const useToken = (): string | null =>
  useSyncExternalStore(
    onLink,
    () => location.hash.slice(1),
    () => null,
  )

function onLink(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/**
 * Sets the first password of the user admin, once. Another link gets a new form, without the errors of the last one. The link is not the form's key:
 * it is not known to the server, and a new form would lose what was typed before this script ran.
 */
export function SetupForm() {
  const token = useToken()
  const [links, setLinks] = useState(1)
  useEffect(() => onLink(() => setLinks((before) => before + 1)), [])
  return token === '' ? <DeadLink /> : <PasswordForm key={links} token={token ?? ''} />
}

function PasswordForm({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const first = useRef<HTMLInputElement>(null)
  const repeated = useRef<HTMLInputElement>(null)
  const [checked, setChecked] = useState<{ password?: string; again?: string }>({})
  // State would be too late: a second submit comes before the first one is rendered.
  const sent = useRef(false)
  const setUp = useMutation({
    mutationFn: () => call('setUp', { body: { token, password } }),
    onSuccess: () => location.replace('/'),
    onError: (error) => {
      sent.current = false
      if (fieldIssue(error, 'password') !== undefined) first.current?.focus()
    },
  })
  const busy = setUp.isPending || setUp.isSuccess
  const submit = () => {
    if (sent.current) return
    const parsed = setupBodySchema.shape.password.safeParse(password)
    const issues: typeof checked = {}
    if (!parsed.success) issues.password = parsed.error.issues[0]?.message ?? ''
    else if (password !== again) issues.again = 'The two passwords differ.'
    setChecked(issues)
    if (issues.password !== undefined) return first.current?.focus()
    if (issues.again !== undefined) return repeated.current?.focus()
    sent.current = true
    setUp.mutate()
  }

  if (codeOf(setUp.error) === 'setup-link-invalid') return <DeadLink />
  const atField = checked.password ?? fieldIssue(setUp.error, 'password')
  const words = setUp.isError && atField === undefined ? errorWords(setUp.error) : null
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p className="mut">
        Set the password of the user <b className="mono text-ink">admin</b>. This link works once.
      </p>
      {words && (
        <Say tone="danger" icon="risk" title={words.title} role="alert">
          {words.detail}
        </Say>
      )}
      <NeedsScripts what="Setting a password" />
      <input type="hidden" name="username" autoComplete="username" value="admin" readOnly />
      <Field
        id="new-password"
        ref={first}
        label="New password"
        large
        type="password"
        autoComplete="new-password"
        autoFocus
        value={password}
        problem={atField}
        hint={atField === undefined && `At least ${passwordMinLength} characters.`}
        onChange={(event) => {
          setPassword(event.target.value)
          setChecked({})
        }}
      />
      <Field
        id="new-password-again"
        ref={repeated}
        label="Repeat the new password"
        large
        type="password"
        autoComplete="new-password"
        value={again}
        problem={checked.again}
        onChange={(event) => {
          setAgain(event.target.value)
          setChecked({})
        }}
      />
      <button type="submit" className="btn primary lg" aria-disabled={busy || undefined}>
        {busy ? 'Setting the password…' : 'Set the password and sign in'}
      </button>
    </form>
  )
}

function DeadLink() {
  return (
    <>
      <Say tone="danger" icon="risk" title="This link is incomplete, or no longer works." role="alert">
        This link set no password. Copy the whole link after “sign-in link:” from the server’s terminal; it
        works once, within an hour. Until a password is set, “npm run user -- link” on the server, or another
        start, prints a new one.
      </Say>
      <p className="mut">
        Already set? Sign in. Forgotten: run “npm run user -- passwd admin” on the server.
      </p>
      <Link className="btn lg" href="/sign-in">
        Sign in
      </Link>
    </>
  )
}
