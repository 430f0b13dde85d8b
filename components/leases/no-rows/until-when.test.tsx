import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { LeaseView } from '../../../lib/client/view/lease-view.ts'
import type { Shown } from '../../../lib/client/watch/live-list.ts'
import { NoTrouble } from '../../attention/no-trouble.tsx'
import { NoMatch } from './no-match.tsx'

type Until = Pick<Shown, 'paused' | 'scan'> & { isStale?: boolean }

const scan = {
  endedAt: '2026-11-29T12:00:00.000Z',
  rows: 2,
  tookMs: 4,
  pauseMs: 2000,
  atMs: 0,
  isBehind: false,
}
const live: Until = { paused: null, scan }
const paused: Until = { paused: { sinceMs: 0, changes: 0 }, scan }
const behind: Until = { paused: null, scan: { ...scan, isBehind: true } }
const pausedBehind: Until = { ...paused, scan: behind.scan }
const view: LeaseView = {
  table: undefined,
  prefix: '',
  q: 'job',
  owner: '',
  states: [],
  sort: 'trouble',
  order: 'asc',
}

const textOf = (page: ReactElement): string =>
  renderToStaticMarkup(page)
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
const noTrouble = (until: Until) => textOf(createElement(NoTrouble, { ...until, table: undefined }))
const noMatch = (until: Until, states: LeaseView['states'] = []) =>
  textOf(createElement(NoMatch, { ...until, view: { ...view, states }, onClear: () => {} }))

it('a page without rows says so of now while it is live, and that rows come by themselves', () => {
  expect(noTrouble(live)).toMatch(
    /^No lease needs attention\.A lease that needs attention appears here by itself\./,
  )
  expect(noTrouble({ paused: null, scan: null })).toMatch(/^No lease needs attention\./)
  expect(noMatch(live)).toMatch(/^No lease matches job ?A matching lease appears here by itself\./)
})

it('paused, it says what was so then, and that nothing appears until it goes live', () => {
  for (const text of [noTrouble(paused), noMatch(paused), noMatch(paused, ['held'])]) {
    expect(text).toContain('when this page was paused')
    expect(text).toContain('Nothing appears here until you go live.')
    expect(text).not.toContain('by itself')
  }
  expect(noTrouble(paused)).toMatch(/^No lease needed attention when this page was paused\./)
  expect(noMatch(paused)).toMatch(/^No lease matched job when this page was paused/)
  expect(noMatch(paused, ['held'])).toMatch(/^No lease was held and matched job when this page was paused/)
})

it('on a scan that is behind, it says of when it knows, and that a lease may be missing', () => {
  for (const text of [noTrouble(behind), noMatch(behind)]) {
    expect(text).toContain('at the last scan')
    expect(text).toMatch(
      /The last scan of this table ended .*ago\. A lease that came since may be missing here\./,
    )
    expect(text).not.toContain('by itself')
  }
  expect(noTrouble(pausedBehind)).toContain('at the last scan')
  expect(noTrouble(pausedBehind)).toContain('Nothing appears here until you go live.')
})

it('while nothing is read, the page of what needs attention says of when it knows, and nothing of now', () => {
  for (const until of [live, paused, behind]) {
    const text = noTrouble({ ...until, isStale: true })
    expect(text).toMatch(
      /^No lease needed attention when this table was last read\.A lease that needs attention now would not be shown here\./,
    )
    expect(text).not.toContain('by itself')
  }
})
