'use client'

import { useMutation } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { codeOf } from '../../lib/client/call/api-error.ts'
import { call } from '../../lib/client/call/call.ts'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { elevateBodySchema } from '../../lib/contract/people/session.ts'
import { Field } from '../ui/control/field.tsx'
import { useRetryWait } from '../ui/control/use-retry-wait.ts'
import { WaitingButton } from '../ui/control/waiting-button.tsx'
import { Say } from '../ui/text/say.tsx'
import { useSessionAnswer } from './use-elevation.ts'

interface ElevatePasswordProps {
  username: string
  field: RefObject<HTMLInputElement | null>
  onClose: () => void
  onElevated: () => void
}

/** The password of the person who is signed in, once more. */
export function ElevatePassword({ username, field, onClose, onElevated }: ElevatePasswordProps) {
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<string>()
  const [capsLock, setCapsLock] = useState(false)
  const wait = useRetryWait()
  const keep = useSessionAnswer()
  // State would be too late: a second submit comes before the first one is rendered.
  const sent = useRef(false)
  const elevate = useMutation({
    mutationFn: () => call('elevate', { body: { password } }),
    onSuccess: (answer) => {
      keep(answer)
      onElevated()
    },
    onError: (error) => {
      sent.current = false
      wait.begin(error)
      field.current?.select()
    },
  })
  const busy = elevate.isPending || elevate.isSuccess
  const submit = () => {
    if (sent.current || wait.isOn()) return
    const issue = elevateBodySchema.safeParse({ password }).error?.issues[0]?.message
    setMissing(issue)
    if (issue !== undefined) return field.current?.focus()
    sent.current = true
    elevate.mutate()
  }
  const wrong = codeOf(elevate.error) === 'wrong-credentials'
  const waits = codeOf(elevate.error) === 'too-many-attempts'
  const words =
    elevate.isError && !wrong && !waits && missing === undefined ? errorWords(elevate.error) : null
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // A form in a dialog over another form's: that one was not meant.
        event.stopPropagation()
        submit()
      }}
    >
      <div className="form">
        {words && (
          <Say tone="danger" icon="risk" title={words.title} role="alert">
            {words.detail}
          </Say>
        )}
        {waits && wait.untilMs !== null && (
          <Say tone="warn" icon="clock" title="Too many attempts." role="alert">
            The button shows when you can try again.
          </Say>
        )}
        <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
        <Field
          id="elevation-password"
          ref={field}
          label={`Password of ${username}`}
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          problem={missing ?? (wrong ? 'Wrong password.' : undefined)}
          hint={capsLock ? 'Caps lock is on.' : undefined}
          onChange={(event) => {
            setPassword(event.target.value)
            setMissing(undefined)
            if (wrong) elevate.reset()
          }}
          onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
        />
      </div>
      <div className="df">
        <button type="button" className="btn push" onClick={onClose}>
          Cancel
        </button>
        <WaitingButton
          className="btn primary"
          text="Confirm password"
          busyText="Confirming…"
          busy={busy}
          untilMs={wait.untilMs}
        />
      </div>
    </form>
  )
}
