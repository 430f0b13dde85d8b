import type { Metadata } from 'next'
import Link from 'next/link'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <main className="page">
      <div className="plain">
        <h1>There is no such page</h1>
        <p className="mut">
          The address leads nowhere. A lease’s own page is /leases/ and its name, percent-encoded.
        </p>
        <div className="acts">
          <Link className="btn" href="/">
            All leases
          </Link>
        </div>
      </div>
    </main>
  )
}
