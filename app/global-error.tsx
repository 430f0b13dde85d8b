'use client'

import './globals.css'
import { useEffect } from 'react'

/**
 * The outermost layout failed: this stands in for all of it. When it failed on the server, Next sends this page as it
 * was built, whose scripts have no nonce and do not run: a link is a way out that needs none.
 */
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
              <a className="btn" href="/">
                All leases
              </a>
            </div>
          </div>
        </main>
      </body>
    </html>
  )
}
