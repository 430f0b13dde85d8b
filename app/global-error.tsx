'use client'

import './globals.css'
import { useEffect } from 'react'
import { Outside } from '../components/door/outside.tsx'

/**
 * The outermost layout failed: this replaces the whole page. When it failed on the server, Next sends this page as it
 * was built, whose scripts have no nonce and do not run: a link is a way out that needs none.
 */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  useEffect(() => console.error(error), [error])
  return (
    <html lang="en">
      <body>
        <Outside title="The console failed." role="alert">
          <p className="mut">Leases are not affected.</p>
          <div className="acts">
            <button type="button" className="btn primary" onClick={retry}>
              Reload
            </button>
            <a className="btn" href="/">
              All leases
            </a>
          </div>
        </Outside>
      </body>
    </html>
  )
}
