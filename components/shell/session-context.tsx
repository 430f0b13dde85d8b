'use client'

import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { sessionQuery } from '../../lib/client/queries.ts'
import type { Session } from '../../lib/contract/session.ts'

const Known = createContext<Session | null>(null)

/** `session`: as the server knew it when it made the page. */
export const SessionProvider = ({ session, children }: { session: Session; children: ReactNode }) => (
  <Known value={session}>{children}</Known>
)

/** Who is signed in, as last heard: a role may have changed since the page was made. */
export function useSession(): Session {
  const known = useContext(Known)
  const { data } = useQuery(sessionQuery)
  const session = data?.data ?? known
  if (session === null) throw new Error('There is no session outside of the shell.')
  return session
}
