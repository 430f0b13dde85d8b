'use client'

import { type RefObject, useEffect } from 'react'
import { focusNext } from '../ui/control/next-input.ts'

/**
 * Puts the focus where a dialog goes on, when a step is replaced: `step` changes; null: there is none. Not while the
 * reader is in a dialog above it, or types.
 * @param place something inside of the dialog
 */
export function useFocusNext(place: RefObject<HTMLElement | null>, step: string | null): void {
  useEffect(() => {
    const dialog = step === null ? null : place.current?.closest<HTMLElement>('[role=dialog]')
    if (!dialog || dialog.hasAttribute('data-nested-dialog-open')) return
    const focused = document.activeElement
    // A space in the midst of a reason must not press the button of the next step.
    const types = focused?.matches('input:not([type=radio])') && dialog.contains(focused)
    if (!types) focusNext(dialog)
  }, [place, step])
}
