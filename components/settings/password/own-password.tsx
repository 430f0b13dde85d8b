'use client'

import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { codeOf } from '../../../lib/client/call/api-error.ts'
import { call } from '../../../lib/client/call/call.ts'
import { fieldIssue } from '../../../lib/client/call/error-words.ts'
import { passwordMinLength } from '../../../lib/contract/people/rights.ts'
import { ownPasswordBodySchema } from '../../../lib/contract/people/session.ts'
import { useSessionAnswer } from '../../elevation/use-elevation.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { useLockReason } from '../../shell/truth/use-connection.ts'
import { Field } from '../../ui/control/field.tsx'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { useRetryWait } from '../../ui/control/use-retry-wait.ts'
import { WaitingButton } from '../../ui/control/waiting-button.tsx'
import { Say } from '../../ui/text/say.tsx'
import { NotDone } from '../not-done.tsx'

/** The own password; a user of single sign-on has none here. */
export function OwnPassword() {
  const { via } = useSession()
  return (
    <section className="sect" aria-labelledby="own-password">
      <div className="head">
        <h2 id="own-password">Your password</h2>
      </div>
      {via === 'sso' ? (
        <Say title="You sign in by single sign-on.">
          You have no password here. Change your password at the sign-on provider.
        </Say>
      ) : (
        <OwnPasswordForm />
      )}
    </section>
  )
}

/** The answer that was lost had the new session with it. */
const doubt = {
  title: 'Your password may have been changed.',
  detail: 'If you are signed out, sign in with the new password. Otherwise change it again.',
}

const empty = { current: '', password: '', again: '' }
type Fields = typeof empty

function OwnPasswordForm() {
  const lock = useLockReason()
  const keep = useSessionAnswer()
  const wait = useRetryWait()
  const { username } = useSession()
  const [fields, setFields] = useState<Fields>(empty)
  const [checked, setChecked] = useState<{ [K in keyof Fields]?: string | undefined }>({})
  const current = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const repeated = useRef<HTMLInputElement>(null)
  // State would be too late: a second submit comes before the first one is rendered.
  const sent = useRef(false)
  const save = useMutation({
    mutationFn: ({ current, password }: Fields) => call('changeOwnPassword', { body: { current, password } }),
    onSuccess: (answer) => {
      keep(answer)
      setFields(empty)
    },
    onError: (error) => {
      wait.begin(error)
      if (codeOf(error) === 'wrong-credentials') current.current?.select()
      else if (fieldIssue(error, 'password') !== undefined) password.current?.focus()
    },
    onSettled: () => {
      sent.current = false
    },
  })
  const submit = () => {
    if (lock !== null || sent.current || wait.isOn()) return
    const { again, ...body } = fields
    const issues = ownPasswordBodySchema.safeParse(body).error?.issues ?? []
    const of = (field: string) => issues.find(({ path }) => path[0] === field)?.message
    const differs = of('password') === undefined && fields.password !== again
    setChecked({
      current: of('current'),
      password: of('password'),
      again: differs ? 'The two passwords differ.' : undefined,
    })
    if (of('current') !== undefined) return current.current?.focus()
    if (of('password') !== undefined) return password.current?.focus()
    if (differs) return repeated.current?.focus()
    if (issues.length > 0) return
    sent.current = true
    save.mutate(fields)
  }
  const set = (patch: Partial<Fields>) => {
    setFields({ ...fields, ...patch })
    setChecked({})
    if (!sent.current) save.reset()
  }
  const wrong = codeOf(save.error) === 'wrong-credentials'
  const atField = checked.password ?? fieldIssue(save.error, 'password')
  return (
    <form
      method="post"
      className="form own-password"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <Field
        id="current-password"
        ref={current}
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={fields.current}
        problem={checked.current ?? (wrong ? 'Wrong password.' : undefined)}
        onChange={(event) => set({ current: event.target.value })}
      />
      <div className="pair">
        <Field
          id="new-password"
          ref={password}
          label="New password"
          type="password"
          autoComplete="new-password"
          value={fields.password}
          problem={atField}
          hint={atField === undefined && `At least ${passwordMinLength} characters.`}
          onChange={(event) => set({ password: event.target.value })}
        />
        <Field
          id="again-password"
          ref={repeated}
          label="Repeat the new password"
          type="password"
          autoComplete="new-password"
          value={fields.again}
          problem={checked.again}
          onChange={(event) => set({ again: event.target.value })}
        />
      </div>
      {!wrong && atField === undefined && <NotDone error={save.error} doubt={doubt} />}
      {save.isSuccess && (
        <Say tone="ok" icon="check" title="Your password was changed." role="status">
          Your other sessions have ended. This one continues.
        </Say>
      )}
      <div className="acts">
        {lock !== null ? (
          <LockedButton className="btn" lock={lock}>
            Change the password
          </LockedButton>
        ) : (
          <WaitingButton
            className="btn"
            text="Change the password"
            busyText="Changing…"
            busy={save.isPending}
            untilMs={wait.untilMs}
          />
        )}
        <span className="small dim">This ends your other sessions.</span>
      </div>
    </form>
  )
}
