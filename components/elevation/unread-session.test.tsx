/** A page says of an elevation what the server knew when it made the page, or nothing, until it has read the session. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Session } from '../../lib/contract/people/session.ts'
import { ElevationLine } from '../release/plan/elevation-line.tsx'
import { AccountFacts } from '../settings/account-facts.tsx'
import { SessionProvider } from '../shell/session/session-context.tsx'

function said(children: ReactNode, elevatedUntil: string | null): string {
  const session: Session = {
    username: 'operator-1',
    role: 'operator',
    via: 'password',
    scope: null,
    elevatedUntil,
    expiresAt: null,
  }
  const page = createElement(
    QueryClientProvider,
    { client: new QueryClient() },
    createElement(SessionProvider, { session, children }),
  )
  return renderToStaticMarkup(page).replace(/<[^>]*>/g, ' ')
}

it('an elevated operator is not asked for a password that the page has not read as confirmed', () => {
  const line = createElement(ElevationLine, { needs: 'Needed to break.', about: null })
  const elevated = said(line, '2026-11-21T03:22:49.000Z')
  expect(elevated).toContain('Your password is confirmed: valid until')
  expect(elevated).not.toContain('Confirm your password first.')
  expect(said(line, null)).toContain('Confirm your password first.')
})

it('the account does not say that there is no elevation', () => {
  expect(said(createElement(AccountFacts), '2026-11-21T03:22:49.000Z')).not.toContain('none')
})
