'use client'

import { Menu } from '@base-ui/react/menu'
import { releasePath } from '../../lib/contract/path.ts'
import { modeLooks } from '../release/modes/mode-look.ts'
import { PageLink } from '../shell/page-link.tsx'
import { Icon } from '../ui/control/icon.tsx'
import type { Early } from '../ui/control/later.tsx'
import { NameText } from '../ui/text/name-text.tsx'
import { AwaitingButton, type AwaitingProps } from './awaiting-button.tsx'

/** The releases that wait for a second person, each with its reason. */
export function AwaitingMenuOpen({ session, releases, more, isPressed }: AwaitingProps & Early) {
  return (
    <Menu.Root defaultOpen={isPressed}>
      <Menu.Trigger render={<AwaitingButton session={session} releases={releases} more={more} />} />
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
            {more && (
              <div className="lab">
                Only the newest are shown. Older ones are on the pages of their leases.
              </div>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
