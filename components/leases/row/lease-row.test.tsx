import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { nextRow } from '../../../lib/client/row/row-board.ts'
import { sightingAt } from '../../../lib/client/row/test-lease.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import type { Session } from '../../../lib/contract/people/session.ts'
import { SessionProvider } from '../../shell/session/session-context.tsx'
import { LeaseRow } from './lease-row.tsx'

const session: Session = {
  username: 'operator-1',
  role: 'operator',
  via: 'password',
  scope: null,
  elevatedUntil: null,
  expiresAt: '2026-11-21T15:00:00.000Z',
}

/** The last cell of a row: what can be done to its lease. */
function act(over: Partial<Lease>): string {
  const html = markup(over)
  return html.slice(html.indexOf('class="act"'))
}

function markup(over: Partial<Lease>): string {
  const row = createElement(LeaseRow, {
    row: { ...nextRow(sightingAt(0, over), undefined), reading: { atMs: 0 } },
    index: 0,
    isAlike: false,
    cursor: false,
    isStop: true,
    still: null,
    lock: null,
    onRelease: () => {},
    onOpen: () => {},
    onFocus: () => {},
    register: () => {},
  })
  return renderToStaticMarkup(
    createElement(
      QueryClientProvider,
      { client: new QueryClient() },
      createElement(SessionProvider, { session, children: row }),
    ),
  )
}

it.each(['.', 'x'.repeat(513)])(
  'a row that no URL can name has no link and no button, and says why: %s',
  (name) => {
    const html = markup({ name })
    expect(html).toContain('cannot be opened')
    expect(html).not.toContain('href=')
    expect(html).not.toContain('Release…')
  },
)

describe('the button of a row', () => {
  it('releases a lease that is held', () => {
    expect(act({})).toContain('Release…')
    expect(act({})).not.toContain('aria-disabled')
  })

  it.each([
    ['zombie', null, 'it has no owner'],
    ['quarantined', '!quarantine:1', 'it is quarantined until its old holder must have stopped'],
  ] as const)('is locked where the lease is %s, as on its page, and says why', (state, owner, why) => {
    const html = act({ state, owner })
    expect(html).toContain('aria-disabled="true"')
    expect(html).toContain(`title="Locked: ${why}"`)
    expect(html).toContain(`<span class="vh"> a: ${why}</span>`)
    expect(html).not.toContain('Release…')
  })
})
