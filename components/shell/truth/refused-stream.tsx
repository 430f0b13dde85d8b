'use client'

import type { ReactNode } from 'react'
import { errorWords } from '../../../lib/client/call/error-words.ts'
import { Say } from '../../ui/text/say.tsx'

interface RefusedStreamProps {
  of: 'list' | 'lease' | 'run'
  error: unknown
  retry: () => void
  /** What the page shows now. */
  children: ReactNode
}

/** The server refused the stream of this page, and trying again by itself would change nothing. */
export function RefusedStream({ of, error, retry, children }: RefusedStreamProps) {
  const words = error === null ? null : errorWords(error)
  const tryAgain = () => {
    retry()
    // The button goes. The focus must not go with it, to nowhere.
    document.getElementById('main')?.focus()
  }
  return (
    <Say tone="danger" icon="stale" title={`The server refused the stream of this ${of}.`} role="alert">
      {words && `${words.title} ${words.detail} `}
      {children} The page does not try again by itself.
      <div className="acts mt-2">
        <button type="button" className="btn" onClick={tryAgain}>
          Try again
        </button>
      </div>
    </Say>
  )
}
