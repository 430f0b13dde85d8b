'use client'

import { type PointerEvent, useEffect, useRef } from 'react'

/** A pointer that rests longer than this is parked: the user is not about to press anything. */
const parkedAfterMs = 10_000

/**
 * Tells whether a mouse is being used over an element, so that nothing changes its place under it. Touch and pen have
 * no pointer that hovers.
 */
export function usePointerHold(onHold: (on: boolean) => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const release = () => {
    if (timer.current === null) return
    clearTimeout(timer.current)
    timer.current = null
    onHold(false)
  }
  const hold = () => {
    if (timer.current === null) onHold(true)
    else clearTimeout(timer.current)
    timer.current = setTimeout(release, parkedAfterMs)
  }
  useEffect(
    () => () => {
      if (timer.current === null) return
      clearTimeout(timer.current)
      timer.current = null
      onHold(false)
    },
    [onHold],
  )
  const byPointer = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') hold()
  }
  return { onPointerEnter: byPointer, onPointerMove: byPointer, onPointerLeave: release }
}
