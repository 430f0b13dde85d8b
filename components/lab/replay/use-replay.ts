'use client'

import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'

/** Four pictures a second: of a whole run each is drawn from its journal. */
const stepMs = 250

/** The time that is shown after so long of a replay; null: it has come to the end. */
export function replayedTo(atMs: number | null, elapsedMs: number, endMs: number): number | null {
  if (atMs === null || atMs + elapsedMs >= endMs) return null
  return atMs + elapsedMs
}

export interface Replay {
  isPlaying: boolean
  /** From the time that is shown; at the end: from the start. */
  play: () => void
  pause: () => void
  fromStart: () => void
}

/** Plays a run that has ended from its journal, as fast as it was. `atMs` null: its end is shown. */
export function useReplay(
  atMs: number | null,
  setAtMs: Dispatch<SetStateAction<number | null>>,
  endMs: number,
): Replay {
  const [wants, setWants] = useState(false)
  const isPlaying = wants && atMs !== null
  useEffect(() => {
    if (!isPlaying) return
    let lastMs = performance.now()
    const timer = setInterval(() => {
      const nowMs = performance.now()
      const elapsedMs = nowMs - lastMs
      lastMs = nowMs
      setAtMs((before) => replayedTo(before, elapsedMs, endMs))
    }, stepMs)
    return () => clearInterval(timer)
  }, [isPlaying, setAtMs, endMs])
  const fromStart = () => {
    setAtMs(0)
    setWants(true)
  }
  return {
    isPlaying,
    play: () => (atMs === null ? fromStart() : setWants(true)),
    pause: () => setWants(false),
    fromStart,
  }
}
