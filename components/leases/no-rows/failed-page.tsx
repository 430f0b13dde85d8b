'use client'

import { errorWords } from '../../../lib/client/call/error-words.ts'
import { Age } from '../../ui/text/age.tsx'
import { Say } from '../../ui/text/say.tsx'

/** The first read failed. The page keeps trying. */
export function FailedPage({ error, retry, busy }: { error: unknown; retry: () => void; busy: boolean }) {
  const { title, detail } = errorWords(error)
  return (
    <div className="plain">
      <Say tone="danger" icon="risk" title={title} role="alert">
        {detail}
      </Say>
      <p className="mut">No lease could be read yet. The page tries again by itself.</p>
      <button type="button" className="btn" onClick={retry}>
        {busy ? 'Trying…' : 'Try now'}
      </button>
    </div>
  )
}

/** Cassandra answers, but the stream of this list does not. `sinceMs`: when its last event came; null: none did. */
export function StalePage({ error, sinceMs }: { error: unknown; sinceMs: number | null }) {
  const words = error === null ? null : errorWords(error)
  return (
    <div className="mt-3">
      <Say
        tone="warn"
        icon="stale"
        title={
          sinceMs === null ? (
            'The stream of this list does not answer.'
          ) : (
            <>
              The stream of this list has been silent for{' '}
              <span aria-hidden="true">
                <Age sinceMs={sinceMs} whole />
              </span>
              <span className="vh">some seconds</span>.
            </>
          )
        }
        role="status"
      >
        {words && `${words.title} ${words.detail} `}The rows are as last read and may be wrong by now. The
        page connects again by itself.
      </Say>
    </div>
  )
}
