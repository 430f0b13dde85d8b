'use client'

import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import type { Words } from '../../../lib/client/call/error-words.ts'
import { releaseModes } from '../../../lib/contract/releases/release-modes.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { Field } from '../../ui/control/field.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { type InputMark, nextInput } from '../../ui/control/next-input.ts'
import { Say } from '../../ui/text/say.tsx'
import { reasonProblem } from '../reason-problem.ts'
import { useEnterPress } from '../use-enter-press.ts'
import { ElevationLine } from './elevation-line.tsx'
import { PlanFoot, type PlanFootProps } from './plan-foot.tsx'
import { unseenHint } from './unseen-hint.ts'
import { formWords, missingText } from './words/plan-words.ts'

interface ReleaseFormProps extends Omit<PlanFootProps, 'missing'> {
  name: string
  /** The mode needs an elevation, and there is none. */
  needsElevation: boolean
  /** What the elevation is for. */
  ahead: ReactNode
  reason: string
  onReason: (reason: string) => void
  typed: string
  onTyped: (typed: string) => void
  /** What the server refused the last try with. */
  refusal: Words | null
}

/** Elevation, reason, typed name, and the one button, which Enter in a field presses when nothing is missing. */
export function ReleaseForm(props: ReleaseFormProps) {
  const { name, state, mode, secondPerson, lock, planning, sending, refusal } = props
  const isSso = useSession().via === 'sso'
  const rules = mode === null ? null : releaseModes[mode]
  const isDead = state !== 'good'
  const hasReason = props.reason.trim() !== ''
  const problem = reasonProblem(props.reason)
  const hasName = !rules?.typedName || props.typed === name
  const isOtherName = !name.startsWith(props.typed)
  const missing =
    lock === null && !isDead && !sending
      ? missingText({
          mode,
          needsElevation: props.needsElevation,
          isSso,
          hasReason,
          isReasonTooLong: problem !== undefined,
          hasName,
          isOtherName,
        })
      : null
  const mark = (isDone: boolean): InputMark | undefined => (isDead ? undefined : isDone ? 'done' : 'missing')
  const form = useRef<HTMLDivElement>(null)
  // What is missing stands in the form; the choice of a mode, and a new plan, are outside of it.
  const goOn = () => {
    const within = mode === null || isDead ? form.current?.closest('[role=dialog]') : form.current
    if (within) nextInput(within)?.focus()
  }
  const isLocked = lock !== null || planning || sending
  const can = isLocked ? 'nothing' : isDead || missing !== null ? 'go-on' : 'act'
  const enter = useEnterPress(can, props.onAct, goOn)
  return (
    <>
      <div className="form" ref={form}>
        {secondPerson && (
          <Say icon="person" title={formWords.secondPerson.title}>
            {formWords.secondPerson.detail(rules?.role ?? 'operator')}
          </Say>
        )}
        {rules?.elevation && (
          <ElevationLine needs="Needed to break or kill, not to ask." about={props.ahead} isOver={isDead} />
        )}
        <div className="pair">
          <Field
            id="reason"
            label="Reason"
            autoComplete="off"
            value={props.reason}
            problem={problem}
            hint={formWords.reason}
            data-input={mark(hasReason && problem === undefined)}
            onChange={(event) => props.onReason(event.target.value)}
            {...enter}
          />
          {rules?.typedName && (
            <TypedName
              name={name}
              typed={props.typed}
              mark={mark(hasName)}
              onTyped={props.onTyped}
              enter={enter}
            />
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
  enter: Pick<ComponentProps<'input'>, 'onKeyDown' | 'onFocus'>
}

function TypedName({ name, typed, mark, onTyped, enter }: TypedNameProps) {
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
      {...enter}
    />
  )
}
