import type { ReactNode } from 'react'
import { Mark } from '../ui/mark.tsx'
import { Creed } from './creed.tsx'

/** The page in front of the console. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="door">
      <main>
        <div>
          <h1>
            <span className="brand">
              <Mark />
              Leasehold
            </span>
            <span className="vh">: {title}</span>
          </h1>
          {children}
        </div>
      </main>
      <Creed />
    </div>
  )
}
