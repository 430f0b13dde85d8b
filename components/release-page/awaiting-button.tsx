'use client'

import type { ComponentProps } from 'react'
import type { Session } from '../../lib/contract/people/session.ts'
import type { Release } from '../../lib/contract/releases/release.ts'
import { Icon } from '../ui/control/icon.tsx'

export interface AwaitingProps {
  session: Session
  releases: readonly Release[]
  /** Older ones may wait as well. */
  more: boolean
}

/** How many releases wait for a second person. */
export function AwaitingButton({
  releases,
  more,
  session: _session,
  ...props
}: AwaitingProps & ComponentProps<'button'>) {
  return (
    <button type="button" aria-haspopup="menu" {...props} className="waits">
      <Icon name="person" />
      <span>
        {releases.length}
        {more && '+'} {releases.length === 1 ? 'waits' : 'wait'}
        <span className="x-wide"> for approval</span>
      </span>
    </button>
  )
}
