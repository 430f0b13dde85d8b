/** The search, on histories that one lease could have given, and on the same ones with a lie. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Action, judge, type RegisterOperation } from './register.ts'

const operation = (
  action: Action,
  [fromMs, untilMs]: readonly [number, number],
  happened = true,
): RegisterOperation => ({ action, fromMs, untilMs, happened, source: {} })
const take = (owner: string): Action => ({ does: 'take', owner })
const drop = (owner: string): Action => ({ does: 'drop', owner })
const mark = (owner: string): Action => ({ does: 'mark', owner })
const show = (owner: string | null): Action => ({ does: 'show', owner })
const sure = (action: Action, fromMs: number, untilMs: number) => operation(action, [fromMs, untilMs])
const maybe = (action: Action, fromMs: number, untilMs = Number.POSITIVE_INFINITY) =>
  operation(action, [fromMs, untilMs], false)

const never = { mayExpire: () => false, skewMs: 0 }
const always = { mayExpire: () => true, skewMs: 0 }
const apart = { ...always, skewMs: 10 }
const kindOf = (all: RegisterOperation[], rules = never) => judge(all, rules).kind

describe('one lease could have given', () => {
  it.each<[string, RegisterOperation[], typeof never]>([
    ['no operation', [], never],
    ['two tenures', [sure(take('a'), 0, 1), sure(drop('a'), 2, 3), sure(take('b'), 4, 5)], never],
    ['a tenure behind one that expired', [sure(take('a'), 0, 1), sure(take('b'), 4, 5)], always],
    [
      'two at once, in the order that fits',
      [sure(take('a'), 0, 9), sure(take('b'), 1, 2), sure(drop('b'), 3, 4)],
      never,
    ],
    ['a read during a write: before it', [sure(take('a'), 0, 9), sure(show(null), 1, 2)], never],
    ['a read during a write: after it', [sure(take('a'), 0, 9), sure(show('a'), 1, 2)], never],
    ['an unknown acquisition that took effect', [maybe(take('a'), 0), sure(show('a'), 5, 6)], never],
    ['an unknown acquisition that took none', [maybe(take('a'), 0), sure(take('b'), 5, 6)], never],
    [
      'an unknown acquisition that takes effect late',
      [maybe(take('a'), 0), sure(show(null), 5, 6), sure(show('a'), 7, 8)],
      never,
    ],
    ['an unknown release', [sure(take('a'), 0, 1), maybe(drop('a'), 2), sure(show(null), 5, 6)], never],
    [
      'a release that ended before it was needed',
      [sure(take('a'), 0, 1), maybe(drop('a'), 2, 3), sure(show(null), 5, 6)],
      never,
    ],
    ['a quarantine', [sure(take('a'), 0, 1), maybe(mark('!q'), 2, 3), sure(show('!q'), 5, 6)], never],
    [
      'an unknown release and an unknown acquisition, one after the other',
      [sure(take('a'), 0, 1), maybe(drop('a'), 2), maybe(take('b'), 2), sure(show('b'), 5, 6)],
      never,
    ],
    [
      'a row that one node shows as expired, and then another shows once more',
      [sure(take('a'), 0, 1), sure(show(null), 2, 3), sure(show('a'), 9, 14), sure(show(null), 15, 16)],
      apart,
    ],
  ])('%s', (_, all, rules) => {
    expect(kindOf(all, rules)).toBe('possible')
  })
})

describe('no lease could have given', () => {
  it.each<[string, RegisterOperation[], typeof never]>([
    ['two tenures at once', [sure(take('a'), 0, 1), sure(take('b'), 4, 5)], never],
    ['a tenure that a later read does not show', [sure(take('a'), 0, 1), sure(show(null), 4, 5)], never],
    ['a stale read', [sure(take('a'), 0, 1), sure(drop('a'), 2, 3), sure(show('a'), 4, 5)], always],
    ['an owner without an acquisition', [sure(show('a'), 0, 1)], always],
    [
      'an acquisition that took effect before it was called',
      [sure(show('a'), 0, 1), maybe(take('a'), 2)],
      always,
    ],
    [
      'an acquisition that took effect after it had failed',
      [maybe(take('a'), 0, 1), sure(show(null), 2, 3), sure(show('a'), 4, 5)],
      never,
    ],
    [
      'one unknown acquisition that takes effect twice',
      [maybe(take('a'), 0), sure(show('a'), 1, 2), sure(show(null), 3, 4), sure(show('a'), 5, 6)],
      always,
    ],
    [
      'a row that comes back later than clocks were apart',
      [sure(take('a'), 0, 1), sure(show(null), 2, 3), sure(show('a'), 14, 15)],
      apart,
    ],
    [
      'a row that comes back again and again, beyond the time that clocks were apart',
      [
        sure(take('a'), 0, 1),
        ...[2, 6, 10].flatMap((at) => [sure(show(null), at, at + 1), sure(show('a'), at + 2, at + 3)]),
        sure(show(null), 14, 15),
        sure(show('a'), 16, 17),
      ],
      apart,
    ],
    [
      'a row that comes back over a new one',
      [sure(take('a'), 0, 1), sure(take('b'), 2, 3), sure(show('a'), 4, 5)],
      apart,
    ],
    [
      'a row that comes back after its release',
      [sure(take('a'), 0, 1), sure(drop('a'), 2, 3), sure(show('a'), 4, 5)],
      apart,
    ],
    [
      'a release of a lease that its owner did not hold',
      [sure(take('a'), 0, 1), sure(drop('b'), 2, 3)],
      always,
    ],
  ])('%s', (_, all, rules) => {
    expect(kindOf(all, rules)).toBe('impossible')
  })

  it('and the first answer that does not fit is named, with what was possible before it', () => {
    const wrong = sure(take('b'), 4, 5)
    const all = [sure(take('a'), 0, 1), wrong, sure(show('b'), 6, 7)]
    expect(judge(all, never)).toEqual({ kind: 'impossible', at: wrong, states: ['a'] })
  })
})

it('gives up, and says so, when too many orders are possible', () => {
  const unknowns = Array.from({ length: 18 }, (_, i) => [
    maybe(take(`a${i}`), 0, 100 + i),
    maybe(drop(`a${i}`), 0, 100 + i),
  ])
  expect(kindOf(unknowns.flat(), always)).toBe('undecided')
})

describe('histories of a register that was simulated', () => {
  /** At each moment one action takes effect; its call and its answer lie around it, and some answers are lost. */
  const simulated = fc
    .array(
      fc.record({
        does: fc.constantFrom('take', 'drop', 'mark', 'show', 'expire'),
        before: fc.integer({ min: 0, max: 25 }),
        after: fc.integer({ min: 0, max: 25 }),
        lost: fc.boolean(),
      }),
      { maxLength: 40 },
    )
    .map((steps) => {
      let owner: string | null = null
      const all: RegisterOperation[] = []
      for (const [i, { does, before, after, lost }] of steps.entries()) {
        let action: Action | undefined
        if (does === 'show') action = show(owner)
        else if (does === 'take' && owner === null) action = take(`o${i}`)
        else if (does === 'drop' && owner !== null) action = drop(owner)
        else if (does === 'mark' && owner !== null) action = mark(`!o${i}`)
        if (action === undefined && does === 'expire') owner = null
        if (action === undefined) continue
        const isWrite = action.does !== 'show'
        if (isWrite) owner = action.does === 'drop' ? null : action.owner
        const atMs = i * 10
        all.push(lost && isWrite ? maybe(action, atMs - before) : sure(action, atMs - before, atMs + after))
      }
      return all
    })

  it('are possible', () => {
    fc.assert(
      fc.property(simulated, (all) => {
        expect(kindOf(all, always)).toBe('possible')
      }),
      { seed: 14, numRuns: 500 },
    )
  })

  it('are impossible with an answer that names an owner who never came', () => {
    fc.assert(
      fc.property(simulated, fc.integer({ min: 0, max: 400 }), (all, atMs) => {
        expect(kindOf([...all, sure(show('stranger'), atMs, atMs + 1)], always)).toBe('impossible')
      }),
      { seed: 14, numRuns: 200 },
    )
  })
})
