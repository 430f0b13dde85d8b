'use client'

import { useEffect } from 'react'

/** A page that failed. What is shown elsewhere stays; nothing was done by it. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  useEffect(() => console.error(error), [error])
  return (
    <div className="plain" role="alert">
      <h1>The page failed</h1>
      <p className="mut">
        This is a fault of the console. The leases are not affected by it; what you see of them here cannot be
        trusted until the page is drawn anew.
      </p>
      <div className="acts">
        <button type="button" className="btn primary" onClick={retry}>
          Draw it anew
        </button>
      </div>
    </div>
  )
}
