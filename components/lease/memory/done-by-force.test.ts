import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { libraryOwner, testLease } from '../../../lib/client/row/test-lease.ts'
import type { ListedLease } from '../../../lib/client/watch/live-board.ts'
import type { LeaseRelease } from '../../../lib/contract/releases/lease-release.ts'
import { What } from './done-by-force.tsx'

const at = (seconds: number) =>
  new Date(Date.parse('2026-11-20T03:14:00.000Z') + seconds * 1000).toISOString()
const kill: LeaseRelease = {
  id: 'release-1',
  mode: 'kill',
  outcome: 'released',
  owner: 'svc-a',
  by: 'ann',
  approvedBy: null,
  reason: null,
  requestedAt: at(0),
  doneAt: at(1),
  safeAt: at(37),
}
const row = (writtenAt: number, over: Partial<ListedLease> = {}): ListedLease => ({
  ...testLease({ owner: 'svc-a', writtenAt: at(writtenAt), read: { level: 'SERIAL', at: at(writtenAt) } }),
  ...over,
})
function said(release: LeaseRelease, holder: ListedLease | null, ended?: LeaseRelease): string {
  const what = createElement(What, { release, holder, past: false, isSaid: false, ended })
  return renderToStaticMarkup(what).replace(/<[^>]*>/g, '')
}

it('of a killed owner that acquired the lease again it says both: that it holds it, and until when the killed one may act', () => {
  expect(said(kill, row(5))).toMatch(
    /^svc-a holds it again: a holder with this owner id acquired the lease after the kill\. The killed holder may act until .* UTC/,
  )
})

it('never says that a killed owner still holds the lease: the page has not read it since', () => {
  expect(said(kill, row(-5))).toMatch(/^svc-a held the lease, and may act until/)
  expect(said({ ...kill, outcome: 'unknown', doneAt: null }, row(-5))).toBe('svc-a holds the lease.')
})

it('says that the asked holder has not resigned only where it cannot be a later one of the same id', () => {
  const ask: LeaseRelease = { ...kill, mode: 'ask', outcome: 'asked', safeAt: null }
  expect(said(ask, row(5))).toMatch(/^svc-a holds the lease, still or again\./)
  expect(said(ask, row(5, { heldSince: at(4) }))).toMatch(/^svc-a holds the lease, still or again\./)
  expect(said(ask, row(5, { heldSince: at(-60) }))).toMatch(/^The holder has not resigned\./)
  expect(said({ ...ask, owner: libraryOwner }, row(5, { owner: libraryOwner }))).toMatch(
    /^The holder has not/,
  )
  // An end of the same id may have been of a later tenure: whether the asked one resigned is not said.
  expect(said(ask, null, kill)).toBe('svc-a held the lease when it was killed.')
})
