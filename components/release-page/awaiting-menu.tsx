'use client'

import { useQuery } from '@tanstack/react-query'
import { awaitingQuery } from '../../lib/client/call/queries.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import type { Session } from '../../lib/contract/people/session.ts'
import { may } from '../shell/session/may.ts'
import { laterBehind } from '../ui/control/later.tsx'
import { AwaitingButton } from './awaiting-button.tsx'

const Menu = laterBehind(
  AwaitingButton,
  async () => (await import('./awaiting-menu-open.tsx')).AwaitingMenuOpen,
)

/** In the header, for operators: the releases that wait for a second person. Absent while there are none. */
export function AwaitingMenu({ session }: { session: Session }) {
  const mayApprove = may(session, endpoints.listReleases)
  const awaiting = useQuery({ ...awaitingQuery, enabled: mayApprove }).data
  if (!mayApprove || awaiting === undefined) return null
  // Where the newest wait no more, older ones still may.
  if (awaiting.releases.length === 0 && !awaiting.more) return null
  return <Menu session={session} releases={awaiting.releases} more={awaiting.more} />
}
