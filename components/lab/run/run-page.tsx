'use client'

import { useState } from 'react'
import { errorWords } from '../../../lib/client/call/error-words.ts'
import type { ShownRun } from '../../../lib/client/lab/run/run-feed.ts'
import { useLost } from '../../shell/truth/use-connection.ts'
import { later } from '../../ui/control/later.tsx'
import { Say } from '../../ui/text/say.tsx'
import { useReplay } from '../replay/use-replay.ts'
import { scenarioWords } from '../scenario-words.ts'
import { LabWords } from '../story/lab-words.tsx'
import { ScenarioNav } from '../story/scenario-nav.tsx'
import { StoryList } from '../story/story-list.tsx'
import { RunBoard } from './run-board.tsx'
import { RunHead } from './run-head.tsx'
import { NoRun, RunNotes } from './run-notes.tsx'
import { useAnotherRun } from './use-another-run.ts'
import { usePresenting } from './use-presenting.ts'
import { useRunActs } from './use-run-acts.ts'
import { useRunFeed } from './use-run-feed.ts'
import { useRunKeys } from './use-run-keys.ts'

const EndRunDialog = later(async () => (await import('./end-run-dialog.tsx')).EndRunDialog)
const RunHelp = later(async () => (await import('./run-help.tsx')).RunHelp)

/** A run of the lab, live or from its journal, under a URL of its own. */
export function RunPage({ run }: { run: string }) {
  const { shown, retry } = useRunFeed(run)
  const { run: facts, lanes, clock } = shown
  if (facts === null || lanes === null || clock === null) return <NoRun shown={shown} retry={retry} />
  return <KnownRun run={run} shown={{ ...shown, run: facts, lanes, clock }} retry={retry} />
}

type Known = ShownRun & { [K in 'run' | 'lanes' | 'clock']: NonNullable<ShownRun[K]> }

function KnownRun({ run, shown, retry }: { run: string; shown: Known; retry: () => void }) {
  const { run: facts, lanes, revision } = shown
  const acts = useRunActs(run, shown)
  const [isPresenting, present] = usePresenting()
  const [helps, setHelps] = useState(false)
  const { atMs, showAt, replay } = useReplay(shown.clock.stoppedAtMs ?? lanes.lastMs)
  const another = useAnotherRun(facts)
  const isAlarmed = useLost() !== null
  const story =
    facts.state === 'running' && facts.story?.state !== 'ended' ? (facts.story?.state ?? null) : null
  useRunKeys({ act: acts.act, story, help: () => setHelps(true), present, isPresenting })
  const error = acts.error ?? another.error
  const words = error ? errorWords(error) : null
  return (
    <>
      <RunHead
        run={facts}
        viewers={shown.viewers}
        acts={acts}
        isPresenting={isPresenting}
        present={present}
        onHelp={() => setHelps(true)}
      />
      {!acts.mayAct && facts.state === 'running' && (
        <p className="mut small mt-2">You watch this run. Operators act in it.</p>
      )}
      {facts.scenario !== 'bakery' && <LabWords />}
      <div className="run-notes">
        {words && (
          <Say tone="danger" icon="risk" title={words.title} role="alert">
            {words.detail}
          </Say>
        )}
        {another.isStarting && (
          <Say icon="clock" title="The next run begins in a moment.">
            It takes the place of the one that ends.
          </Say>
        )}
        <RunNotes shown={shown} replay={replay} isAtEnd={atMs === null} isAlarmed={isAlarmed} retry={retry} />
      </div>
      <div className="lab">
        <aside>
          <ScenarioNav current={facts.scenario} lock={another.lock} onStart={another.choose}>
            {facts.scenario !== null && (
              <StoryList
                scenario={facts.scenario}
                run={facts}
                entries={lanes.entries}
                revision={revision}
                atMs={atMs}
              />
            )}
          </ScenarioNav>
        </aside>
        <RunBoard shown={shown} acts={acts} atMs={atMs} onAt={showAt} />
      </div>
      {another.asked !== null && (
        <EndRunDialog
          others={Math.max(0, (shown.viewers ?? 1) - 1)}
          next={scenarioWords[another.asked].title}
          lock={acts.lock}
          onEnd={another.confirm}
          onClose={another.cancel}
        />
      )}
      {helps && <RunHelp isBakery={facts.scenario === 'bakery'} onClose={() => setHelps(false)} />}
    </>
  )
}
