'use client'

import { type KeyboardEvent, useEffect, useRef } from 'react'
import { pageNow } from '../../lib/client/time/page-clock.ts'
import { type EnterPress, enterPress } from './enter-press.ts'

interface EnterInField {
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
  onFocus: () => void
}

/** Enter in the fields of a form whose one button is no submit button, because what it does cannot be undone. */
export function useEnterPress(can: EnterPress, act: () => void, goOn: () => void): EnterInField {
  const focusedAtMs = useRef(Number.NEGATIVE_INFINITY)
  // The key or click of this moment, and the one before it.
  const gestures = useRef(['', ''])
  useEffect(() => {
    const note = (event: Event) => {
      gestures.current = [
        event instanceof globalThis.KeyboardEvent ? event.key : 'click',
        gestures.current[0] ?? '',
      ]
    }
    document.addEventListener('keydown', note, true)
    document.addEventListener('pointerdown', note, true)
    return () => {
      document.removeEventListener('keydown', note, true)
      document.removeEventListener('pointerdown', note, true)
    }
  }, [])
  return {
    onFocus: () => {
      focusedAtMs.current = pageNow()
    },
    onKeyDown: (event) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      const press = enterPress({
        repeat: event.repeat,
        isComposing: event.nativeEvent.isComposing,
        afterEnter: gestures.current[1] === 'Enter',
        sinceFocusMs: pageNow() - focusedAtMs.current,
        can,
      })
      if (press === 'act') act()
      else if (press === 'go-on') goOn()
    },
  }
}
