import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { serverNow } from '../../../lib/client/call/call.ts'
import { libraryOwner, testLease } from '../../../lib/client/row/test-lease.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import type { LeaseDetail } from '../../../lib/contract/leases/lease.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import type { AskStage } from '../progress/ask-stage.ts'
import { headlineOf } from '../progress/headline.ts'
import { useAsked } from '../progress/use-asked.ts'
import { AskedOutcome } from './asked-outcome.tsx'
import { OtherOutcomeResult } from './other-outcome.tsx'
import { ReleaseResult } from './release-result.tsx'
import { OnPage } from './result-head.tsx'

const planned = testLease({ owner: 'old' })
const readAt = '2026-11-20T03:14:00.000Z'

function said(over: Partial<Release>): string {
  const release = { mode: 'kill', planned, current: null, currentReadAt: null, steps: [], ...over } as Release
  const headline = headlineOf(release, { of: 'none' })
  const result = createElement(OtherOutcomeResult, { release, headline })
  const text = renderToStaticMarkup(createElement(OnPage, { value: true }, result)).replace(/<[^>]*>/g, '')
  return `${headline.act}, ${headline.outcome}. ${text}`
}

describe('an outcome that is unknown', () => {
  it('says that the holder still holds the lease only where a read since the send showed it', () => {
    expect(said({ outcome: 'unknown', current: planned, currentReadAt: readAt })).toMatch(
      /The planned holder still holds the lease\. The delete may still take effect, but only on this holder\./,
    )
    const unread = said({ outcome: 'unknown' })
    expect(unread).toContain('Whether the delete took effect is not known: the lease could not be read.')
    expect(unread).not.toContain('still holds')
  })

  it('says who holds the lease where a read showed another holder, or none', () => {
    const taken = said({ outcome: 'unknown', current: testLease({ owner: 'next' }), currentReadAt: readAt })
    expect(taken).toMatch(
      /Whether the delete took effect is not known\. next held it when it was read again\./,
    )
    expect(said({ outcome: 'unknown', currentReadAt: readAt })).toContain('The lease was free')
  })
})

it('no outcome that follows an answer without effect says that the answer was lost, or never came', () => {
  for (const outcome of ['pending', 'unknown', 'superseded'] as const)
    expect(said({ outcome, currentReadAt: readAt })).not.toMatch(/answer/i)
  expect(said({ outcome: 'superseded', currentReadAt: readAt })).toContain(
    'Whether the delete took effect was not certain.',
  )
})

it('of a lease that was superseded no read from before that says who held it', () => {
  expect(said({ outcome: 'superseded', currentReadAt: readAt })).toContain('The lease was free')
  for (const read of [{}, { current: planned, currentReadAt: readAt }])
    expect(said({ outcome: 'superseded', ...read })).not.toMatch(/read again/)
})

it('a holder that was not released may have lost its value: not released is said of the holder alone', () => {
  expect(said({ outcome: 'not-released' })).toMatch(/The holder was not released/)
  expect(said({ outcome: 'not-released' })).not.toMatch(/Nothing was|did not take effect/)
})

describe('a request to resign', () => {
  const askedText = (stage: AskStage): string => {
    const release = { mode: 'ask', outcome: 'asked', planned, current: null, currentReadAt: null, steps: [] }
    const progress = { of: 'asked', stage, dueMs: null, renewedAt: null, isStale: false } as const
    const headline = headlineOf(release as unknown as Release, progress)
    const props = { release: release as unknown as Release, headline, progress, onPlan: null }
    const outcome = createElement(OnPage, { value: true }, createElement(AskedOutcome, props))
    return renderToStaticMarkup(outcome).replace(/<[^>]*>/g, '')
  }
  const soonMs = () => serverNow(pageNow()) + 36_000
  const lease = testLease({ owner: 'next' })

  it('never says that the holder did what it was asked: another program may have deleted the row', () => {
    const end = { how: 'released', goneAt: readAt, mayActUntilMs: soonMs() } as const
    for (const stage of [{ at: 'free', end } as const, { at: 'taken', lease, end } as const]) {
      const text = askedText(stage)
      expect(text).not.toMatch(/as asked|[Tt]he holder released|can acquire it now/)
      expect(text).toMatch(
        /old no longer holds the lease: it was released early, which is what a resignation looks like\. Leasehold cannot tell who released it\./,
      )
      expect(text).toMatch(
        /If another program released it, the old holder may still act until .* UTC.*, its latest deadline\./,
      )
    }
  })

  it('warns of the old holder for as long as it may act, however the lease ended', () => {
    const unseen = { how: 'unseen', mayActUntilMs: soonMs() } as const
    expect(askedText({ at: 'taken', lease, end: unseen })).toMatch(/was not seen.*may still act until/)
    const killed = { how: 'killed', mayActUntilMs: soonMs() } as const
    expect(askedText({ at: 'taken', lease, end: killed })).toMatch(/The killed holder may still act until/)
    expect(askedText({ at: 'free', end: { ...killed, mayActUntilMs: null } })).toMatch(
      /had no expiry.*may still act/,
    )
    for (const end of [
      { ...unseen, mayActUntilMs: 0 },
      { ...killed, mayActUntilMs: 0 },
    ])
      expect(askedText({ at: 'free', end })).not.toContain('may still act')
  })

  it('says that the holder still holds the lease only where a read since the request showed it', () => {
    expect(askedText({ at: 'waiting' })).toContain('old still holds the lease')
    const failed = askedText({ at: 'unread', hasFailed: true })
    expect(failed).toContain('The lease could not be read again yet. Until it is, it may be free or held.')
    for (const text of [failed, askedText({ at: 'unread', hasFailed: false }), askedText({ at: 'gone' })])
      expect(text).not.toMatch(/still holds|no answer yet|can read the request/)
    expect(askedText({ at: 'gone' })).toContain('old no longer holds the lease, and may still act.')
  })

  it('calls a break no kill', () => {
    const text = askedText({ at: 'free', end: { how: 'broken' } })
    expect(text).toContain('An operator broke the lease after the request.')
    expect(text).not.toContain('killed')
  })
})

