'use client'

import './globals.css'
import { useEffect } from 'react'

/** The outermost layout failed: this stands in for all of it. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  useEffect(() => console.error(error), [error])
  return (
    <html lang="en">
      <body>
        <main className="page">
          <div className="plain" role="alert">
            <h1>The console failed</h1>
            <p className="mut">The leases are not affected by it.</p>
            <div className="acts">
              <button type="button" className="btn primary" onClick={retry}>
                Draw it anew
              </button>
            </div>
          </div>
        </main>
      </body>
    </html>
  )
}
