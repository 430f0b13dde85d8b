'use client'

import { momentText } from '../../../lib/client/lab/window/time-window.ts'

const stepMs = 100

interface TimeSliderProps {
  /** null: the present. */
  atMs: number | null
  /** The run’s present, or its end. */
  endMs: number
  isRunning: boolean
  /** The stream is lost: the present is not known. */
  isLost: boolean
  onAt: (atMs: number | null) => void
}

/** Back in time, while the run goes on. */
export function TimeSlider({ atMs, endMs, isRunning, isLost, onAt }: TimeSliderProps) {
  const steps = Math.max(1, Math.floor(endMs / stepMs))
  const step = atMs === null ? steps : Math.min(steps, Math.round(atMs / stepMs))
  const word = isLost ? 'Last heard' : isRunning ? 'Live' : 'The end'
  const said =
    atMs === null ? `${word}, ${momentText(endMs)} s` : `${momentText(atMs)} s, of ${momentText(endMs)} s`
  return (
    <div className="time-slider">
      <input
        type="range"
        aria-label="Time of the run"
        aria-valuetext={said}
        min={0}
        max={steps}
        value={step}
        onChange={({ target }) => {
          const next = Number(target.value)
          onAt(next >= steps ? null : next * stepMs)
        }}
      />
      <span className="dim nowrap">{said}</span>
      <button type="button" className="btn sm" aria-pressed={atMs === null} onClick={() => onAt(null)}>
        {word}
      </button>
    </div>
  )
}
