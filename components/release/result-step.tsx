'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isApiError } from '../../lib/client/api-error.ts'
import { releaseQuery } from '../../lib/client/queries.ts'
import type { Release } from '../../lib/contract/release.ts'
import { OtherOutcomeStep } from './other-outcome-step.tsx'
import { PendingStep } from './pending-step.tsx'
import { ReleasedStep } from './released-step.tsx'

interface ResultStepProps {
  first: Release
  table: string | undefined
  /** It turned out that the holder had changed. */
  onRefused: (error: unknown) => void
  onPlanAgain: () => void
  onClose: () => void
}

/** What became of a release; while that is being found out, it is asked for again and again. */
export function ResultStep({ first, table, onRefused, onPlanAgain, onClose }: ResultStepProps) {
  const { data, error } = useQuery({ ...releaseQuery(first.id), initialData: first })
  useEffect(() => {
    if (isApiError(error) && error.code === 'holder-changed') onRefused(error)
  }, [error, onRefused])
  switch (data.outcome) {
    case 'pending':
      return <PendingStep release={data} error={error} onClose={onClose} />
    case 'released':
      return <ReleasedStep release={data} table={table} onClose={onClose} />
    default:
      return (
        <OtherOutcomeStep release={data} outcome={data.outcome} onPlanAgain={onPlanAgain} onClose={onClose} />
      )
  }
}