describe('a request that a second person approved', () => {
  const at = (time: string) => `2026-11-29T19:${time}Z`
  const step = (what: string, time: string, ok = true) => ({ what, at: at(time), ok })
  const reRead = step('Holder re-read at SERIAL', '15:45.007')
  const written = [reRead, step('Request to resign written', '15:45.080')]
  const lost = [reRead, step('No answer', '15:47.080', false)]
  const nightly = testLease({ owner: libraryOwner, version: '1', writtenAt: at('15:11.914') })

  function saidOf(renewedAt: string, readAt: string, over: Partial<Release> = {}): string {
    const seen = { ...nightly, version: '2', writtenAt: at(renewedAt) }
    const asked = {
      id: 'r1',
      mode: 'ask',
      outcome: 'asked',
      planned: nightly,
      plannedAt: at('15:18.243'),
      requestedAt: at('15:23.566'),
      approval: { by: 'deputy', at: at('15:44.473'), reason: null, until: at('30:23.566') },
      renewedSincePlan: true,
      current: seen,
      steps: written,
      now: at('15:50.000'),
      ...over,
    } as Release
    const lease = { ...seen, read: { level: 'SERIAL', at: at(readAt) } } as LeaseDetail
    const reading = { held: true, sighting: { lease, now: at(readAt), arrivedAtMs: 0 } } as const
    const Asked = () => {
      const progress = { of: 'asked', ...useAsked(asked, reading, false), isStale: false } as const
      return createElement(AskedOutcome, {
        release: asked,
        headline: headlineOf(asked, progress),
        progress,
        onPlan: null,
      })
    }
    const page = createElement(OnPage, { value: true }, createElement(Asked))
    const queries = createElement(QueryClientProvider, { client: new QueryClient() }, page)
    return renderToStaticMarkup(queries).replace(/<[^>]*>/g, '')
  }

  it('was not there for a renewal after it was asked for, nor for one before it was surely written', () => {
    for (const renewedAt of ['15:40.688', '15:45.050'])
      expect(saidOf(renewedAt, '15:50.000')).not.toContain('after the request')
    expect(saidOf('15:45.090', '15:50.000')).toContain('after the request. No answer yet.')
    expect(saidOf('15:40.688', '15:50.000')).toContain('can read the request at its next renewal')
  })

  it('whose answer was lost is surely written when a read has found it', () => {
    const found = { steps: [...lost, step('A read found the request', '15:49.000')] }
    expect(saidOf('15:48.000', '15:50.000', found)).not.toContain('after the request')
    expect(saidOf('15:49.100', '15:50.000', found)).toContain('after the request')
    // Without that step it was there by the answer of the server that knows of it.
    const unsaid = { steps: lost, now: at('15:50.000') }
    expect(saidOf('15:49.100', '15:51.000', unsaid)).not.toContain('after the request')
  })

  it('is not unanswered before the holder could read it', () => {
    expect(saidOf('15:33.000', '15:50.000')).not.toContain('It may be a program that does not read requests')
    expect(saidOf('15:33.000', '15:57.600')).toContain('It may be a program that does not read requests')
  })
})

it('a lease that cannot be read is not said to be free or held now', () => {
  const lease = testLease({ owner: 'next' }) as LeaseDetail
  const seen = { lease, now: readAt, arrivedAtMs: 0 }
  const release = { mode: 'kill', outcome: 'released', planned, overlapMs: 0, steps: [], currentReadAt: null }
  const text = (isStale: boolean): string => {
    const props = {
      release: { ...release, current: null, now: readAt } as unknown as Release,
      progress: { of: 'released', known: 'now', owner: 'next', seen, isStale } as const,
      error: null,
      onPlan: null,
    }
    const result = createElement(OnPage, { value: true }, createElement(ReleaseResult, props))
    return renderToStaticMarkup(result).replace(/<[^>]*>/g, '')
  }
  expect(text(false)).toMatch(/now held by next.*confirmed/)
  expect(text(true)).toMatch(/last seen held by next.*stale .*The lease cannot be read now\./)
  expect(text(true)).not.toMatch(/now held by|confirmed/)
})
