'use client'

import { useEffect, useRef } from 'react'
import { focusNext } from '../ui/next-input.ts'

const isIn = (dialog: HTMLElement): boolean => dialog.contains(document.activeElement)

/**
 * Puts the focus where a dialog goes on, when a step is replaced: `step` changes. Not while the reader is in a dialog
 * above it, or types.
 */
export function useFocusNext(step: string) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const dialog = place.current?.closest<HTMLElement>('[role=dialog]')
    if (!dialog || dialog.hasAttribute('data-nested-dialog-open')) return
    // A space in the midst of a reason must not press the button of the next step.
    if (document.activeElement?.matches('input:not([type=radio])') && isIn(dialog)) return
    focusNext(dialog)
  }, [step])
  return place
}
