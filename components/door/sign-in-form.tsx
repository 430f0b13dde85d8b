'use client'

import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { codeOf } from '../../lib/client/call/api-error.ts'
import { call } from '../../lib/client/call/call.ts'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { safeNext } from '../../lib/contract/people/next-path.ts'
import { Field } from '../ui/control/field.tsx'
import { useRetryWait } from '../ui/control/use-retry-wait.ts'
import { WaitingButton } from '../ui/control/waiting-button.tsx'
import { Say } from '../ui/text/say.tsx'
import { NeedsScripts } from './needs-scripts.tsx'
import { SsoLink } from './sso-link.tsx'

interface SignInFormProps {
  /** Where to go afterwards. */
  next: string | undefined
  /** The name of the single sign-on provider; null: there is none. */
  sso: string | null
}

/** Name and password, or the provider; then on to the page that was asked for. */
export function SignInForm({ next, sso }: SignInFormProps) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [capsLock, setCapsLock] = useState(false)
  const [checked, setChecked] = useState<{ username?: string; password?: string }>({})
  const usernameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const wait = useRetryWait()
  // State would be too late: a second submit comes before the first one is rendered.
  const sent = useRef(false)
  const signIn = useMutation({
    mutationFn: () => call('signIn', { body: { username, password } }),
    // A whole new page: nothing stays of what was cached for another person.
    onSuccess: () => location.replace(safeNext(next, location.origin)),
    onError: (error) => {
      sent.current = false
      wait.begin(error)
      if (codeOf(error) === 'wrong-credentials') passwordField.current?.select()
    },
  })
  const busy = signIn.isPending || signIn.isSuccess
  const submit = () => {
    if (sent.current || wait.isOn()) return
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
  const waits = codeOf(signIn.error) === 'too-many-attempts'
  const words = signIn.isError && !amiss && !waits ? errorWords(signIn.error) : null
  return (
    // Before its script runs, and without one, a password must not end up in an address.
    <form
      method="post"
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
      {waits && wait.untilMs !== null && (
        <Say tone="warn" icon="clock" title="Too many attempts." role="alert">
          You can try again when the button has counted down.
        </Say>
      )}
      <NeedsScripts what="Signing in" />
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
        onBlur={() => setCapsLock(false)}
      />
      <WaitingButton
        className="btn primary lg"
        text="Sign in"
        busyText="Signing in…"
        busy={busy}
        untilMs={wait.untilMs}
      />
      {sso !== null && <SsoLink label={sso} next={next} />}
      <p className="small dim">
        First start? <code>npm start</code> printed how to sign in: with a link that sets the first password
        and works once, or as <code>admin</code> with <code>LEASEHOLD_ADMIN_PASSWORD</code>. Forgotten your
        password? Ask an admin for a new one, or set it on the server:{' '}
        <code>npm run user -- passwd NAME</code>.
      </p>
    </form>
  )
}

/** The fields that were left empty. The server checks the rest, so that the page need not load the schemas. */
function signInIssues(username: string, password: string): { username?: string; password?: string } {
  const issues: { username?: string; password?: string } = {}
  if (username === '') issues.username = 'Enter a user name.'
  if (password === '') issues.password = 'Enter a password.'
  return issues
}
