'use client'

import { useEffect, useReducer } from 'react'

/** Four pictures a second: of a whole run each is drawn from its journal. */
const stepMs = 250

/** The time that is shown, null: the end; and whether it goes on by itself, which it never does at the end. */
interface Shown {
  atMs: number | null
  isPlaying: boolean
}

type ReplayAct =
  | { act: 'play' | 'pause' | 'from-start' }
  /** The viewer asks for a time, or for the end: the picture stays there. */
  | { act: 'show'; atMs: number | null }
  | { act: 'passed'; elapsedMs: number; endMs: number }

export const atEnd: Shown = { atMs: null, isPlaying: false }

/** What is shown after an act of the viewer, or some time of the replay. */
export function replayed(shown: Shown, act: ReplayAct): Shown {
  switch (act.act) {
    case 'play':
      return { atMs: shown.atMs ?? 0, isPlaying: true }
    case 'pause':
      return { atMs: shown.atMs, isPlaying: false }
    case 'from-start':
      return { atMs: 0, isPlaying: true }
    case 'show':
      return { atMs: act.atMs, isPlaying: false }
    case 'passed': {
      if (shown.atMs === null || !shown.isPlaying) return shown
      const atMs = shown.atMs + act.elapsedMs
      return atMs >= act.endMs ? atEnd : { atMs, isPlaying: true }
    }
  }
}

export interface Replay {
  isPlaying: boolean
  /** From the time that is shown; at the end: from the start. */
  play: () => void
  pause: () => void
  fromStart: () => void
}

interface ReplayedRun {
  /** null: the end, which for a running run is the present. */
  atMs: number | null
  showAt: (atMs: number | null) => void
  replay: Replay
}

/** The time of a run that is shown. A run that has ended is played from its journal, as fast as it was. */
export function useReplay(endMs: number): ReplayedRun {
  const [{ atMs, isPlaying }, act] = useReducer(replayed, atEnd)
  useEffect(() => {
    if (!isPlaying) return
    let lastMs = performance.now()
    const timer = setInterval(() => {
      const nowMs = performance.now()
      act({ act: 'passed', elapsedMs: nowMs - lastMs, endMs })
      lastMs = nowMs
    }, stepMs)
    return () => clearInterval(timer)
  }, [isPlaying, endMs])
  return {
    atMs,
    showAt: (at) => act({ act: 'show', atMs: at }),
    replay: {
      isPlaying,
      play: () => act({ act: 'play' }),
      pause: () => act({ act: 'pause' }),
      fromStart: () => act({ act: 'from-start' }),
    },
  }
}
