'use client'

import { useLayoutEffect, useRef } from 'react'
import { filterStates } from '../../../lib/client/view/lease-view.ts'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import type { LeaseStateName } from '../../../lib/contract/leases/lease.ts'
import { isAddressable } from '../../../lib/contract/path.ts'
import { isTyping } from '../../ui/control/use-key.ts'
import { arrowsMove, isAmongRows } from './arrows-move.ts'

interface ListKeys {
  enabled: boolean
  rows: readonly LiveRow[]
  cursorKey: string | null
  moveTo: (key: string | null) => void
  open: (row: LiveRow) => void
  release?: ((row: LiveRow) => void) | undefined
  search?: (() => void) | undefined
  help: () => void
  attention?: (() => void) | undefined
  pause?: (() => void) | undefined
  /** null: all states. */
  filter?: ((state: LeaseStateName | null) => void) | undefined
  columns?: (() => void) | undefined
  copyName?: ((row: LiveRow) => void) | undefined
  copyLink?: (() => void) | undefined
  /** To the first row of the whole view, or to the last. */
  toEdge?: ((edge: 'first' | 'last') => void) | undefined
}

/** The keys of the list. They do nothing while something is typed, in a menu or a dialog, or with Ctrl, Alt or Meta: those are the browser's. */
export function useListKeys(keys: ListKeys): void {
  const latest = useRef(keys)
  // A key that is pressed when a page is drawn finds what is drawn: an effect may run after it.
  useLayoutEffect(() => {
    latest.current = keys
  })
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const {
        enabled,
        rows,
        cursorKey,
        moveTo,
        open,
        release,
        search,
        help,
        attention,
        pause,
        filter,
        toEdge,
        columns,
        copyName,
        copyLink,
      } = latest.current
      if (
        !enabled ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(event.target)
      )
        return
      if (document.querySelector('[role=menu], [role=dialog]')) return
      const at = rows.findIndex(({ key }) => key === cursorKey)
      const row = rows[at]
      const act = (run: () => void) => {
        event.preventDefault()
        run()
      }
      const last = rows.length - 1
      const go = (to: number) => act(() => moveTo(rows[Math.max(0, Math.min(to, last))]?.key ?? null))
      const focused = event.target instanceof HTMLElement ? event.target : null
      const amongRows = isAmongRows(focused)
      const byArrow = rows.length > 0 && arrowsMove(focused, event.shiftKey)
      if (event.key === '/' && search) act(search)
      else if (event.key === '?') act(help)
      else if (event.key === 'j' || (byArrow && event.key === 'ArrowDown')) go(at + 1)
      else if (event.key === 'k' || (byArrow && event.key === 'ArrowUp')) go(at - 1)
      else if (amongRows && event.key === 'Home') {
        if (toEdge) act(() => toEdge('first'))
        else go(0)
      } else if (amongRows && event.key === 'End') {
        if (toEdge) act(() => toEdge('last'))
        else go(last)
      } else if (event.key === 'a' && attention) act(attention)
      else if (event.key === 'p' && pause) act(pause)
      else if (event.key === 'v' && columns) act(columns)
      else if (event.key === 'c' && copyName && row) act(() => copyName(row))
      else if (event.key === 'C' && copyLink) act(copyLink)
      else if (filter && /^[0-7]$/.test(event.key))
        act(() => filter(filterStates[Number(event.key) - 1] ?? null))
      // The focus may be on a row that the cursor has left: another view came while it moved there.
      else if (event.key === 'Escape' && (row || amongRows)) act(() => moveTo(null))
      else if (event.key === 'r' && release && row && row.state !== 'gone' && isAddressable(row.lease.name))
        act(() => release(row))
      // On the row's own link, or on a button, the browser does what Enter means there.
      else if (event.key === 'Enter' && row && event.target === document.body)
        act(() => isAddressable(row.lease.name) && open(row))
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
