import { describe, expect, it } from 'vitest'
import { spansOf } from './spans.ts'
import { gap, history, transition } from './test-history.ts'
import { withUnseenEnd } from './unseen-end.ts'

const iso = (ms: number) => new Date(ms).toISOString()
const renewal = (atMs: number, owner: string) => ({
  at: iso(atMs),
  owner,
  source: 'observed' as const,
  count: 1,
  exact: null,
  leastMarginMs: null,
})
const held = history(0, 100, [transition(5, 'acquired', 'a')], { gaps: [gap(20, 60)] })
const kinds = (source: typeof held) => withUnseenEnd(source).map(({ kind }) => kind)

describe('a tenure that ended in a time that was not observed', () => {
  it('has an end that no read shows, once the lease is known to be free or another’s', () => {
    for (const holder of [null, 'b']) {
      expect(withUnseenEnd({ ...held, holder })[0]).toMatchObject({
        kind: 'ended-unknown',
        owner: 'a',
        source: 'observed',
        at: iso(60),
        notBefore: iso(20),
        notAfter: iso(60),
      })
    }
    expect(kinds({ ...held, holder: null })).toEqual(['ended-unknown', 'acquired'])
  })

  it('ends in the first gap after which a whole TTL was observed without a sign of it', () => {
    const minute = 60_000
    const gaps = [gap(minute, 2 * minute), gap(6 * minute, 7 * minute), gap(9 * minute, 10 * minute)]
    const free = { ...history(0, 12 * minute, [transition(5, 'acquired', 'a')], { gaps }), holder: null }
    expect(withUnseenEnd(free)[0]).toMatchObject({ at: iso(2 * minute), notBefore: iso(minute) })
    const eternal = { ...free, events: free.events.map((event) => ({ ...event, ttlSeconds: null })) }
    expect(withUnseenEnd(eternal)[0]).toMatchObject({ at: iso(10 * minute), notBefore: iso(minute) })
  })

  it('has none while that is not known, or its owner holds the lease', () => {
    expect(kinds(held)).toEqual(['acquired'])
    expect(kinds({ ...held, holder: 'a' })).toEqual(['acquired'])
  })

  it('has none where no time was unobserved, or renewals show that it outlived it', () => {
    expect(kinds({ ...held, notObserved: [], holder: null })).toEqual(['acquired'])
    expect(kinds({ ...held, renewals: [renewal(70, 'a')], holder: null })).toEqual(['acquired'])
  })

  it('has none beside the end that an event tells of', () => {
    const ended = history(0, 100, [transition(5, 'acquired', 'a'), transition(80, 'released', 'a')], {
      gaps: [gap(20, 60)],
    })
    expect(kinds({ ...ended, holder: null })).toEqual(['released', 'acquired'])
  })

  it('has one in a table without owners when no row is there', () => {
    const ownerless = history(0, 100, [transition(5, 'acquired', null)], { gaps: [gap(20, 60)] })
    expect(kinds({ ...ownerless, holder: null })).toEqual(['acquired'])
    expect(kinds({ ...ownerless, holder: null, isFree: true })).toEqual(['ended-unknown', 'acquired'])
  })

  it('is known by the event before the time shown', () => {
    const before = transition(-50, 'acquired', 'a')
    expect(kinds({ ...history(0, 100, [], { gaps: [gap(20, 60)] }), before, holder: null })).toEqual([
      'ended-unknown',
    ])
  })

  it('is shown within the time shown, where that time is not observed until now', () => {
    const open = history(0, 100, [transition(5, 'acquired', 'a')], { gaps: [gap(20, 100)] })
    expect(Date.parse(withUnseenEnd({ ...open, holder: null })[0]?.at ?? '')).toBeLessThan(100)
  })

  it('leaves the lease free in a later time that has no sign of it', () => {
    const later = { ...history(0, 100, []), before: transition(-50, 'acquired', 'a') }
    expect(spansOf({ ...later, holder: null })).toMatchObject([{ kind: 'free', fromMs: 0, toMs: 100 }])
    expect(spansOf({ ...later, holder: 'b' })).toMatchObject([{ kind: 'unknown', why: 'no-event' }])
    expect(spansOf({ ...later, holder: 'a' })).toMatchObject([{ kind: 'held', owner: 'a' }])
  })
})
