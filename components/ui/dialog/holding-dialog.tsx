'use client'

import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Dialog } from '../control/dialog.tsx'

interface DialogHold {
  /** Only this dialog shows a secret that was not copied yet, or an answer that is awaited: it does not close by accident. */
  hold: (on: boolean) => void
  /** Closing was tried: the dialog asks first, or says why it stays. */
  asks: boolean
  ask: () => void
  stay: () => void
}

const DialogHoldContext = createContext<DialogHold>({
  hold: () => {},
  asks: false,
  ask: () => {},
  stay: () => {},
})

/** For the part of the dialog that shows what would be lost, or waits for it. */
export const useDialogHold = (): DialogHold => useContext(DialogHoldContext)

interface HoldingDialogProps {
  open: boolean
  onClose: () => void
  children: ReactNode
  sticky?: boolean
  initialFocus?: RefObject<HTMLElement | null>
  /** For a page that draws the dialog only while the URL says so: while the dialog holds, it stays drawn. */
  onHold?: ((on: boolean) => void) | undefined
}

/** A dialog that may end by showing something once, such as a secret. Esc, and going back, ask before it is gone. */
export function HoldingDialog({ open, onClose, children, sticky, initialFocus, onHold }: HoldingDialogProps) {
  const [held, setHeld] = useState(false)
  const [asks, setAsks] = useState(false)
  const report = useRef(onHold)
  useEffect(() => {
    report.current = onHold
  }, [onHold])
  const hold = useCallback((on: boolean) => {
    report.current?.(on)
    setHeld(on)
    setAsks(false)
  }, [])
  const ask = useCallback(() => setAsks(true), [])
  const stay = useCallback(() => setAsks(false), [])
  const value = useMemo(() => ({ hold, asks, ask, stay }), [hold, asks, ask, stay])
  // Before the page is drawn: where it says *Copied*, the tab may close.
  useLayoutEffect(() => {
    if (!held) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [held])
  return (
    <DialogHoldContext value={value}>
      <Dialog
        open={open || held}
        onClose={() => (held ? setAsks(!asks) : onClose())}
        narrow
        sticky={sticky ?? false}
        initialFocus={initialFocus}
      >
        {children}
      </Dialog>
    </DialogHoldContext>
  )
}
