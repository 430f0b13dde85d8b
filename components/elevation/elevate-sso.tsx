'use client'

import { useState } from 'react'
import { ssoPath } from '../../lib/contract/people/sso.ts'
import { Icon } from '../ui/control/icon.tsx'

/** Leads to the provider, and from there back to the same page. */
export function ElevateSso({ onClose }: { onClose: () => void }) {
  const [leaving, setLeaving] = useState(false)
  const leave = () => {
    if (leaving) return
    setLeaving(true)
    location.assign(ssoPath({ next: location.pathname + location.search + location.hash, elevate: true }))
  }
  return (
    <>
      <div className="body">
        <p>
          You use single sign-on. Your provider asks you to sign in again, then returns you to this page. Text
          that you typed here and did not send is lost.
        </p>
      </div>
      <div className="df">
        <button type="button" className="btn push" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="btn primary" aria-disabled={leaving || undefined} onClick={leave}>
          <Icon name="key" />
          {leaving ? 'Opening your provider…' : 'Sign in again'}
        </button>
      </div>
    </>
  )
}
