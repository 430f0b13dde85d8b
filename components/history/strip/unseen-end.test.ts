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

  it('leaves a time without a known holder, where another gap hides who came and went', () => {
    const minute = 60_000
    const events = [transition(5, 'acquired', 'a'), transition(9 * minute, 'acquired', 'c')]
    const gaps = [gap(minute, 2 * minute), gap(6 * minute, 8 * minute)]
    const source = { ...history(0, 10 * minute, events, { gaps }), holder: 'c' }
    const told = (more: object) => {
      const known = { ...source, ...more }
      // What the server tells of the second tenure hides that the first one ended.
      const first = { ...known, events: source.events.slice(1) }
      const withEnd = { ...known, events: [...source.events.slice(0, 1), ...withUnseenEnd(first)] }
      return spansOf(withEnd).map(({ kind, fromMs, owner }) => [kind, fromMs / minute, owner])
    }
    const ends = told({}).slice(2)
    expect(ends).toEqual([
      ['unknown', 1, null],
      ['unknown', 2, null],
      ['unknown', 6, null],
      ['free', 8, null],
      ['held', 9, 'c'],
    ])
    // Its renewals name who held it.
    const renewals = [2, 3, 4, 5].map((at) => renewal(at * minute, 'b'))
    expect(told({ renewals }).slice(2)).toEqual([
      ['unknown', 1, null],
      ['held', 2, 'b'],
      ['unknown', 6, 'b'],
      ['free', 8, null],
      ['held', 9, 'c'],
    ])
    // So does the end of its tenure, and the beginning of the next.
    const kinds = (second: Parameters<typeof transition>) => {
      const all = history(0, 10 * minute, [events[0] as never, transition(...second)], {
        gaps: [gaps[0] as never],
      })
      const first = { ...all, events: all.events.slice(1), holder: null }
      return spansOf({ ...all, events: [...all.events.slice(0, 1), ...withUnseenEnd(first)], holder: null })
        .slice(3)
        .map(({ kind, owner }) => [kind, owner])
    }
    expect(kinds([4 * minute, 'released', 'b'])).toEqual([
      ['held', 'b'],
      ['free', null],
    ])
    expect(kinds([4 * minute, 'changed-hands', 'c', 'b'])).toEqual([
      ['held', 'b'],
      ['held', 'c'],
    ])
    // Nothing hid it.
    expect(told({ notObserved: [gap(minute, 2 * minute)] }).slice(2)).toEqual([
      ['unknown', 1, null],
      ['free', 2, null],
      ['held', 9, 'c'],
    ])
  })
})
