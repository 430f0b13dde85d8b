'use client'

import { useEffect, useRef } from 'react'
import type { Words } from '../../lib/client/error-words.ts'
import type { ReleaseMode } from '../../lib/contract/releases/release.ts'
import { releaseModes } from '../../lib/contract/releases/release-modes.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { focusAtOnce } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Say } from '../ui/say.tsx'
import { ActButton } from './act-button.tsx'
import { CopyLink } from './copy-link.tsx'
import { ElevationLine } from './elevation-line.tsx'
import { unseenHint } from './unseen-hint.ts'

interface ReleaseFormProps {
  name: string
  planId: string
  /** null: none is chosen. */
  mode: ReleaseMode | null
  secondPerson: boolean
  /** The mode needs an elevation, and there is none. */
  needsElevation: boolean
  reason: string
  onReason: (reason: string) => void
  typed: string
  onTyped: (typed: string) => void
  /** Why nothing can be released now; null: it can. */
  lock: string | null
  expired: boolean
  planning: boolean
  sending: boolean
  /** What the server refused the last try with. */
  refusal: Words | null
  onAct: () => void
  onPlanAgain: () => void
  onClose: () => void
}

/** Elevation, reason, typed name, and the one button. Enter in a field does nothing: it has to be pressed. */
export function ReleaseForm(props: ReleaseFormProps) {
  const { name, mode, secondPerson, lock, expired, planning, sending, refusal } = props
  const rules = mode === null ? null : releaseModes[mode]
  const missing = lock === null && !expired && !sending ? missingOf(props) : null
  // The plan takes a moment: the focus waits on the dialog until there is something to fill in. Where that is out of
  // sight it stays there: who holds it and what is done to them come first.
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const dialog = first.current?.closest('[role=dialog]')
    const inSight = dialog && dialog.scrollHeight <= dialog.clientHeight
    if (inSight && focusAtOnce()) first.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <div className="form">
        {secondPerson && (
          <Say icon="person" title="Two people release this lease.">
            It becomes a request, which another operator has to approve. Never the same person.
          </Say>
        )}
        {rules?.elevation && (
          <ElevationLine needs="Break and kill need your password once more; asking does not." />
        )}
        <div className="pair">
          <Field
            id="reason"
            ref={first}
            label="Reason"
            autoComplete="off"
            maxLength={500}
            value={props.reason}
            hint="Goes into the audit log, with your name."
            onChange={(event) => props.onReason(event.target.value)}
          />
          {rules?.typedName && <TypedName name={name} typed={props.typed} onTyped={props.onTyped} />}
        </div>
        {refusal && (
          <Say tone="danger" icon="risk" title={`${refusal.title} Nothing was released.`} role="alert">
            {refusal.detail}
          </Say>
        )}
        {expired && lock === null && (
          <Say tone="warn" icon="clock" title="The plan is too old." role="status">
            Make it anew, from a fresh read of the holder. What you filled in stays.
          </Say>
        )}
      </div>
      <div className="df">
        <CopyLink id={props.planId} text="Copy link to this plan" />
        <span className="small dim push" id="act-missing">
          {missing !== null && `Locked: ${missing}.`}
        </span>
        <button type="button" className="btn" onClick={props.onClose}>
          Cancel
        </button>
        {expired && lock === null ? (
          <button type="button" className="btn primary" onClick={props.onPlanAgain}>
            {planning ? 'Planning…' : 'Plan again'}
          </button>
        ) : (
          <ActButton
            mode={mode}
            secondPerson={secondPerson}
            locked={lock ?? (missing !== null || planning ? '' : null)}
            sending={sending}
            onAct={props.onAct}
          />
        )}
      </div>
    </>
  )
}

/** The first thing that is missing, in the order in which it stands. null: nothing is. */
function missingOf({ mode, needsElevation, reason, name, typed }: ReleaseFormProps): string | null {
  if (mode === null) return 'choose how'
  if (needsElevation) return 'an elevation is missing'
  if (reason.trim() === '') return 'a reason is missing'
  return releaseModes[mode].typedName && typed !== name ? 'type the name, letter for letter' : null
}

interface TypedNameProps {
  name: string
  typed: string
  onTyped: (typed: string) => void
}

function TypedName({ name, typed, onTyped }: TypedNameProps) {
  const unseen = unseenHint(name)
  return (
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
      mark={typed === name && <Icon name="check" />}
      onChange={(event) => onTyped(event.target.value)}
    />
  )
}
