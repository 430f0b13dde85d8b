'use client'

import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'

interface SearchTarget {
  rows: readonly LiveRow[]
  /** What is searched for. */
  q: string
  /** Its rows are the ones that are shown. */
  isHere: boolean
  searchRef: RefObject<HTMLInputElement | null>
  stopKey: string | null
  moveTo: (key: string | null) => void
}

/**
 * From the search to the first row that it found, which may still be on its way. A reader who has moved on is not called
 * back.
 */
export function useSearchTarget({ rows, q, isHere, searchRef, stopKey, moveTo }: SearchTarget) {
  const [wanted, setWanted] = useState<string | null>(null)
  useEffect(() => {
    if (wanted === null || wanted !== q || !isHere) return
    setWanted(null)
    const first = rows[0]
    if (first !== undefined && document.activeElement === searchRef.current) moveTo(first.key)
  }, [wanted, q, isHere, rows, searchRef, moveTo])
  return useCallback(
    (searched?: string) => {
      if (searched !== undefined) setWanted(searched)
      else moveTo(stopKey)
    },
    [moveTo, stopKey],
  )
}
