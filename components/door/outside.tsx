import type { ReactNode } from 'react'
import { Mark } from '../ui/mark.tsx'

/**
 * A page without the console's frame: the session is not known, or the frame itself failed. The
 * brand is a plain link: a way out that needs no script.
 */
export function Outside({ title, children, role }: { title: string; children: ReactNode; role?: 'alert' }) {
  return (
    <>
      <header className="top">
        <a className="brand" href="/">
          <Mark />
          Leasehold
        </a>
      </header>
      <main className="page">
        <div className="plain" role={role}>
          <h1>{title}</h1>
          {children}
        </div>
      </main>
    </>
  )
}
