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
import { Dialog } from '../../ui/control/dialog.tsx'

interface SecretHold {
  /** A secret is shown that was not copied yet, or its answer is awaited: the dialog does not close by accident. */
  hold: (on: boolean) => void
  /** Closing was tried: the dialog asks first, or says why it stays. */
  asks: boolean
  ask: () => void
  stay: () => void
}

const SecretHoldContext = createContext<SecretHold>({
  hold: () => {},
  asks: false,
  ask: () => {},
  stay: () => {},
})

/** For the part of the dialog that shows the secret, or waits for it. */
export const useSecretHold = (): SecretHold => useContext(SecretHoldContext)

interface SecretDialogProps {
  open: boolean
  onClose: () => void
  children: ReactNode
  sticky?: boolean
  initialFocus?: RefObject<HTMLElement | null>
  /** For a page that draws the dialog only while the URL says so: while a secret is shown it stays drawn. */
  onHold?: ((on: boolean) => void) | undefined
}

/** A dialog that may end by showing something once. Esc, and going back, ask before the secret is gone. */
export function SecretDialog({ open, onClose, children, sticky, initialFocus, onHold }: SecretDialogProps) {
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
    <SecretHoldContext value={value}>
      <Dialog
        open={open || held}
        onClose={() => (held ? setAsks(!asks) : onClose())}
        narrow
        sticky={sticky ?? false}
        initialFocus={initialFocus}
      >
        {children}
      </Dialog>
    </SecretHoldContext>
  )
}
