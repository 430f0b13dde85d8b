'use client'

import { useEffect, useState } from 'react'
import { countText } from '../../../lib/client/time/time-text.ts'
import { Icon } from '../../ui/control/icon.tsx'

/** Copies the link of the run: it shows the same to all who are signed in, now and after the run has ended. */
export function ShareButton({ viewers }: { viewers: number | null }) {
  const [copied, setCopied] = useState<boolean | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const share = () =>
    navigator.clipboard.writeText(location.origin + location.pathname).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <>
      <button type="button" className="btn quiet" onClick={share}>
        <Icon name={copied === true ? 'check' : 'share'} />
        Share{viewers !== null && viewers > 1 && `, ${countText(viewers)} watch`}
      </button>
      <span className={copied === false ? 'small' : 'vh'} role="status">
        {copied === null ? '' : copied ? 'The link is copied' : 'The browser did not allow copying'}
      </span>
    </>
  )
}
