'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'

/** A small screen is not covered by its keyboard before anybody has asked for it. */
export const focusAtOnce = (): boolean => matchMedia('(pointer: fine)').matches

interface DialogProps {
  open: boolean
  onClose: () => void
  children: ReactNode
  narrow?: boolean
  /** A click beside it does not close a dialog in which something was typed or is under way. */
  sticky?: boolean
  /** What takes the focus first; the dialog itself otherwise, so that it is read from its name on. */
  initialFocus?: RefObject<HTMLElement | null>
  busy?: boolean
}

/** A modal dialog. Focus goes in, stays in, and returns to where it was. */
export function Dialog({ open, onClose, children, narrow, sticky, initialFocus, busy }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
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
          >
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
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

/** The name of a step that comes after another: what had the focus is gone, and the dialog takes it back. */
export function DialogTitle({ children }: { children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.closest<HTMLElement>('[role=dialog]')?.focus(), [])
  return <Base.Title ref={title}>{children}</Base.Title>
}
export const DialogLead = ({ children }: { children: ReactNode }) => (
  <Base.Description className="mut">{children}</Base.Description>
)
