'use client'

import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { isAimed, isSamePlace, type Press } from './is-aimed.ts'

const rowOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('[role=row]') : null

/** Rows by their numbers in the whole table. An element stays with its lease, wherever that stands. */
const rowsIn = (table: Element | null): Map<string, Element> =>
  new Map(
    [...(table?.querySelectorAll('[role=row]') ?? [])].map((row, i) => [
      row.getAttribute('aria-rowindex') ?? String(i),
      row,
    ]),
  )

/**
 * A press on a row does nothing where another row lay when the user aimed: rows are held under a pointer, but what stands
 * above the table may move all of them, and a finger is not seen before it is there.
 */
export function useAimedPress(table: RefObject<HTMLElement | null>, onMissed: () => void) {
  const aim = useRef<Press['aim']>(null)
  const rows = useRef({ shown: rowsIn(null), before: rowsIn(null), changedAtMs: Number.NEGATIVE_INFINITY })
  useLayoutEffect(() => {
    const next = rowsIn(table.current)
    const { shown } = rows.current
    const isMoved = [...next].some(([place, row]) => (shown.get(place) ?? row) !== row)
    if (isMoved) rows.current = { shown: next, before: shown, changedAtMs: pageNow() }
    else rows.current.shown = next
  })
  useEffect(() => {
    // The user moves the rows under the mouse.
    const forget = () => {
      aim.current = null
    }
    addEventListener('wheel', forget, { passive: true })
    addEventListener('keydown', forget)
    return () => {
      removeEventListener('wheel', forget)
      removeEventListener('keydown', forget)
    }
  }, [])

  return {
    onPointerMove: (event: PointerEvent) => {
      const place = { x: event.clientX, y: event.clientY }
      // A browser says that the mouse moved when the page moved under it.
      if (event.pointerType !== 'mouse' || (aim.current && isSamePlace(place, aim.current))) return
      aim.current = { ...place, row: rowOf(event.target) }
    },
    onClickCapture: (event: MouseEvent) => {
      const row = rowOf(event.target)
      // Enter on what has the focus is a click, too.
      if (row === null || event.detail === 0) return
      const { pointerType } = event.nativeEvent as unknown as { pointerType?: string }
      const { shown, before, changedAtMs } = rows.current
      const place = [...shown].find(([, each]) => each === row)?.[0] ?? ''
      const press = {
        row,
        x: event.clientX,
        y: event.clientY,
        aim: aim.current,
        byFinger: pointerType === 'touch' || pointerType === 'pen',
        before: before.get(place),
        sinceChangeMs: pageNow() - changedAtMs,
      }
      if (isAimed(press)) return
      event.preventDefault()
      event.stopPropagation()
      aim.current = null
      onMissed()
    },
  }
}
