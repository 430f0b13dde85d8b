import { describe, expect, it } from 'vitest'
import { spansOf, totalsOf } from './spans.ts'
import { gap, history, transition } from './test-history.ts'
import { toldEvents } from './unseen-beginning.ts'

const minute = 60_000
const iso = (ms: number) => new Date(ms).toISOString()
const renewal = (atMs: number, owner: string) => ({
  at: iso(atMs),
  owner,
  source: 'observed' as const,
  count: 5,
  exact: null,
  leastMarginMs: null,
})
/** `a` held it until the console ended; `b` holds it since before the console was there again. */
const source = {
  ...history(0, 20 * minute, [transition(minute, 'acquired', 'a')], { gaps: [gap(5 * minute, 8 * minute)] }),
  renewals: [renewal(9 * minute, 'b'), renewal(8 * minute, 'b'), renewal(4 * minute, 'a')],
  holder: 'b',
}
const told = (from: typeof source) => toldEvents(from).map(({ kind, owner }) => `${kind} ${owner}`)

describe('a tenure that began in a time that was not observed', () => {
  it('has a beginning in it, and is drawn from its end on', () => {
    expect(told(source)).toEqual(['acquired b', 'ended-unknown a', 'acquired a'])
    const events = toldEvents(source)
    expect(events[0]).toMatchObject({ notBefore: iso(5 * minute), source: 'observed', ttlSeconds: null })
    const drawn = { ...source, events }
    expect(spansOf(drawn).map(({ kind, owner, toMs }) => [kind, owner, toMs])).toEqual([
      ['none', null, minute],
      ['held', 'a', 5 * minute],
      ['unknown', null, 8 * minute],
      ['held', 'b', 20 * minute],
    ])
    expect(totalsOf(drawn).handOvers).toBe(1)
  })

  it('has one after the end of the tenure before that a read has seen', () => {
    const released = {
      ...source,
      events: [transition(4 * minute, 'released', 'a'), transition(minute, 'acquired', 'a')],
    }
    expect(told(released)).toEqual(['acquired b', 'released a', 'acquired a'])
  })

  it('has none without renewals of the holder: it may have come just now', () => {
    expect(told({ ...source, renewals: [renewal(4 * minute, 'a')] })).not.toContain('acquired b')
    expect(told({ ...source, holder: 'c' })).not.toContain('acquired c')
  })

  it('has none where all was observed, or an event has it', () => {
    expect(told({ ...source, notObserved: [] })).not.toContain('acquired b')
    const seen = {
      ...source,
      events: [transition(8 * minute + 5, 'acquired', 'b'), transition(minute, 'acquired', 'a')],
    }
    expect(told(seen).filter((each) => each === 'acquired b')).toHaveLength(1)
  })

  it('has none of a lease that is free, or whose holder is not known', () => {
    for (const holder of [null, undefined])
      expect(told({ ...source, holder } as never)).not.toContain('acquired b')
  })
})
