'use client'

import { Menu } from '@base-ui/react/menu'
import { useQuery } from '@tanstack/react-query'
import { awaitingQuery } from '../../lib/client/queries.ts'
import { releasePath } from '../../lib/contract/path.ts'
import type { Session } from '../../lib/contract/people/session.ts'
import { routes } from '../../lib/contract/routes.ts'
import { modeLooks } from '../release/mode-look.ts'
import { may } from '../shell/may.ts'
import { PageLink } from '../shell/page-link.tsx'
import { Icon } from '../ui/icon.tsx'
import { NameText } from '../ui/name-text.tsx'

/** In the header, for operators: the releases that wait for a second person. Absent while there are none. */
export function AwaitingMenu({ session }: { session: Session }) {
  const mayApprove = may(session, routes.listReleases)
  const releases = useQuery({ ...awaitingQuery, enabled: mayApprove }).data ?? []
  if (!mayApprove || releases.length === 0) return null
  return (
    <Menu.Root>
      <Menu.Trigger className="waits">
        <Icon name="person" />
        <span>
          {releases.length} {releases.length === 1 ? 'waits' : 'wait'}
          <span className="x-wide"> for approval</span>
        </span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={6} className="z-10">
          <Menu.Popup className="menu">
            <div className="lab" aria-hidden="true">
              Waiting for a second person
            </div>
            {releases.map((release) => (
              <Menu.Item key={release.id} render={<PageLink href={releasePath(release.id)} />}>
                <Icon name={modeLooks[release.mode ?? 'ask'].icon} />
                <span className="min-w-0">
                  {modeLooks[release.mode ?? 'ask'].noun}{' '}
                  <span className="mono">
                    <NameText name={release.planned.name} />
                  </span>
                  <span className="small mut block">
                    {release.plannedBy === session.username ? 'you' : release.plannedBy}: {release.reason}
                  </span>
                </span>
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
