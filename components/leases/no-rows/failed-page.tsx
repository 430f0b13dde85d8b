'use client'

import { errorWords } from '../../../lib/client/call/error-words.ts'
import { RefusedStream } from '../../shell/truth/refused-stream.tsx'
import { Age } from '../../ui/text/age.tsx'
import { Say } from '../../ui/text/say.tsx'

const notRead = { list: 'No lease could be read yet.', lease: 'The lease could not be read yet.' }

interface FailedPageProps {
  error: unknown
  /** The server refused the read, and the page does not ask again by itself. */
  isFinal: boolean
  retry: () => void
  busy: boolean
  of?: keyof typeof notRead
}

/** The first read failed. */
export function FailedPage({ error, isFinal, retry, busy, of = 'list' }: FailedPageProps) {
  const { title, detail } = errorWords(error)
  return (
    <div className="plain">
      <Say tone="danger" icon="risk" title={title} role="alert">
        {detail}
      </Say>
      <p className="mut">
        {notRead[of]} The page {isFinal ? 'does not try' : 'tries'} again by itself.
      </p>
      <button type="button" className="btn" onClick={retry}>
        {busy ? 'Trying…' : isFinal ? 'Try again' : 'Try now'}
      </button>
    </div>
  )
}

const asLastRead = {
  list: 'The rows are as last read and may be wrong by now.',
  lease: 'The lease is shown as last read and may be wrong by now.',
}

const unansweredNext = 'Releases are locked until it answers. The doctor shows which nodes are down.'
/** Not the doctor: it reads how tables are defined, which needs no grant on them, and its canary leaves out those that are mapped read-only. */
const refusedNext =
  'Releases are locked until it reads the table again. Check that the table and its columns exist, and that the console’s role has SELECT on it. The console’s log has Cassandra’s words.'

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

interface UnansweredTableProps {
  /** When Cassandra answered a read of the table last. */
  sinceMs: number
  /** It answers each read, with a refusal. */
  isRefused: boolean
  of?: keyof typeof asLastRead
}

/** Cassandra answers, but shows no row of the table that this page is of. */
export function UnansweredTable({ sinceMs, isRefused, of = 'list' }: UnansweredTableProps) {
  return (
    <div className="mt-3">
      <Say
        tone="warn"
        icon="stale"
        title={
          <>
            Cassandra has {isRefused ? 'refused each' : 'answered no'} read of this table for{' '}
            <SoLong sinceMs={sinceMs} />.
          </>
        }
        role="status"
      >
        {asLastRead[of]} {isRefused ? refusedNext : unansweredNext}
      </Say>
    </div>
  )
}

interface StalePageProps {
  error: unknown
  /** When the last event of the stream came; null: none did. */
  sinceMs: number | null
  /** The server refused the stream, and the page does not open it again by itself. */
  isFinal: boolean
  retry: () => void
  /** What the stream is of. */
  of?: keyof typeof asLastRead
}

/** Cassandra answers, but the stream of this page does not. */
export function StalePage({ error, sinceMs, isFinal, retry, of = 'list' }: StalePageProps) {
  const words = error === null ? null : errorWords(error)
  return (
    <div className="mt-3">
      {isFinal ? (
        <RefusedStream of={of} error={error} retry={retry}>
          {asLastRead[of]}
        </RefusedStream>
      ) : (
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
      )}
    </div>
  )
}
