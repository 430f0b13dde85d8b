import type { Metadata } from 'next'
import { Outside } from '../components/door/outside.tsx'

export const metadata: Metadata = { title: 'Page not found' }

export default function NotFound() {
  return (
    <Outside title="Page not found.">
      <p className="mut">
        Check the address. The page of a lease is <code>/leases/</code> and its name, percent-encoded.
      </p>
      <div className="acts">
        <a className="btn primary" href="/">
          All leases
        </a>
        <a className="btn" href="/docs">
          API reference
        </a>
      </div>
    </Outside>
  )
}
