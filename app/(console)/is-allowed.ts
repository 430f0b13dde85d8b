import { may } from '../../components/shell/session/may.ts'
import type { Route } from '../../lib/contract/routes.ts'
import { currentSession } from './current-session.ts'

/**
 * Whether the visitor may call the route that a page shows. While Cassandra cannot say who the visitor is, the page is
 * drawn: it holds nothing, and the route itself decides.
 */
export async function isAllowed(route: Pick<Route, 'permission'>): Promise<boolean> {
  const found = await currentSession()
  return found.kind !== 'signed-in' || may(found.session, route)
}
