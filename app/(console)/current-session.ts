import { redirect } from 'next/navigation'
import { cache } from 'react'
import { pageSession } from '../../lib/console/start/page-session.ts'
import { signInPath } from '../../lib/contract/people/next-path.ts'

/** Who opens this page, asked once a request. */
export const currentSession = cache(pageSession)

/**
 * Sends a visitor without a session to the sign-in page, and from there back to `path`. The layout cannot do this: it does
 * not know the path. While Cassandra cannot say who it is, the page may be drawn, because it holds nothing: the layout
 * keeps it back on a first visit, and every request to /v1 is checked again.
 */
export async function requireSession(path: string): Promise<void> {
  const found = await currentSession()
  if (found.kind === 'signed-out') redirect(signInPath(path))
}
