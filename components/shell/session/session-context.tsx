'use client'

import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { sessionQuery } from '../../../lib/client/call/queries.ts'
import type { Session } from '../../../lib/contract/people/session.ts'

const Known = createContext<Session | null>(null)

/** `session`: as the server knew it when it made the page. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  // Asked for here, once: each of those who want to know would ask in a rhythm of its own.
  const { data } = useQuery(sessionQuery)
  return <Known value={data?.data ?? session}>{children}</Known>
}

/** Who is signed in, as last heard: a role may have changed since the page was made. */
export function useSession(): Session {
  const session = useContext(Known)
  if (session === null) throw new Error('There is no session outside of the shell.')
  return session
}
