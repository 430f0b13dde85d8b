'use client'

import './globals.css'
import { Failed } from '../components/door/failed.tsx'

/**
 * The outermost layout failed: this replaces the whole page. When it failed on the server, Next sends this page as it
 * was built, whose scripts have no nonce and do not run.
 */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <Failed title="The console failed." detail="Leases are not affected." error={error} retry={retry} />
      </body>
    </html>
  )
}
