'use client'

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { useDialogHold } from '../../ui/dialog/holding-dialog.tsx'
import { Say } from '../../ui/text/say.tsx'

interface SecretOnceProps {
  /** "password", "token". */
  what: string
  secret: string
}

/** A secret in the only moment in which it can be seen. Once it was copied, nothing holds the dialog. */
export function SecretOnce({ what, secret }: SecretOnceProps) {
  const { hold } = useDialogHold()
  const [copied, setCopied] = useState(false)
  useLayoutEffect(() => {
    hold(!copied)
    return () => hold(false)
  }, [hold, copied])
  return (
    <>
      <div className="secret">
        <output aria-label={`The ${what}`}>{secret}</output>
        <CopyButton text={secret} label={`Copy the ${what}`} onCopied={() => setCopied(true)} />
      </div>
      <Say tone="warn" icon="risk" title={`Copy the ${what} now.`}>
        You won’t see it again after you close this. Leasehold keeps only its hash.
      </Say>
    </>
  )
}

/** Ends the dialog; asks first where the secret would be lost by an accident. */
export function SecretFoot({ what, onClose }: { what: string; onClose: () => void }) {
  const { asks, hold, stay } = useDialogHold()
  const keep = useRef<HTMLButtonElement>(null)
  const done = useRef<HTMLButtonElement>(null)
  const asked = useRef(false)
  useEffect(() => {
    if (asks) keep.current?.focus()
    else if (asked.current) done.current?.focus()
    asked.current = asks
  }, [asks])
  const close = () => {
    hold(false)
    onClose()
  }
  if (!asks)
    return (
      <div className="df">
        <button type="button" className="btn primary push" ref={done} onClick={close}>
          Done
        </button>
      </div>
    )
  return (
    <div className="df asks" role="alert">
      <p>
        <b>Close without copying the {what}?</b> You won’t see it again.
      </p>
      <button type="button" className="btn danger-o push" onClick={close}>
        Close without copying
      </button>
      <button type="button" className="btn primary" ref={keep} onClick={stay}>
        Keep it open
      </button>
    </div>
  )
}
