'use client'

import { UntilText } from '../../lease/facts/until-text.tsx'
import { usePast } from '../progress/use-past.ts'

/**
 * Of a lease that ended before its time, or while it was not read: another program may have deleted it, and then its holder goes on until its
 * deadline. Says nothing once that is past.
 */
export function MayStillAct({ untilMs }: { untilMs: number | null }) {
  const isOver = usePast(untilMs)
  if (isOver) return null
  return (
    <>
      If another program released it, the old holder may still act
      {untilMs === null ? (
        ': the lease had no expiry, so its holder has no deadline.'
      ) : (
        <>
          {' '}
          until <UntilText at={untilMs} />, its latest deadline.
        </>
      )}{' '}
    </>
  )
}
