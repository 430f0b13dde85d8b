'use client'

import { useEffect, useState } from 'react'
import { Icon } from '../ui/control/icon.tsx'
import { later } from '../ui/control/later.tsx'

const PaletteDialog = later(async () => (await import('./palette-dialog.tsx')).PaletteDialog)

/** For so long a dialog that is being closed may still be drawn. */
const closesWithinMs = 500

/** Over a dialog, in which something may have been typed, another would be one too many: it waits until a closing one is gone. */
function withoutDialog(open: () => void): void {
  const untilMs = performance.now() + closesWithinMs
  const look = () => {
    if (document.querySelector('[role=dialog]') === null) open()
    else if (performance.now() < untilMs) requestAnimationFrame(look)
  }
  look()
}

/** Finds a lease, a page or an act: a button, and Ctrl+K or ⌘K on every page. */
export function Palette({ table }: { table: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.altKey || event.shiftKey) return
      event.preventDefault()
      if (!isOpen) withoutDialog(() => setOpen(true))
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOpen])
  return (
    <>
      <button
        type="button"
        className="find"
        aria-label="Find a lease, a page or an action"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title="Find a lease, a page or an action"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span>Find or do…</span>
        <kbd>Ctrl K</kbd>
      </button>
      {isOpen && <PaletteDialog table={table} onClose={() => setOpen(false)} />}
    </>
  )
}
