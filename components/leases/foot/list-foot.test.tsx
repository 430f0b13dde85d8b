import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Session } from '../../../lib/contract/people/session.ts'
import { SessionProvider } from '../../shell/session/session-context.tsx'
import { ListFoot } from './list-foot.tsx'

const session: Session = {
  username: 'viewer-1',
  role: 'viewer',
  via: 'password',
  scope: null,
  elevatedUntil: null,
  expiresAt: '2026-11-21T15:00:00.000Z',
}

function said(isRead: boolean, asOfMs: number | null): string {
  const foot = createElement(ListFoot, { rows: [], isRead, offset: 0, matching: null, asOfMs, said: null })
  const page = createElement(
    QueryClientProvider,
    { client: new QueryClient() },
    createElement(SessionProvider, { session, children: foot }),
  )
  return renderToStaticMarkup(page).replace(/<[^>]*>/g, ' ')
}

it('says that there are no leases only when the table was read', () => {
  expect(said(true, null)).toContain('No leases.')
  expect(said(true, 0)).toContain('As last seen at')
})

it('before the first rows it says that they are read, or that none was', () => {
  expect(said(false, null)).toContain('Reading the leases…')
  expect(said(false, 0)).toContain('No lease was read yet.')
  expect(said(false, 0)).not.toContain('As last seen')
  expect(said(false, null) + said(false, 0)).not.toContain('No leases.')
})
