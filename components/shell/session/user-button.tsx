'use client'

import type { ComponentProps } from 'react'
import type { Session } from '../../../lib/contract/people/session.ts'
import { initials } from './initials.ts'

/** Who is signed in, in the header. */
export function UserButton({ session, ...props }: { session: Session } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-haspopup="menu"
      {...props}
      className="me"
      aria-label={`${session.username}, ${session.role}: theme and sign-out`}
    >
      <i aria-hidden="true">{initials(session.username)}</i>
      <span>
        {session.username} · {session.role}
      </span>
    </button>
  )
}
