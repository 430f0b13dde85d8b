'use client'

import { useEffect, useRef, useState } from 'react'
import type { Words } from '../../lib/client/error-words.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { focusAtOnce } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Say } from '../ui/say.tsx'
import { unseenHint } from './unseen-hint.ts'

interface ReleaseFormProps {
  name: string
  reason: string
  onReason: (reason: string) => void
  /** Why nothing can be released now; null: it can. */
  lock: string | null
  /** Why this person may not; null: they may. */
  forbidden: string | null
  expired: boolean
  planning: boolean
  sending: boolean
  /** What the server refused the last try with. */
  refusal: Words | null
  onKill: (typed: string) => void
  onPlanAgain: () => void
  onClose: () => void
}

/** Reason, typed name, and the one button. Enter in a field does nothing: it has to be pressed. */
export function ReleaseForm(props: ReleaseFormProps) {
  const { name, reason, onReason, lock, forbidden, expired, planning, sending, refusal } = props
  const [typed, setTyped] = useState('')
  const matches = typed === name
  const unseen = unseenHint(name)
  // The plan takes a moment: the focus waits on the dialog until there is something to fill in. Where that is out of
  // sight it stays there: who holds it and what is done to them come first.
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const dialog = first.current?.closest('[role=dialog]')
    const inSight = dialog && dialog.scrollHeight <= dialog.clientHeight
    if (inSight && focusAtOnce()) first.current?.focus({ preventScroll: true })
  }, [])
  const missing =
    reason.trim() === '' ? 'a reason is missing' : matches ? null : 'type the name, letter for letter'
  return (
    <>
      <div className="form">
        {forbidden !== null && (
          <Say tone="warn" icon="lock" title="You may not kill this lease." id="forbidden">
            {forbidden}
          </Say>
        )}
        <div className="pair">
          <Field
            id="reason"
            ref={first}
            label="Reason"
            autoComplete="off"
            maxLength={500}
            value={reason}
            hint="Goes into the server’s log, with your name."
            onChange={(event) => onReason(event.target.value)}
          />
          <Field
            id="typed-name"
            label="Type the name"
            mono
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={typed}
            hint={
              <>
                Because the lease is live. {unseen?.text}
                {unseen?.pasted && (
                  <>
                    {' '}
                    Copy it: <CopyButton text={name} label="Copy the name" />
                  </>
                )}
              </>
            }
            mark={matches && <Icon name="check" />}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        {refusal && (
          <Say tone="danger" icon="risk" title={`${refusal.title} Nothing was released.`} role="alert">
            {refusal.detail}
          </Say>
        )}
        {expired && lock === null && (
          <Say tone="warn" icon="clock" title="The plan is too old." role="status">
            Make it anew, from a fresh read of the holder. The reason stays.
          </Say>
        )}
      </div>
      <div className="df">
        <span className="small dim" id="kill-missing">
          {lock === null &&
            forbidden === null &&
            !expired &&
            !sending &&
            missing !== null &&
            `Locked: ${missing}.`}
        </span>
        <button type="button" className="btn push" onClick={props.onClose}>
          Cancel
        </button>
        {expired && lock === null ? (
          <button type="button" className="btn primary" onClick={props.onPlanAgain}>
            {planning ? 'Planning…' : 'Plan again'}
          </button>
        ) : (
          <KillButton
            locked={lock ?? (forbidden !== null || missing !== null || planning ? '' : null)}
            sending={sending}
            onKill={() => props.onKill(typed)}
          />
        )}
      </div>
    </>
  )
}

interface KillButtonProps {
  /** null: it may be pressed. A text: what it says instead of its act. */
  locked: string | null
  sending: boolean
  onKill: () => void
}

function KillButton({ locked, sending, onKill }: KillButtonProps) {
  if (locked !== null)
    return (
      <button type="button" className="btn danger" aria-disabled="true" aria-describedby="kill-missing">
        <Icon name="lock" />
        {locked === '' ? 'Kill the lease' : locked}
      </button>
    )
  return (
    <button
      type="button"
      className="btn danger"
      aria-disabled={sending || undefined}
      onClick={() => sending || onKill()}
    >
      <Icon name="kill" />
      {sending ? 'Sent, waiting for Cassandra…' : 'Kill the lease'}
    </button>
  )
}
