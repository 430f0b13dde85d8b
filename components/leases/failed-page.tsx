'use client'

import { errorWords } from '../../lib/client/error-words.ts'
import { Say } from '../ui/say.tsx'

/** The first read failed. The page keeps trying. */
export function FailedPage({ error, retry, busy }: { error: unknown; retry: () => void; busy: boolean }) {
  const { title, detail } = errorWords(error)
  return (
    <div className="plain">
      <Say tone="danger" icon="risk" title={title} role="alert">
        {detail}
      </Say>
      <p className="mut">No lease could be read yet. The page tries again every 2 s.</p>
      <button type="button" className="btn" onClick={retry}>
        {busy ? 'Trying…' : 'Try now'}
      </button>
    </div>
  )
}

/** Cassandra answers, but not for this page of the list. */
export function StalePage({ error }: { error: unknown }) {
  const { title, detail } = errorWords(error)
  return (
    <div className="mt-3">
      <Say tone="warn" icon="stale" title={`This page could not be read again. ${title}`} role="status">
        {detail} The rows are as last read; the page tries again every 2 s.
      </Say>
    </div>
  )
}
