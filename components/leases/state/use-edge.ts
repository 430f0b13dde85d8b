'use client'

import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import { isLeftToRows } from './arrows-move.ts'

interface Edge {
  table: RefObject<HTMLElement | null>
  rows: readonly LiveRow[]
  offset: number
  matching: number | null
  moveTo: (key: string | null) => void
}

/**
 * To the first or the last row of the whole view: the page is scrolled there, and the row takes the focus once it is read.
 * A reader who has moved on is not called back.
 */
export function useEdge({ table, rows, offset, matching, moveTo }: Edge): (edge: 'first' | 'last') => void {
  const wanted = useRef<'first' | 'last' | null>(null)
  const arrive = useCallback(() => {
    if (!isLeftToRows(document.activeElement)) wanted.current = null
    const row = wanted.current === 'first' ? rows[0] : rows.at(-1)
    const isThere =
      wanted.current === 'first'
        ? offset === 0
        : offset + rows.length >= (matching ?? Number.POSITIVE_INFINITY)
    if (wanted.current === null || row === undefined || !isThere) return
    wanted.current = null
    moveTo(row.key)
  }, [rows, offset, matching, moveTo])
  useEffect(arrive, [arrive])
  return useCallback(
    (edge) => {
      wanted.current = edge
      table.current?.scrollIntoView({ block: edge === 'first' ? 'start' : 'end' })
      arrive()
    },
    [table, arrive],
  )
}
