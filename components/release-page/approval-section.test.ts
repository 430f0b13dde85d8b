import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { testLease } from '../../lib/client/row/test-lease.ts'
import type { Session } from '../../lib/contract/people/session.ts'
import type { Release } from '../../lib/contract/releases/release.ts'
import { SessionProvider } from '../shell/session/session-context.tsx'
import { ApprovalSection } from './approval-section.tsx'

const session: Session = {
  username: 'operator-1',
  role: 'operator',
  via: 'password',
  scope: null,
  elevatedUntil: null,
  expiresAt: '2026-11-21T15:00:00.000Z',
}

it('a page whose session was not read again yet knows whose request it is', () => {
  const shown = (plannedBy: string) => {
    const release = { id: 'release-1', mode: 'ask', plannedBy, planned: testLease() } as Release
    const section = createElement(ApprovalSection, { release })
    return renderToStaticMarkup(
      createElement(
        QueryClientProvider,
        { client: new QueryClient() },
        createElement(SessionProvider, { session, children: section }),
      ),
    )
  }
  expect(shown('operator-1')).toContain('You cannot approve your own request.')
  expect(shown('operator-1')).toContain('Withdraw')
  expect(shown('operator-2')).toContain('Approve: ')
})
