import { headers } from 'next/headers'
import type { Session } from '../../contract/people/session.ts'
import { sessionIdIn } from '../http/request/cookie.ts'
import { consoleContext } from './started.ts'

type PageSession =
  | { kind: 'signed-in'; session: Session }
  /** `ended`: there was a session, which is over. */
  | { kind: 'signed-out'; ended: boolean }
  /** The session cannot be looked up. */
  | { kind: 'unavailable'; title: string; detail: string }

/** The visitor of a page. Pages show nothing of the leases themselves; every request to the API is checked again. */
export async function pageSession(): Promise<PageSession> {
  const { config, sessions, versions, log } = consoleContext()
  try {
    versions.throwIfUnknown()
  } catch (thrown) {
    return notReady(thrown as Error)
  }
  const id = sessionIdIn((await headers()).get('cookie'), config.publicUrl)
  if (id === null) return { kind: 'signed-out', ended: false }
  try {
    const session = await sessions.find(id)
    return session === null ? { kind: 'signed-out', ended: true } : { kind: 'signed-in', session }
  } catch (error) {
    log.warn({ error }, 'a page could not be authenticated')
    return {
      kind: 'unavailable',
      title: 'Cassandra does not answer',
      detail: 'Cassandra does not answer, so your session cannot be checked.',
    }
  }
}

const notReady = ({ message }: Error): PageSession => ({
  kind: 'unavailable',
  title: 'This console is not ready',
  detail: message,
})
