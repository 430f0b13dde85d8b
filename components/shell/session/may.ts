import type { Endpoint } from '../../../lib/contract/endpoints.ts'
import type { Session } from '../../../lib/contract/people/session.ts'
import { refusalOf } from '../../../lib/contract/permission.ts'

/**
 * Whether the user may call a route, if need be after an elevation, and so whether the page offers it. Only for
 * showing; the server decides again.
 */
export function may(session: Session, { permission }: Pick<Endpoint, 'permission'>): boolean {
  // Whether an elevation is still good does not matter here, and so neither does the time.
  const refusal = refusalOf(permission, session, { nowMs: 0 })
  return refusal === null || refusal === 'elevation'
}
