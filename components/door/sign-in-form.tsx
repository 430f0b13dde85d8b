'use client'

import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { codeOf } from '../../lib/client/api-error.ts'
import { call } from '../../lib/client/call.ts'
import { errorWords } from '../../lib/client/error-words.ts'
import { safeNext } from '../../lib/contract/next-path.ts'
import { signInBodySchema } from '../../lib/contract/session.ts'
import { Field } from '../ui/field.tsx'
import { Say } from '../ui/say.tsx'

/** Name and password; then on to the page that was asked for. */
export function SignInForm({ next }: { next: string | undefined }) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [capsLock, setCapsLock] = useState(false)
  const [checked, setChecked] = useState<{ username?: string; password?: string }>({})
  const usernameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  // State would be too late: a second submit comes before the first one is rendered.
  const sent = useRef(false)
  const signIn = useMutation({
    mutationFn: () => call('signIn', { body: { username, password } }),
    // A whole new page: nothing of what was cached for somebody else stays.
    onSuccess: () => location.replace(safeNext(next, location.origin)),
    onError: (error) => {
      sent.current = false
      if (codeOf(error) === 'wrong-credentials') passwordField.current?.select()
    },
  })
  const busy = signIn.isPending || signIn.isSuccess
  const submit = () => {
    if (sent.current) return
    const issues = signInIssues(username, password)
    setChecked(issues)
    if (issues.username) usernameField.current?.focus()
    else if (issues.password) passwordField.current?.focus()
    else {
      sent.current = true
      signIn.mutate()
    }
  }
  const amiss = checked.username !== undefined || checked.password !== undefined
  const words = signIn.isError && !amiss ? errorWords(signIn.error) : null
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {words && (
        <Say tone="danger" icon="risk" title={words.title} role="alert">
          {codeOf(signIn.error) === 'wrong-credentials' ? null : words.detail}
        </Say>
      )}
      <Field
        id="username"
        ref={usernameField}
        label="User name"
        large
        name="username"
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus
        required
        value={username}
        problem={checked.username}
        onChange={(event) => {
          setUsername(event.target.value)
          setChecked({})
        }}
      />
      <Field
        id="password"
        ref={passwordField}
        label="Password"
        large
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        problem={checked.password}
        hint={capsLock ? 'Caps lock is on.' : undefined}
        onChange={(event) => {
          setPassword(event.target.value)
          setChecked({})
        }}
        onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
      />
      <button type="submit" className="btn primary lg" aria-disabled={busy || undefined}>
        {busy ? 'Signing in…' : 'Sign in'}
      </button>
      <p className="small dim">
        First start? The terminal that ran <code>npm start</code> printed a link which sets the first
        password. It works once.
      </p>
    </form>
  )
}

/** What is wrong, by field, in the contract's own sentences. */
function signInIssues(username: string, password: string): { username?: string; password?: string } {
  const found = signInBodySchema.safeParse({ username, password }).error?.issues ?? []
  const of = (field: string) => found.find(({ path }) => path[0] === field)?.message
  const [name, secret] = [of('username'), of('password')]
  return { ...(name !== undefined && { username: name }), ...(secret !== undefined && { password: secret }) }
}
