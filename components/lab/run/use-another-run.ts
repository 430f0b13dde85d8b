'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import { endRun } from '../../../lib/client/lab/run/lab-queries.ts'
import { placeFreeWithinMs } from '../../../lib/client/lab/run/start-when-free.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import type { LabScenario } from '../../../lib/contract/lab/lab-bounds.ts'
import type { LabRun } from '../../../lib/contract/lab/run.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { useStartRun } from '../runs/use-start-run.ts'

interface AnotherRun {
  lock: string | null
  isStarting: boolean
  error: unknown
  choose: (scenario: LabScenario) => void
  /** What was chosen while this person’s run goes on: it ends that, which is asked first. */
  asked: LabScenario | null
  confirm: () => void
  cancel: () => void
}

/** Another scenario is another run. Each person has one at a time: an own run that goes on is ended first. */
export function useAnotherRun(run: LabRun): AnotherRun {
  const router = useRouter()
  const session = useSession()
  const starting = useStartRun((id) => router.push(`/lab/${id}`))
  const ending = useMutation({ mutationFn: () => endRun(run.run) })
  const [asked, ask] = useState<LabScenario | null>(null)
  const isOwn = run.startedBy === session.username
  const isStarting = starting.isStarting || ending.isPending
  const start = (scenario: LabScenario) => {
    const endedMs = serverNow(pageNow()) - Date.parse(run.endsAt)
    const waitsForPlace = isOwn && (run.state === 'running' || endedMs < placeFreeWithinMs)
    starting.start({ scenario }, { waitsForPlace })
  }
  return {
    lock: isStarting ? 'a run is being started' : starting.lock,
    isStarting,
    error: ending.error ?? starting.error,
    choose: (scenario) => (isOwn && run.state === 'running' ? ask(scenario) : start(scenario)),
    asked,
    confirm: () => {
      ask(null)
      if (asked !== null && !isStarting) ending.mutate(undefined, { onSuccess: () => start(asked) })
    },
    cancel: () => ask(null),
  }
}
