'use client'

import { useEffect } from 'react'
import { Outside } from './outside.tsx'

interface FailedProps {
  title: string
  detail: string
  error: unknown
  retry: () => void
}

/** What stands in the place of a page that failed. The second way out is a link, which needs no script. */
export function Failed({ title, detail, error, retry }: FailedProps) {
  useEffect(() => console.error(error), [error])
  return (
    <Outside title={title} role="alert">
      <p className="mut">{detail}</p>
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
