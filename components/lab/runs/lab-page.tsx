'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearchParams } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { errorWords } from '../../../lib/client/call/error-words.ts'
import { runsQuery, runsRhythmMs } from '../../../lib/client/lab/run/lab-queries.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import { labScenarios } from '../../../lib/contract/lab/lab-bounds.ts'
import { may } from '../../shell/session/may.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { useLost } from '../../shell/truth/use-connection.ts'
import { NotRead } from '../../ui/control/not-read.tsx'
import { Say } from '../../ui/text/say.tsx'
import { RunRows } from './run-rows.tsx'
import { ScenarioCards, startId } from './scenario-cards.tsx'
import { useStartRun } from './use-start-run.ts'

/** All runs, and the stories that start one. */
export function LabPage() {
  const router = useRouter()
  const query = useQuery(runsQuery)
  const lost = useLost()
  const mayStart = may(useSession(), endpoints.startLabRun)
  const starting = useStartRun((run) => router.push(`/lab/${run}`))
  const runs = query.data?.runs ?? []
  const running = runs.filter(({ state }) => state === 'running')
  const refusal = query.data?.mayNotStart ?? null
  const lock = starting.lock ?? refusal
  useChosenStory(query.data !== undefined)
  const words = starting.error ? errorWords(starting.error) : null
  return (
    <div className="lab-front">
      <div className="head">
        <h1>Election lab</h1>
      </div>
      <p className="lab-lede">
        See a leader election on this Cassandra, with the real library; nothing in it is simulated. Start a
        story, or break things yourself: crash a leader, pause it, cut its network. Each run keeps a journal
        that proves what happened.
      </p>
      {query.isError && lost === null && (
        <NotRead
          error={query.error}
          what="The list of runs"
          shown={query.data !== undefined}
          rhythmMs={runsRhythmMs}
        />
      )}
      {words && (
        <Say tone="danger" icon="risk" title={words.title} role="alert">
          {words.detail}
        </Say>
      )}
      {!mayStart ? (
        <Say icon="eye" title="Operators start runs. You can watch the running ones.">
          {query.data !== undefined && running.length === 0 && 'None is running now.'}
        </Say>
      ) : (
        refusal !== null && <Say icon="lock" title={refusal} />
      )}
      <RunRows title="Running now" runs={running} />
      {mayStart && (
        <ScenarioCards
          lock={query.data === undefined ? (starting.lock ?? 'the list of runs is not read yet') : lock}
          isStarting={starting.isStarting}
          onStart={starting.start}
        />
      )}
      <RunRows title="Finished runs" runs={runs.filter(({ state }) => state === 'ended')} />
      {query.data !== undefined && runs.length === 0 && (
        <p className="mut" role="status">
          No run yet. The journals of finished runs stay here for 7 days.
        </p>
      )}
      {query.data === undefined && !query.isError && (
        <p className="mut" role="status">
          Reading the runs…
        </p>
      )}
    </div>
  )
}

/** `?start=crash` leads to that story. It does not start it: a link changes nothing. */
function useChosenStory(isRead: boolean): void {
  const asked = useSearchParams().get('start')
  const isDone = useRef(false)
  useEffect(() => {
    const scenario = labScenarios.find((each) => each === asked)
    if (!isRead || scenario === undefined || isDone.current) return
    isDone.current = true
    document.getElementById(startId(scenario))?.focus()
  }, [isRead, asked])
}
