import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Renewals } from '../../../lib/contract/leases/history.ts'
import { binned, stripOf } from './beats.ts'
import { spansOf } from './spans.ts'
import { gap, history, transition } from './test-history.ts'

const second = 1000
const range = { fromMs: 0, toMs: 100 * second, bucketMs: 60 * second }

const exact = (owner: string, seconds: readonly number[]): Renewals => ({
  at: new Date(0).toISOString(),
  owner,
  source: 'library',
  count: seconds.length,
  exact: seconds.map((at) => ({
    at: new Date(at * second).toISOString(),
    marginMs: at === 70 ? 1900 : 18_000,
  })),
  leastMarginMs: 1900,
})

const tenure = [transition(0, 'acquired', 'a')]

describe('the renewal strip', () => {
  it('shows each missed beat of a rhythm', () => {
    const spans = spansOf(history(0, range.toMs, tenure))
    const strip = stripOf([exact('a', [10, 20, 30, 40, 70, 80, 90])], spans, range)
    expect(strip.beats).toHaveLength(7)
    expect(strip.missed.map(({ atMs }) => atMs)).toEqual([50 * second, 60 * second])
    expect(strip.leastMarginMs).toBe(1900)
    expect(strip.typicalMarginMs).toBe(18_000)
  })

  it('says of no beat that it was missed where it was not observed', () => {
    const source = history(0, range.toMs, tenure, { gaps: [gap(42 * second, 68 * second)] })
    expect(stripOf([exact('a', [10, 20, 30, 40, 70, 80, 90])], spansOf(source), range).missed).toEqual([])
  })

  it('keeps a rate a rate', () => {
    const observed: Renewals = {
      ...exact('a', []),
      source: 'observed',
      count: 4,
      exact: null,
      leastMarginMs: null,
    }
    const strip = stripOf([observed], spansOf(history(0, range.toMs, tenure)), range)
    expect(strip).toMatchObject({ beats: [], missed: [], leastMarginMs: null, typicalMarginMs: null })
    expect(strip.rates).toMatchObject([{ fromMs: 0, toMs: 60 * second, count: 4 }])
  })

  it('cuts a rate to its tenure, and says which are of the present one', () => {
    const rate = (owner: string, atMs: number): Renewals => ({
      at: new Date(atMs).toISOString(),
      owner,
      source: 'observed',
      count: 2,
      exact: null,
      leastMarginMs: null,
    })
    const events = [
      transition(10 * second, 'acquired', 'a'),
      transition(40 * second, 'released', 'a'),
      transition(70 * second, 'acquired', 'b'),
    ]
    const renewals = [rate('a', 0), rate('b', 60 * second), rate('unknown', 0)]
    const { rates } = stripOf(renewals, spansOf(history(0, range.toMs, events)), range)
    expect(rates).toMatchObject([
      { owner: 'unknown', fromMs: 0, toMs: 60 * second, isThisTerm: false },
      { owner: 'a', fromMs: 10 * second, toMs: 40 * second, isThisTerm: false },
      { owner: 'b', fromMs: 70 * second, toMs: range.toMs, isThisTerm: true },
    ])
  })

  it('loses no least margin when beats are put together', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 99_999 }), fc.nat(30_000)), { minLength: 1 }),
        (drawn) => {
          const beats = drawn.map(([atMs, marginMs]) => ({ atMs, marginMs, owner: 'a' }))
          const bins = binned(beats, 0, 100_000, 24)
          expect(Math.min(...bins.map(({ leastMs }) => leastMs))).toBe(
            Math.min(...beats.map(({ marginMs }) => marginMs)),
          )
          for (const { atMs } of beats)
            expect(bins.some(({ fromMs, toMs }) => fromMs <= atMs + 1e-6 && atMs < toMs + 1e-6)).toBe(true)
        },
      ),
      { seed: 12 },
    )
  })
})
