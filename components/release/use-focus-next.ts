'use client'

import { useEffect, useRef } from 'react'
import { focusNext } from '../ui/next-input.ts'

/**
 * Puts the focus where a dialog goes on, when a step is replaced: `step` changes. Not while the reader is in a dialog
 * above it.
 */
export function useFocusNext(step: string) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const dialog = place.current?.closest<HTMLElement>('[role=dialog]')
    if (dialog && !dialog.hasAttribute('data-nested-dialog-open')) focusNext(dialog)
  }, [step])
  return place
}
