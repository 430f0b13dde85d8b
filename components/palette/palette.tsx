'use client'

import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../ui/control/icon.tsx'
import { later } from '../ui/control/later.tsx'
import { isTyping } from '../ui/control/use-key.ts'
import { afterEarlyKey } from './early-keys.ts'

const PaletteDialog = later(async () => (await import('./palette-dialog.tsx')).PaletteDialog)

/** For so long after the key a dialog that is being closed may still be drawn: a page may be slow. */
const closesWithinMs = 5000
/** Keys that may close a dialog, or do an act in it. */
const actKeys = new Set(['Escape', 'Enter', ' '])

/**
 * Over a dialog, in which something may have been typed, another would be one too many: it waits until a closing one is
 * gone. It waits no longer when the reader goes on in the dialog: that one was not closing.
 */
function withoutDialog(open: () => void): void {
  const hasDialog = () => document.querySelector('[role=dialog]') !== null
  if (!hasDialog()) {
    open()
    return
  }
  const wait = new AbortController()
  const { signal } = wait
  const observer = new MutationObserver(() => {
    if (hasDialog()) return
    wait.abort()
    open()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  signal.addEventListener('abort', () => observer.disconnect())
  setTimeout(() => wait.abort(), closesWithinMs)
  addEventListener('pointerdown', () => wait.abort(), { capture: true, signal })
  addEventListener('keydown', ({ key }) => actKeys.has(key) && wait.abort(), { capture: true, signal })
}

/** Finds a lease, a page or an act: a button, and Ctrl+K or ⌘K on every page. */
export function Palette({ table }: { table: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  /** What was typed before the palette's field had the focus. null: it has it, or the palette is not wanted. */
  const early = useRef<string | null>(null)
  const open = useCallback(() => {
    early.current ??= ''
    setOpen(true)
  }, [])
  const close = useCallback(() => {
    early.current = null
    setOpen(false)
  }, [])
  useLayoutEffect(() => {
    const onEarlyKey = (event: KeyboardEvent) => {
      if (early.current === null) return
      const after = afterEarlyKey(early.current, event)
      if (after === null) return
      // Not to the page behind: its keys are letters.
      event.preventDefault()
      event.stopPropagation()
      if (after === 'close') close()
      else early.current = after
    }
    // Another field that was gone to meanwhile has its keys for itself.
    const onFocusIn = ({ target }: FocusEvent) => {
      if (isTyping(target)) early.current = null
    }
    addEventListener('keydown', onEarlyKey, { capture: true })
    addEventListener('focusin', onFocusIn)
    return () => {
      removeEventListener('keydown', onEarlyKey, { capture: true })
      removeEventListener('focusin', onFocusIn)
    }
  }, [close])
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.altKey || event.shiftKey) return
      event.preventDefault()
      if (!isOpen) withoutDialog(open)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOpen, open])
  const takeTyped = useCallback(() => {
    const typed = early.current ?? ''
    early.current = null
    return typed
  }, [])
  return (
    <>
      <button
        type="button"
        className="find"
        aria-label="Find a lease, a page or an action"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title="Find a lease, a page or an action"
        onClick={open}
      >
        <Icon name="search" />
        <span>Find or do…</span>
        <kbd>Ctrl K</kbd>
      </button>
      {isOpen && <PaletteDialog table={table} takeTyped={takeTyped} onClose={close} />}
    </>
  )
}
