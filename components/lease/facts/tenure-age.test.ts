import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ApiError } from '../../../lib/client/call/api-error.ts'
import { leaseHistoryQuery, termQuery } from '../../../lib/client/call/queries.ts'
import { nextRow } from '../../../lib/client/row/row-board.ts'
import { sightingAt } from '../../../lib/client/row/test-lease.ts'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import { historyRanges, rangeOf } from '../../history/history-range.ts'
import { TenureAge } from './tenure-age.tsx'

const row = nextRow(sightingAt(0), undefined)
const { name, owner } = row.lease
const shown = { ...row, lease: { ...row.lease, heldSince: null }, reading: { atMs: 0 } } as unknown as LiveRow

function said(client: QueryClient): string {
  const age = createElement(TenureAge, { row: shown, stale: false })
  const page = createElement(QueryClientProvider, { client }, age)
  return renderToStaticMarkup(
    createElement(SearchParamsContext.Provider, { value: new URLSearchParams() }, page),
  ).replace(/<[^>]*>/g, '')
}

const readHistory = (client: QueryClient) =>
  client.setQueryData(leaseHistoryQuery(name, undefined, historyRanges[rangeOf(null)]).queryKey, {
    events: [],
    before: [],
    notObserved: [],
  } as never)

it('says that it is not known since when a lease is held only when its term and its history were read', () => {
  const client = new QueryClient()
  expect(said(client)).toBe('…')
  client.setQueryData(termQuery(name, owner).queryKey, { leader: owner, term: null, since: null } as never)
  expect(said(client)).toBe('…')
  readHistory(client)
  expect(said(client)).toBe('not known: since before it was watched')
})

it('a read of the term that failed leaves open since when a lease is held; a table that has no leaders does not', async () => {
  // As on a page that is open: its first drawing would begin another read.
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } })
  readHistory(client)
  const fail = (error: Error) =>
    client.prefetchQuery({ ...termQuery(name, owner), queryFn: () => Promise.reject(error) })
  await fail(new Error('no answer'))
  expect(said(client)).toBe('…')
  await fail(new ApiError({ code: 'bad-request', status: 400 }))
  expect(said(client)).toBe('not known: since before it was watched')
})
