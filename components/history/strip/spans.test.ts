import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leaseEventKinds } from '../../../lib/contract/leases/event-kinds.ts'
import { spansOf, totalsOf } from './spans.ts'
import { gap, history, transition } from './test-history.ts'
import type { SpanSource } from './unseen-end.ts'

const shape = (source: SpanSource) =>
  spansOf(source).map(({ kind, fromMs, toMs, owner }) => `${kind} ${fromMs}-${toMs} ${owner ?? ''}`.trim())

describe('spans', () => {
  it('follow acquisition, release, hand-over and expiry', () => {
    const events = [
      transition(10, 'acquired', 'a'),
      transition(30, 'released', 'a'),
      transition(40, 'acquired', 'b', 'a'),
      transition(60, 'changed-hands', 'c', 'b'),
      transition(80, 'expired', 'c'),
    ]
    const source = history(0, 100, events)
    expect(shape(source)).toEqual([
      'none 0-10',
      'held 10-30 a',
      'free 30-40',
      'held 40-60 b',
      'held 60-80 c',
      'free 80-100',
    ])
    expect(totalsOf(source)).toEqual({
      heldMs: 60,
      leaderlessMs: 30,
      perhapsLeaderlessMs: 0,
      unknownMs: 0,
      withoutEventMs: 0,
      handOvers: 2,
    })
  })

  it('begin with the holder that the event before the time names', () => {
    const source = { ...history(50, 100, []), before: transition(10, 'acquired', 'a') }
    expect(shape(source)).toEqual(['held 50-100 a'])
    expect(spansOf(source)[0]?.beganAtMs).toBe(10)
  })

  it('say that the time before the records is not known', () => {
    const source = history(0, 100, [transition(60, 'acquired', 'a')], { recordedSince: 40 })
    expect(shape(source)).toEqual(['unknown 0-40', 'none 40-60', 'held 60-100 a'])
  })

  it('say that no tenure was there while it was observed, of a free lease without events', () => {
    const source = history(0, 100, [], { recordedSince: 40, gaps: [gap(0, 40), gap(60, 70)] })
    const free = { ...source, holder: null, isFree: true }
    expect(shape(free)).toEqual(['unknown 0-40', 'none 40-60', 'unknown 60-70', 'none 70-100'])
    expect(totalsOf(free)).toEqual({
      heldMs: 0,
      leaderlessMs: 0,
      perhapsLeaderlessMs: 50,
      unknownMs: 50,
      withoutEventMs: 0,
      handOvers: 0,
    })
    // It has a holder, or that is not known: the time was observed, and no event names its holder.
    for (const holder of ['a', undefined])
      expect(totalsOf({ ...source, holder })).toMatchObject({ unknownMs: 50, withoutEventMs: 50 })
  })

  it('keep a gap within a tenure, with its holder on both sides', () => {
    const source = history(0, 100, [transition(0, 'acquired', 'a')], { gaps: [gap(40, 60)] })
    expect(shape(source)).toEqual(['held 0-40 a', 'unknown 40-60 a', 'held 60-100 a'])
  })

  it('end a tenure in a time that was not observed, when its owner does not hold the lease after it', () => {
    const source = history(0, 100, [transition(0, 'acquired', 'a')], { gaps: [gap(20, 30), gap(40, 60)] })
    expect(shape({ ...source, holder: 'a' }).at(-1)).toBe('held 60-100 a')
    expect(shape({ ...source, holder: null })).toEqual([
      'held 0-20 a',
      'unknown 20-30',
      'unknown 30-40',
      'unknown 40-60',
      'free 60-100',
    ])
    const renewals = [
      {
        at: new Date(35).toISOString(),
        owner: 'a',
        source: 'observed',
        count: 1,
        exact: null,
        leastMarginMs: null,
      },
    ] as const
    expect(shape({ ...source, renewals: [...renewals], holder: null })).toEqual([
      'held 0-20 a',
      'unknown 20-30 a',
      'held 30-40 a',
      'unknown 40-60',
      'free 60-100',
    ])
    expect(shape({ ...source, holder: 'b' }).at(-1)).toBe('unknown 60-100')
    // Its end has not been recorded yet.
    expect(shape({ ...history(0, 100, [transition(0, 'acquired', 'a')]), holder: null })).toEqual([
      'held 0-100 a',
    ])
  })

  it('name no holder for a gap in which the holder changed', () => {
    const events = [transition(0, 'acquired', 'a'), transition(50, 'changed-hands', 'b', 'a')]
    expect(shape(history(0, 100, events, { gaps: [gap(40, 60)] }))).toEqual([
      'held 0-40 a',
      'unknown 40-60',
      'held 60-100 b',
    ])
  })

  it('leave a quarantine when it ends', () => {
    const events = [
      transition(0, 'acquired', 'a'),
      transition(20, 'broken', 'a'),
      transition(70, 'quarantine-ended', 'a'),
    ]
    expect(shape(history(0, 100, events))).toEqual(['held 0-20 a', 'quarantined 20-70', 'free 70-100'])
  })

  it('ignore the late end of a tenure after the next has begun', () => {
    const events = [
      transition(0, 'acquired', 'a'),
      transition(30, 'changed-hands', 'b', 'a'),
      transition(40, 'lost', 'a'),
    ]
    expect(shape(history(0, 100, events))).toEqual(['held 0-30 a', 'held 30-100 b'])
  })

  it('cover the time exactly once, whatever the events are, and gaps stay gaps', () => {
    const instants = fc.integer({ min: -50, max: 1050 })
    const events = fc.array(
      fc.tuple(instants, fc.constantFrom(...leaseEventKinds), fc.constantFrom('a', 'b', null)),
      { maxLength: 30 },
    )
    const gaps = fc.array(fc.tuple(instants, fc.integer({ min: 1, max: 300 })), { maxLength: 6 })
    const holders = fc.constantFrom('a', 'b', null, undefined)
    fc.assert(
      fc.property(events, gaps, fc.option(instants), holders, (drawn, blind, recordedSince, holder) => {
        const sorted = drawn
          .filter(([at]) => at >= 0 && at < 1000)
          .sort(([a], [b]) => a - b)
          .map(([at, kind, owner]) => transition(at, kind, owner))
        const known = history(0, 1000, sorted, {
          recordedSince,
          gaps: blind.map(([from, length]) => gap(from, from + length)),
        })
        const source = { ...known, holder }
        const spans = spansOf(source)
        let at = 0
        for (const span of spans) {
          expect(span.fromMs).toBe(at)
          expect(span.toMs).toBeGreaterThan(span.fromMs)
          at = span.toMs
          const isBlind = (ms: number) => blind.some(([from, length]) => from <= ms && ms < from + length)
          for (const ms of [span.fromMs, span.toMs - 1]) if (isBlind(ms)) expect(span.kind).toBe('unknown')
        }
        expect(at).toBe(1000)
        const totals = totalsOf(source)
        const before = spans.filter(({ kind }) => kind === 'none').map(({ fromMs, toMs }) => toMs - fromMs)
        const beforeMs = before.reduce((sum, ms) => sum + ms, 0)
        expect(totals.heldMs + totals.leaderlessMs + totals.unknownMs + totals.withoutEventMs).toBe(
          1000 - beforeMs,
        )
      }),
      { seed: 12, numRuns: 500 },
    )
  })

  it('are made of a day of 3,000 events, each tenure once', () => {
    const events = Array.from({ length: 3000 }, (_, i) =>
      transition(i * 28_800, i % 2 === 0 ? 'acquired' : 'released', `owner ${i >> 1}`),
    )
    const spans = spansOf(history(0, 86_400_000, events))
    expect(spans).toHaveLength(3000)
    expect(new Set(spans.filter(({ kind }) => kind === 'held').map(({ owner }) => owner)).size).toBe(1500)
  })
})
