'use client'

import { useEffect, useRef } from 'react'
import type { Words } from '../../../lib/client/call/error-words.ts'
import { releaseModes } from '../../../lib/contract/releases/release-modes.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { Field } from '../../ui/control/field.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import type { InputMark } from '../../ui/control/next-input.ts'
import { Say } from '../../ui/text/say.tsx'
import { ElevationLine } from './elevation-line.tsx'
import { PlanFoot, type PlanFootProps } from './plan-foot.tsx'
import { formWords, missingText } from './plan-words.ts'
import { unseenHint } from './unseen-hint.ts'

interface ReleaseFormProps extends Omit<PlanFootProps, 'missing'> {
  name: string
  /** The mode needs an elevation, and there is none. */
  needsElevation: boolean
  reason: string
  onReason: (reason: string) => void
  typed: string
  onTyped: (typed: string) => void
  /** What the server refused the last try with. */
  refusal: Words | null
}

/** Elevation, reason, typed name, and the one button. Enter in a field does nothing: it has to be pressed. */
export function ReleaseForm(props: ReleaseFormProps) {
  const { name, state, mode, secondPerson, lock, sending, refusal } = props
  const isSso = useSession().via === 'sso'
  const rules = mode === null ? null : releaseModes[mode]
  const isDead = state !== 'good'
  const hasReason = props.reason.trim() !== ''
  const hasName = !rules?.typedName || props.typed === name
  const missing =
    lock === null && !isDead && !sending
      ? missingText({ mode, needsElevation: props.needsElevation, isSso, hasReason, hasName })
      : null
  const mark = (isDone: boolean): InputMark | undefined => (isDead ? undefined : isDone ? 'done' : 'missing')
  return (
    <>
      <div className="form">
        {secondPerson && (
          <Say icon="person" title={formWords.secondPerson.title}>
            {formWords.secondPerson.detail}
          </Say>
        )}
        {rules?.elevation && <ElevationLine needs="Needed to break or kill, not to ask." isOver={isDead} />}
        <div className="pair">
          <Field
            id="reason"
            label="Reason"
            autoComplete="off"
            maxLength={500}
            value={props.reason}
            hint={formWords.reason}
            data-input={mark(hasReason)}
            onChange={(event) => props.onReason(event.target.value)}
          />
          {rules?.typedName && (
            <TypedName name={name} typed={props.typed} mark={mark(hasName)} onTyped={props.onTyped} />
          )}
        </div>
        {refusal && <Refusal of={refusal} />}
      </div>
      <PlanFoot {...props} missing={missing} />
    </>
  )
}

/** On a small screen the foot of the dialog would lie over it. */
function Refusal({ of: { title, detail } }: { of: Words }) {
  const place = useRef<HTMLDivElement>(null)
  // In a block: it answers with a promise in newer browsers, which is no function for React to call at the end.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={place} className="refusal">
      <Say tone="danger" icon="risk" title={`${title} Nothing was released.`} role="alert">
        {detail}
      </Say>
    </div>
  )
}

interface TypedNameProps {
  name: string
  typed: string
  mark: InputMark | undefined
  onTyped: (typed: string) => void
}

function TypedName({ name, typed, mark, onTyped }: TypedNameProps) {
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
          {formWords.typedName} {unseen?.text}
          {unseen?.pasted && (
            <>
              {' '}
              Copy it: <CopyButton text={name} label="Copy the name" />
            </>
          )}
        </>
      }
      mark={typed === name && <Icon name="check" />}
      data-input={mark}
      onChange={(event) => onTyped(event.target.value)}
    />
  )
}
