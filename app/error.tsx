'use client'

import { useEffect } from 'react'
import { Outside } from '../components/door/outside.tsx'

/** A page that failed. The frame around it stays; the failure did nothing to any lease. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  useEffect(() => console.error(error), [error])
  return (
    <Outside title="This page failed." role="alert">
      <p className="mut">The console has a fault. Leases are not affected.</p>
      <div className="acts">
        <button type="button" className="btn primary" onClick={retry}>
          Reload
        </button>
        <a className="btn" href="/">
          All leases
        </a>
      </div>
    </Outside>
  )
}
