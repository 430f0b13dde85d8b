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

const asLastRead = {
  list: 'The rows are as last read and may be wrong by now.',
  lease: 'The lease is shown as last read and may be wrong by now.',
}

/** It counts on, and stands where a screen reader would read each change. */
function SoLong({ sinceMs }: { sinceMs: number }) {
  return (
    <>
      <span aria-hidden="true">
        <Age sinceMs={sinceMs} whole />
      </span>
      <span className="vh">some seconds</span>
    </>
  )
}

/** Cassandra answers, but no read of the table that this page is of. `sinceMs`: when it answered one last. */
export function UnansweredTable({ sinceMs, of = 'list' }: { sinceMs: number; of?: keyof typeof asLastRead }) {
  return (
    <div className="mt-3">
      <Say
        tone="warn"
        icon="stale"
        title={
          <>
            Cassandra has answered no read of this table for <SoLong sinceMs={sinceMs} />.
          </>
        }
        role="status"
      >
        {asLastRead[of]} Releases are locked until it answers. The doctor shows which nodes are down.
      </Say>
    </div>
  )
}

interface StalePageProps {
  error: unknown
  /** When the last event of the stream came; null: none did. */
  sinceMs: number | null
  /** What the stream is of. */
  of?: keyof typeof asLastRead
}

/** Cassandra answers, but the stream of this page does not. */
export function StalePage({ error, sinceMs, of = 'list' }: StalePageProps) {
  const words = error === null ? null : errorWords(error)
  return (
    <div className="mt-3">
      <Say
        tone="warn"
        icon="stale"
        title={
          sinceMs === null ? (
            `The stream of this ${of} does not answer.`
          ) : (
            <>
              The stream of this {of} has been silent for <SoLong sinceMs={sinceMs} />.
            </>
          )
        }
        role="status"
      >
        {words && `${words.title} ${words.detail} `}
        {asLastRead[of]} The page connects again by itself.
      </Say>
    </div>
  )
}
