'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { codeOf, isApiError, mayHaveActed } from '../../lib/client/call/api-error.ts'
import { call } from '../../lib/client/call/call.ts'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { keys } from '../../lib/client/call/queries.ts'
import type { ReleaseMode, ReleasePlan } from '../../lib/contract/releases/release.ts'
import { useLost } from '../shell/truth/use-connection.ts'
import type { ReleaseStage } from './release-stage.ts'

interface Act {
  plan: ReleasePlan
  mode: ReleaseMode
  reason: string
  confirmName: string | undefined
}

/** Carries out a plan, once: a second press, or Enter held down, sends nothing more. */
export function useReleaseAct(
  name: string,
  table: string | undefined,
  planId: string | undefined,
  onSettled: (stage: ReleaseStage) => void,
) {
  // The plan that was sent. State would be too late: a second click comes before the first one is rendered.
  const sentPlan = useRef<string | null>(null)
  const client = useQueryClient()
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: async ({ plan, mode, reason, confirmName }: Act) => {
      try {
        return await call('release', {
          params: { name },
          query: { table },
          body: { plan: plan.plan, mode, reason, confirmName },
        })
      } catch (thrown) {
        // It ended elsewhere. The form knows it before the refusal is said, and goes on where one elevates. A read that is under way
        // may have been answered before the end, and is not waited for.
        if (codeOf(thrown) === 'elevation-needed') await client.refetchQueries({ queryKey: keys.session })
        throw thrown
      }
    },
    onSuccess: ({ data }) => onSettled({ at: 'result', release: data, again: false }),
    onError: (thrown, { plan }) => {
      const problem = isApiError(thrown) ? thrown.problem : undefined
      if (problem?.code === 'holder-changed') onSettled({ at: 'changed', problem })
      else if (problem?.code === 'plan-used')
        onSettled(
          problem.release ? { at: 'result', release: problem.release, again: true } : { at: 'unheard', plan },
        )
      else if (mayHaveActed(thrown)) onSettled({ at: 'unheard', plan })
      else sentPlan.current = null
    },
  })

  // What the last try failed with is of the past once there is a new plan, or Cassandra answers again.
  const connected = useLost() === null
  useEffect(() => {
    if (connected && sentPlan.current === null) reset()
  }, [planId, connected, reset])
  return {
    act: (next: Act) => {
      if (sentPlan.current === next.plan.id) return
      sentPlan.current = next.plan.id
      mutate(next)
    },
    sending: isPending,
    refusal: error === null || isPending || mayHaveActed(error) ? null : errorWords(error),
  }
}
