'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { labKeys, startRun } from '../../../lib/client/lab/run/lab-queries.ts'
import { startWhenFree } from '../../../lib/client/lab/run/start-when-free.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import type { NewLabRun } from '../../../lib/contract/lab/run.ts'
import { may } from '../../shell/session/may.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { useLockReason } from '../../shell/truth/use-connection.ts'

interface StartRun {
  /** Why none may be started; null: one may. The server’s own sentence is in the list of runs. */
  lock: string | null
  isStarting: boolean
  error: unknown
  /** `waitsForPlace`: this person’s run before has just ended, or ends now. */
  start: (run: NewLabRun, options?: { waitsForPlace: boolean }) => void
}

/** @param onStarted with the new run’s id, if what started it is still shown */
export function useStartRun(onStarted: (run: string) => void): StartRun {
  const client = useQueryClient()
  const mayStart = may(useSession(), endpoints.startLabRun)
  const lost = useLockReason()
  // A second click comes before React has drawn that the first is under way.
  const sent = useRef(false)
  const starting = useMutation({
    mutationFn: ({ run, waitsForPlace }: { run: NewLabRun; waitsForPlace: boolean }) =>
      waitsForPlace ? startWhenFree(() => startRun(run)) : startRun(run),
    onSuccess: () => {
      client.invalidateQueries({ queryKey: labKeys.runs })
    },
    onSettled: () => {
      sent.current = false
    },
  })
  return {
    lock: mayStart ? lost : 'only operators start runs',
    isStarting: starting.isPending,
    error: starting.error,
    start: (run, { waitsForPlace } = { waitsForPlace: false }) => {
      if (sent.current) return
      sent.current = true
      // Called here, and not above, it is left out when the reader has gone to another page meanwhile.
      starting.mutate({ run, waitsForPlace }, { onSuccess: (started) => onStarted(started.run) })
    },
  }
}
