'use client'

import { type FocusEvent, type PointerEvent, type RefObject, useCallback, useEffect, useRef } from 'react'

/** A tap becomes a click this long after the finger has left, at most. */
const tapMs = 400

/**
 * Tells whether a user may be about to press something in a table: a mouse rests on it, a finger is on it, or keys move
 * the focus in it. For as long as that lasts: a user who has read a row for a minute presses where that row was.
 */
export function useRowHold(table: RefObject<HTMLElement | null>, onHold: (on: boolean) => void) {
  const holds = useRef(new Set<'mouse' | 'finger' | 'focus'>())
  const lifted = useRef<ReturnType<typeof setTimeout>>(undefined)
  const set = useCallback(
    (by: 'mouse' | 'finger' | 'focus', on: boolean) => {
      if (on) holds.current.add(by)
      else holds.current.delete(by)
      onHold(holds.current.size > 0)
    },
    [onHold],
  )
  useEffect(() => {
    // A mouse that rested here before the page's script ran sends no event until it moves.
    const isThere = matchMedia('(hover: hover)').matches && table.current?.matches(':hover')
    if (isThere) set('mouse', true)
    const held = holds.current
    return () => {
      clearTimeout(lifted.current)
      held.clear()
      onHold(false)
    }
  }, [table, set, onHold])

  const byMouse = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') set('mouse', true)
  }
  const lift = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') return
    clearTimeout(lifted.current)
    lifted.current = setTimeout(() => set('finger', false), tapMs)
  }
  return {
    onPointerEnter: byMouse,
    onPointerMove: byMouse,
    onPointerLeave: (event: PointerEvent) => {
      if (event.pointerType === 'mouse') set('mouse', false)
    },
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType === 'mouse') return
      clearTimeout(lifted.current)
      set('finger', true)
    },
    onPointerUp: lift,
    onPointerCancel: lift,
    onFocus: (event: FocusEvent) => {
      // A button keeps the focus after a mouse has pressed it: the mouse's own place counts then.
      set('focus', event.target.matches(':focus-visible'))
    },
    onBlur: (event: FocusEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget)) set('focus', false)
    },
  }
}
