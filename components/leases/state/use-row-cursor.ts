'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'

/**
 * The row that is moved through the list by keys. One row of the list is reached by Tab: the one under the cursor, or
 * the first. When that row leaves with the focus on it, the row that takes its place gets both; without the focus the cursor is gone.
 */
export function useRowCursor(rows: readonly LiveRow[]) {
  const [cursorKey, setCursorKey] = useState<string | null>(null)
  const links = useRef(new Map<string, HTMLElement>())
  const place = useRef(0)
  const hasFocus = useRef(false)

  const register = useCallback((key: string, link: HTMLElement | null) => {
    if (link) links.current.set(key, link)
    else links.current.delete(key)
  }, [])
  const moveTo = useCallback((key: string | null) => {
    setCursorKey(key)
    if (key !== null) links.current.get(key)?.focus()
  }, [])
  const onFocus = useCallback((key: string | null) => {
    hasFocus.current = key !== null
    if (key !== null) setCursorKey(key)
  }, [])

  const at = rows.findIndex(({ key }) => key === cursorKey)
  useEffect(() => {
    if (at !== -1) {
      place.current = at
      return
    }
    if (cursorKey === null || rows.length === 0) return
    const next = rows[Math.min(place.current, rows.length - 1)]?.key ?? null
    if (!hasFocus.current) return setCursorKey(null)
    setCursorKey(next)
    // The page may have been scrolled away from it, and is not called back.
    if (next !== null) links.current.get(next)?.focus({ preventScroll: true })
  }, [at, cursorKey, rows, moveTo])

  return { cursorKey, stopKey: at === -1 ? (rows[0]?.key ?? null) : cursorKey, moveTo, onFocus, register }
}
