'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'
import { focusNext } from './next-input.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  children: ReactNode
  narrow?: boolean
  /** A click beside it does not close a dialog in which something was typed or is under way. */
  sticky?: boolean
  /** What takes the focus first; the dialog itself otherwise, so that it is read from its name on. */
  initialFocus?: RefObject<HTMLElement | null> | undefined
  busy?: boolean
}

/** Gives the focus back to the dialog that a dialog was opened from. null: it was opened from the page. */
const FocusBack = createContext<(() => void) | null>(null)

/** A modal dialog. Focus goes in, stays in, and returns to where it was. */
export function Dialog({ open, onClose, children, narrow, sticky, initialFocus, busy }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  const last = useRef<Element | null>(null)
  const back = useContext(FocusBack)
  // What opened this dialog may be gone by now, such as the button of an elevation: the dialog below knows what is next.
  useEffect(() => {
    if (open && back) return back
  }, [open, back])
  const takeBack = useRef(() => {
    const dialog = popup.current
    if (dialog === null) return
    if (last.current instanceof HTMLElement && last.current.isConnected) last.current.focus()
    else focusNext(dialog)
  })
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => !next && onClose()}
      disablePointerDismissal={sticky ?? false}
    >
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Viewport className="stage">
          <Base.Popup
            className={narrow ? 'dlg narrow' : 'dlg'}
            aria-busy={busy}
            ref={popup}
            initialFocus={initialFocus ?? popup}
            finalFocus={back === null}
            onFocus={({ target }) => {
              if (popup.current?.contains(target)) last.current = target
            }}
          >
            <FocusBack value={takeBack.current}>{children}</FocusBack>
            <KeepFocus />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** A button that is pressed may go with its step, and the focus with it, to the page behind: the dialog takes it back. */
function KeepFocus() {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const dialog = place.current?.closest<HTMLElement>('[role=dialog]')
    if (!dialog) return
    const observer = new MutationObserver(() => {
      const focused = document.activeElement
      const isLost = focused === null || focused === document.body || focused.matches(':disabled')
      if (isLost && !dialog.hasAttribute('data-nested-dialog-open')) focusNext(dialog)
    })
    observer.observe(dialog, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => observer.disconnect()
  }, [])
  return <span ref={place} hidden />
}

/** The dialog's name, what it is about, and the way out. */
export function DialogHead({
  title,
  lead,
  aside,
}: {
  title: ReactNode
  lead?: ReactNode
  aside?: ReactNode
}) {
  return (
    <div className="dh">
      <div>
        <Base.Title>{title}</Base.Title>
        {lead && <Base.Description className="mut">{lead}</Base.Description>}
      </div>
      <span className="push">{aside}</span>
      <Base.Close className="btn quiet sm sq" aria-label="Close">
        <Icon name="cross" />
      </Base.Close>
    </div>
  )
}

/** The name of a dialog that shows none. */
export const DialogName = ({ children }: { children: ReactNode }) => (
  <Base.Title className="vh">{children}</Base.Title>
)

/** The name of a step that comes after another: what had the focus is gone, and the dialog takes it back. */
export function DialogTitle({ children }: { children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.closest<HTMLElement>('[role=dialog]')?.focus(), [])
  return <Base.Title ref={title}>{children}</Base.Title>
}
export const DialogLead = ({ children }: { children: ReactNode }) => (
  <Base.Description className="mut">{children}</Base.Description>
)
