import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { nextRow } from '../../lib/client/row/row-board.ts'
import { sightingAt } from '../../lib/client/row/test-lease.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import type { Session } from '../../lib/contract/people/session.ts'
import { SessionProvider } from '../shell/session/session-context.tsx'
import { LeaseHead } from './lease-head.tsx'

/** What keys the button of the release says that it has; null: there is no such button. */
function releaseKeys(
  role: string,
  { lock = null, ...lease }: Partial<Lease> & { lock?: string | null } = {},
) {
  const session = { username: 'u', role, elevatedUntil: null } as unknown as Session
  const row = { ...nextRow(sightingAt(0, lease), undefined), reading: { atMs: 0 } }
  const head = createElement(LeaseHead, {
    name: 'a',
    table: undefined,
    row,
    still: null,
    lock,
    readOnly: false,
    onRelease: () => {},
  })
  const html = renderToStaticMarkup(
    createElement(QueryClientProvider, {
      client: new QueryClient(),
      children: createElement(SessionProvider, { session, children: head }),
    }),
  )
  const button = /<button[^>]*>(?=(?:<svg.*?<\/svg>)?Release)/.exec(html)?.[0]
  return button === undefined ? null : (/aria-keyshortcuts="(.*?)"/.exec(button)?.[1] ?? '')
}

it('r presses the release of the page, where the role may and nothing locks it', () => {
  expect(releaseKeys('operator')).toBe('r')
  expect(releaseKeys('operator', { lock: 'no quorum' })).toBe('')
  expect(releaseKeys('operator', { state: 'zombie', owner: null })).toBe('')
  expect(releaseKeys('viewer')).toBeNull()
})
