import type { ReactNode } from 'react'
import type { ReleaseMode } from '../../../lib/contract/releases/release.ts'
import { LeaseName } from '../holder/lease-name.tsx'
import { OwnerText } from '../holder/owner-text.tsx'
import { modeLooks } from './mode-look.ts'

interface ActAheadProps {
  mode: ReleaseMode
  name: string
  owner: string | null
  /** Why it cannot be done any more. */
  children?: ReactNode
}

/** What an elevation is asked for. Its dialog lies over the one that says it. */
export function ActAhead({ mode, name, owner, children }: ActAheadProps) {
  return (
    <div className="grid gap-3">
      <div>
        <p>
          {modeLooks[mode].act}: <LeaseName name={name} />
        </p>
        <p>
          Held by <OwnerText owner={owner} />
        </p>
      </div>
      {children}
    </div>
  )
}
