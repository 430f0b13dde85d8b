import type { ReactNode } from 'react'
import { Unavailable } from '../../components/door/unavailable.tsx'
import { Shell } from '../../components/shell/shell.tsx'
import { currentSession } from './current-session.ts'

/** The part of the console that needs a session. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const found = await currentSession()
  if (found.kind === 'unavailable') return <Unavailable title={found.title} detail={found.detail} />
  // Signed out: the page redirects, and draws nothing.
  if (found.kind === 'signed-out') return children
  return <Shell session={found.session}>{children}</Shell>
}
