import { errorWords } from '../../../lib/client/call/error-words.ts'
import type { ShownRun } from '../../../lib/client/lab/run/run-feed.ts'
import type { Entry, JournalEntry } from '../../../lib/contract/lab/journal.ts'
import { labBounds } from '../../../lib/contract/lab/lab-bounds.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { RefusedStream } from '../../shell/truth/refused-stream.tsx'
import { Age } from '../../ui/text/age.tsx'
import { Say } from '../../ui/text/say.tsx'
import { ReplayButtons } from '../replay/replay-buttons.tsx'
import type { Replay } from '../replay/use-replay.ts'

const endWords: Record<Entry<'ended'>['why'], string> = {
  time: `A run lasts for ${labBounds.runMs / 60_000} minutes.`,
  unwatched: `The run had no viewers for ${labBounds.unwatchedMs / 60_000} minutes.`,
  person: 'An operator ended it.',
  restart: 'The console was restarted.',
  failure: 'The console could not continue it.',
}

const cutText =
  'Its journal ends here: the instance of the console that ran it stopped, or had no answer from Cassandra.'

interface RunNotesProps {
  shown: ShownRun
  replay: Replay
  /** The end of the run is shown. */
  isAtEnd: boolean
  /** The alarm over the page says already that nothing is heard. */
  isAlarmed: boolean
  retry: () => void
}

/** What one must know besides the picture: it is old, it has ended, or it is not whole. */
export function RunNotes({ shown, replay, isAtEnd, isAlarmed, retry }: RunNotesProps) {
  const { lanes, silence, error, isFinal, run, isCut } = shown
  const entries: readonly JournalEntry[] = lanes?.entries ?? []
  const ended = entries.findLast((entry) => entry.kind === 'ended')
  const isFull = entries.some(({ kind }) => kind === 'full')
  return (
    <>
      {isFinal && !isAlarmed && (
        <RefusedStream of="run" error={error} retry={retry}>
          The lanes show the run as last read.
        </RefusedStream>
      )}
      {silence !== null && !isFinal && !isAlarmed && run?.state === 'running' && (
        <Say tone="warn" icon="stale" role="alert" title="The stream is silent.">
          {silence.sinceMs !== null && (
            <>
              The lanes show what was so <Age sinceMs={silence.sinceMs} after=" ago" />.{' '}
            </>
          )}
          {error !== null && errorWords(error).title} The page goes on trying.
        </Say>
      )}
      {run?.state === 'ended' && (
        <Say icon="seal" title="This run has ended.">
          {ended?.kind === 'ended' && `${endWords[ended.why]} ${ended.detail ?? ''} `}
          {isCut && `${cutText} `}
          All that you see here comes from its journal, which is kept for {labBounds.keptDays} days.{' '}
          <PageLink className="link" href="/lab">
            See all runs
          </PageLink>
          <ReplayButtons replay={replay} isAtEnd={isAtEnd} />
        </Say>
      )}
      {isFull && (
        <Say tone="warn" icon="info" title="The journal is full.">
          What happened after that is not shown, and not judged.
        </Say>
      )}
    </>
  )
}

/** There is nothing to show yet. */
export function NoRun({ shown, retry }: { shown: ShownRun; retry: () => void }) {
  const { error, isFinal } = shown
  const isUnknown = error?.code === 'not-found' || error?.code === 'bad-request'
  return (
    <>
      <div className="head">
        <h1>
          <PageLink href="/lab">Election lab</PageLink>
        </h1>
      </div>
      {error === null ? (
        <p className="plain mut" role="status">
          Reading the journal of the run…
        </p>
      ) : (
        <div className="plain">
          <h2>{isUnknown ? 'There is no such run.' : errorWords(error).title}</h2>
          <p className="mut">
            {isUnknown
              ? `A journal is kept for ${labBounds.keptDays} days after the run.`
              : `${errorWords(error).detail} ${isFinal ? '' : 'The page goes on trying.'}`}
          </p>
          <div className="acts">
            <PageLink className="btn" href="/lab">
              See all runs
            </PageLink>
            {!isUnknown && (
              <button type="button" className="btn" onClick={retry}>
                Try now
              </button>
            )}
          </div>
        </div>
      )}
    </>
  )
}
