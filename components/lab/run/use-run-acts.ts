'use client'

import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { actInRun, endRun } from '../../../lib/client/lab/run/lab-queries.ts'
import type { ShownRun } from '../../../lib/client/lab/run/run-feed.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import type { LabAct } from '../../../lib/contract/lab/run.ts'
import { may } from '../../shell/session/may.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { useLockReason } from '../../shell/truth/use-connection.ts'

export interface RunActs {
  /** This person may act in runs at all. */
  mayAct: boolean
  /** Why nothing can be done now; null: it can. */
  lock: string | null
  act: (act: LabAct) => void
  end: () => void
  error: unknown
}

/** What this person can do in a run. What came of it is in the journal, for all viewers. */
export function useRunActs(run: string, { run: facts, silence }: ShownRun): RunActs {
  const mayAct = may(useSession(), endpoints.actInLab)
  const lost = useLockReason()
  const acting = useMutation({ mutationFn: (act: LabAct) => actInRun(run, act) })
  const ending = useMutation({ mutationFn: () => endRun(run) })
  const lock = !mayAct
    ? 'only operators act in a run'
    : (lost ??
      (silence !== null ? 'the stream is silent' : facts?.state !== 'running' ? 'the run has ended' : null))
  const { mutate } = acting
  // The same from render to render: lanes are drawn again when it is another.
  const act = useCallback(
    (each: LabAct) => {
      if (lock === null) mutate(each)
    },
    [lock, mutate],
  )
  return {
    mayAct,
    lock,
    act,
    end: () => lock === null && ending.mutate(),
    error: acting.error ?? ending.error,
  }
}
