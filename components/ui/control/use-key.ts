'use client'

import { useLayoutEffect, useRef } from 'react'

/** Whether a key that is pressed there is text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** One key of a page. It does nothing while something is typed, in a menu or a dialog, or with Ctrl, Alt or Meta: those are the browser's. */
export function useKey(key: string, enabled: boolean, run: () => void): void {
  const latest = useRef(run)
  // A key that is pressed when a page is drawn finds what is drawn: an effect may run after it.
  useLayoutEffect(() => {
    latest.current = run
  })
  useLayoutEffect(() => {
    if (!enabled) return
    const onKey = (event: KeyboardEvent) => {
      const isOurs = event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!isOurs || event.defaultPrevented || isTyping(event.target)) return
      if (document.querySelector('[role=menu], [role=dialog]')) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [key, enabled])
}
