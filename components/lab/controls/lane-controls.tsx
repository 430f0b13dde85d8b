'use client'

import { type KeyboardEvent, useRef, useState } from 'react'
import type { Lane } from '../../../lib/client/lab/lanes/lanes.ts'
import type { LabAct } from '../../../lib/contract/lab/run.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { type Control, controlsOf, customerControlsOf } from './control-list.ts'

interface LaneControlsProps {
  lane: Lane
  act: (act: LabAct) => void
  isBakery?: boolean
}

/** The toolbar of a candidate: one stop of Tab; arrows move in it, and a letter presses. */
export function LaneControls({ lane, act, isBakery = false }: LaneControlsProps) {
  const bar = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState('crashed')
  const [isMore, setMore] = useState(false)
  if (lane.id === 'plain') return null
  if (lane.state === 'crashed' || lane.state === 'left' || lane.state === 'crashed-leads') return null
  const { first, more } = isBakery ? customerControlsOf(lane) : controlsOf(lane)
  const showsMore = isMore || more.some(({ isOn }) => isOn)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const pressed = [...first, ...more].find(({ key }) => key === event.key)
    if (pressed) act(pressed.act)
    else if (!move(bar.current, event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const button = (control: Control) => (
    <ControlButton
      key={control.id}
      control={control}
      candidate={lane.id}
      isTabStop={stop === control.id}
      onStop={() => setStop(control.id)}
      onPress={() => act(control.act)}
    />
  )
  return (
    <div
      className={isBakery ? 'ctl worded' : 'ctl'}
      ref={bar}
      role="toolbar"
      tabIndex={-1}
      aria-label={`Act on ${lane.id}`}
      data-candidate={lane.id}
      onKeyDown={onKeyDown}
    >
      {first.map(button)}
      {more.length > 0 && (
        <button
          type="button"
          className="btn quiet"
          tabIndex={stop === 'more' ? 0 : -1}
          aria-label={`More for ${lane.id}`}
          aria-expanded={showsMore}
          // Opened, its buttons have words of their own, which it would cover.
          data-tip={showsMore ? undefined : 'Delay, hold back, lose an answer, leave.'}
          onFocus={() => setStop('more')}
          onClick={() => setMore(!isMore)}
        >
          <Icon name="more" />
          <span>more</span>
        </button>
      )}
      {showsMore && <div className="ctl-more worded">{more.map(button)}</div>}
    </div>
  )
}

interface ControlButtonProps {
  control: Control
  candidate: string
  isTabStop: boolean
  onStop: () => void
  onPress: () => void
}

function ControlButton({ control, candidate, isTabStop, onStop, onPress }: ControlButtonProps) {
  const name = control.name(candidate)
  return (
    <button
      type="button"
      className={control.isOn ? 'btn quiet on' : 'btn quiet'}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={name}
      aria-description={control.why}
      aria-keyshortcuts={control.key}
      data-tip={`${name}. ${control.why}`}
      onFocus={onStop}
      onClick={onPress}
    >
      <Icon name={control.icon} />
      <span>{control.word}</span>
    </button>
  )
}

/** @returns whether the key is one that moves */
function move(bar: HTMLElement | null, key: string): boolean {
  const buttons = [...(bar?.querySelectorAll('button') ?? [])]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[key]
  if (next === undefined) return false
  buttons[(next + buttons.length) % buttons.length]?.focus()
  return true
}

/** The words over the columns of the controls. Each button has its own name. */
export function ControlWords() {
  return (
    <div className="ctl-h" aria-hidden="true">
      <b>crash</b>
      <b>pause</b>
      <b>cut</b>
      <b>skew</b>
      <b>resign</b>
      <b>more</b>
    </div>
  )
}
