import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { awaitingQuery, resignRequestsQuery } from '../../../lib/client/call/queries.ts'
import { testLease } from '../../../lib/client/row/test-lease.ts'
import type { Session } from '../../../lib/contract/people/session.ts'
import { SessionProvider } from '../../shell/session/session-context.tsx'
import { OthersSay } from './others-say.tsx'

const session = { username: 'ann', role: 'operator', via: 'password' } as Session
const lease = testLease({ owner: 'old' })
const requests = resignRequestsQuery(lease.name)

function shown(client: QueryClient): string {
  const said = createElement(OthersSay, { lease })
  const within = createElement(SessionProvider, { session, children: said })
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, within))
}

it('says that it could not be read what others asked, also while the read is tried again', async () => {
  const client = new QueryClient()
  client.setQueryData(awaitingQuery.queryKey, { releases: [], more: false, now: '2026-11-20T03:14:00.000Z' })
  client.setQueryData(requests.queryKey, [])
  expect(shown(client)).not.toContain('could not be read')
  client.removeQueries({ queryKey: requests.queryKey })
  expect(shown(client)).not.toContain('could not be read')
  const queryFn = () => Promise.reject(new Error('no answer'))
  await client.prefetchQuery({ queryKey: requests.queryKey, queryFn, retry: false })
  expect(shown(client)).toContain('What other people asked could not be read.')
})
