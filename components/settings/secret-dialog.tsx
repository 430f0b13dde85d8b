'use client'

import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { Dialog } from '../ui/dialog.tsx'

interface SecretHold {
  /** A secret is shown that was not copied yet: the dialog does not close by accident. */
  hold: (on: boolean) => void
  /** Closing was tried: the dialog asks first. */
  asks: boolean
  stay: () => void
}

const SecretHoldContext = createContext<SecretHold>({ hold: () => {}, asks: false, stay: () => {} })

/** For the part of the dialog that shows the secret. */
export const useSecretHold = (): SecretHold => useContext(SecretHoldContext)

interface SecretDialogProps {
  open: boolean
  onClose: () => void
  children: ReactNode
  sticky?: boolean
  initialFocus?: RefObject<HTMLElement | null>
}

/** A dialog that may end by showing a secret once. Esc, and going back, ask before the secret is gone. */
export function SecretDialog({ open, onClose, children, sticky, initialFocus }: SecretDialogProps) {
  const [held, setHeld] = useState(false)
  const [asks, setAsks] = useState(false)
  const hold = useCallback((on: boolean) => {
    setHeld(on)
    setAsks(false)
  }, [])
  const stay = useCallback(() => setAsks(false), [])
  const value = useMemo(() => ({ hold, asks, stay }), [hold, asks, stay])
  useEffect(() => {
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
        {...(initialFocus && { initialFocus })}
      >
        {children}
      </Dialog>
    </SecretHoldContext>
  )
}
