import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { LeaseHistory } from '../../lib/contract/leases/history.ts'
import { HistoryView } from './history-view.tsx'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 3, minute)).toISOString()
const empty: LeaseHistory = {
  table: 'leases',
  name: 'a',
  events: [],
  renewals: [],
  notObserved: [],
  before: null,
  recordedSince: at(0),
  recordedUntil: at(60),
  from: at(0),
  to: at(60),
  now: at(60),
  retentionSeconds: 604_800,
  nextCursor: null,
}
const said = (history: LeaseHistory) =>
  renderToStaticMarkup(
    createElement(HistoryView, { history, holder: null, isFree: true, range: '1h', canOpen: false }),
  ).replace(/<[^>]*>/g, ' ')

it('a history without events says what no read saw, not that nothing happened', () => {
  expect(said(empty)).toContain('No read saw a holder come or go.')
  expect(said(empty)).toContain('no tenure seen')
})
