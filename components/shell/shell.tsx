'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { endpoints } from '../../lib/contract/endpoints.ts'
import type { Session } from '../../lib/contract/people/session.ts'
import { AttentionCount } from '../attention/attention-count.tsx'
import { attentionPath } from '../attention/attention-link.ts'
import { ElevationBadge } from '../elevation/elevation-badge.tsx'
import { listPath, tableParam } from '../leases/address/lease-link.ts'
import { Palette } from '../palette/palette.tsx'
import { AwaitingMenu } from '../release-page/awaiting-menu.tsx'
import { Icon } from '../ui/control/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { PageLink } from './page-link.tsx'
import { may } from './session/may.ts'
import { SessionProvider, useSession } from './session/session-context.tsx'
import { UserMenu } from './session/user-menu.tsx'
import { AlarmStrip } from './truth/alarm-strip.tsx'
import { TitleAlarm } from './truth/browser-title.tsx'
import { DistrustStrip } from './truth/distrust-strip.tsx'
import { TruthStrip } from './truth/truth-strip.tsx'
import { useLost } from './truth/use-connection.ts'
import { Watchman } from './truth/watchman.tsx'

/** The frame of every page of a signed-in user. */
export function Shell({ session, children }: { session: Session; children: ReactNode }) {
  return (
    <SessionProvider session={session}>
      <Frame>{children}</Frame>
    </SessionProvider>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const session = useSession()
  const lost = useLost()
  // The table stays the same wherever one goes.
  const table = tableParam(useSearchParams().get('table') ?? 'leases')
  const list = listPath(table)
  const path = usePathname()
  const at = (place: string) => path === place || path.startsWith(`${place}/`)
  return (
    <>
      <a className="skip" href="#main">
        To the content
      </a>
      <header className="top">
        <PageLink className="brand" href={list}>
          <Mark />
          Leasehold
        </PageLink>
        <nav className="nav" aria-label="Main">
          <PageLink href={list} aria-current={path === '/' ? 'page' : at('/leases') || undefined}>
            <Icon name="list" />
            Leases
          </PageLink>
          <PageLink href={attentionPath(table)} aria-current={at('/attention') ? 'page' : undefined}>
            <Icon name="risk" />
            Attention
            <AttentionCount table={table} />
          </PageLink>
          <PageLink href="/lab" aria-current={at('/lab') ? 'page' : undefined}>
            <Icon name="lab" />
            Lab
          </PageLink>
          {may(session, endpoints.listAudit) && (
            <PageLink href="/audit" aria-current={at('/audit') ? 'page' : undefined}>
              <Icon name="audit" />
              Audit
            </PageLink>
          )}
          <PageLink href="/docs" aria-current={at('/docs') ? 'page' : undefined}>
            <Icon name="code" />
            API
          </PageLink>
          <PageLink href="/settings/account" aria-current={at('/settings') ? 'page' : undefined}>
            <Icon name="gear" />
            Settings
          </PageLink>
        </nav>
        <span className="push">
          <Palette table={table} />
          <AwaitingMenu session={session} />
          <ElevationBadge />
          <UserMenu session={session} />
        </span>
      </header>
      {lost ? <AlarmStrip lost={lost} /> : <TruthStrip />}
      <DistrustStrip />
      <main className="page" id="main" tabIndex={-1}>
        {children}
      </main>
      <Watchman />
      <TitleAlarm />
    </>
  )
}
