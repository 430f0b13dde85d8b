'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import type { Session } from '../../lib/contract/session.ts'
import { ElevationBadge } from '../elevation/elevation-badge.tsx'
import { listPath, tableParam } from '../leases/lease-link.ts'
import { Icon, Mark } from '../ui/icon.tsx'
import { AlarmStrip } from './alarm-strip.tsx'
import { PageLink } from './page-link.tsx'
import { TruthStrip } from './truth-strip.tsx'
import { useLost } from './use-connection.ts'
import { UserMenu } from './user-menu.tsx'
import { Watchman } from './watchman.tsx'

/** What stands round every page of somebody who is signed in. */
export function Shell({ session, children }: { session: Session; children: ReactNode }) {
  const lost = useLost()
  // The table stays the same wherever one goes.
  const list = listPath(tableParam(useSearchParams().get('table') ?? 'leases'))
  const atList = usePathname() === '/'
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
          <PageLink href={list} aria-current={atList ? 'page' : true}>
            <Icon name="list" />
            Leases
          </PageLink>
        </nav>
        <span className="push">
          <ElevationBadge />
          <UserMenu session={session} />
        </span>
      </header>
      {lost ? <AlarmStrip lost={lost} /> : <TruthStrip />}
      <main className="page" id="main" tabIndex={-1}>
        {children}
      </main>
      <Watchman />
    </>
  )
}
