/** The checker, on histories that are true, and on the same ones with one lie each: every law finds its own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Arrival, History, Numbers, Operation, Report, Sighting } from './history.ts'
import { falsehoods, ghosts } from './laws.ts'

const name = 'job'
const ttlSeconds = 5
type Written = { -readonly [K in keyof History]: History[K] extends readonly (infer T)[] ? T[] : History[K] }

const operation = (
  mark: string,
  kind: Operation['kind'],
  owner: string | null,
  [calledMs, returnedMs]: [number, number],
  report: Report,
  value: string | null = null,
): Operation => ({ mark, client: 'c', kind, name, owner, ttlSeconds, value, calledMs, returnedMs, report })
const seen = (
  owner: string | null,
  version: bigint | null,
  sentMs: number,
  value: string | null = null,
): Sighting => ({
  name,
  owner,
  version,
  value,
  sentMs,
  answeredMs: sentMs + 10,
})
const arrival = (
  kind: Arrival['kind'],
  owner: string,
  atMs: number,
  value: string | null = null,
): Arrival => ({
  kind,
  name,
  owner,
  value,
  atMs,
  answeredMs: atMs + 5,
})

/** Ann acquires, renews twice, releases; Bob is refused meanwhile, then acquires, is killed, and learns of it. */
const truth = (): Written => ({
  operations: [
    operation('a1', 'acquire', 'ann', [100, 200], { kind: 'acquired', token: 10n, deadlineMs: 4_100 }, 'a1'),
    operation('a2', 'acquire', null, [300, 400], { kind: 'held', owner: 'ann' }, 'a2'),
    operation('r1', 'renew', 'ann', [1_000, 1_100], { kind: 'renewed', deadlineMs: 5_000 }, 'r1'),
    operation('r2', 'renew', 'ann', [2_000, 2_100], { kind: 'renewed', deadlineMs: 6_000 }, 'r2'),
    operation('d1', 'release', 'ann', [3_000, 3_100], { kind: 'released', certain: true }),
    operation(
      'a3',
      'acquire',
      'bob',
      [3_200, 3_300],
      { kind: 'acquired', token: 20n, deadlineMs: 7_200 },
      'a3',
    ),
    operation('k1', 'kill', 'bob', [4_000, 4_100], { kind: 'killed' }),
    operation('r3', 'renew', 'bob', [4_500, 4_600], { kind: 'lost', why: 'not-holder', owner: null }, 'r3'),
    operation('a4', 'acquire', null, [4_700, 4_800], { kind: 'store-unavailable' }, 'a4'),
  ],
  sightings: [
    seen('ann', 10n, 210, 'a1'),
    seen('ann', 11n, 1_110, 'r1'),
    seen('ann', 12n, 2_110, 'r2'),
    seen(null, null, 3_110),
    seen('bob', 20n, 3_310, 'a3'),
    seen(null, null, 4_110),
    seen(null, null, 30_000),
  ],
  arrivals: [
    arrival('acquire', 'ann', 110, 'a1'),
    arrival('acquire', 'cat', 310, 'a2'),
    arrival('renew', 'ann', 1_010, 'r1'),
    arrival('renew', 'ann', 2_010, 'r2'),
    arrival('release', 'ann', 3_010),
    arrival('acquire', 'bob', 3_210, 'a3'),
    arrival('release', 'bob', 4_010),
    arrival('renew', 'bob', 4_510, 'r3'),
  ],
  numbers: [
    { sequence: 's', client: 'c', first: 1n, last: 5n, single: false, calledMs: 0, returnedMs: 10 },
    { sequence: 's', client: 'd', first: 6n, last: 6n, single: true, calledMs: 20, returnedMs: 30 },
    { sequence: 's', client: 'd', first: 9n, last: 9n, single: true, calledMs: 40, returnedMs: 50 },
  ],
  terms: [
    { group: 'g', term: 1n, token: 7n },
    { group: 'g', term: 2n, token: 8n },
  ],
  nextFree: new Map([['s', 10n]]),
})

const laws = (history: History) => [...new Set(falsehoods(history).map(({ law }) => law))]
/** The truth, with another report of one operation. */
function reporting(mark: string, report: Report): Written {
  const history = truth()
  history.operations = history.operations.map((each) => (each.mark === mark ? { ...each, report } : each))
  return history
}
function and(change: (history: Written) => void): Written {
  const history = truth()
  change(history)
  return history
}
const without = (mark: string) =>
  and((history) => {
    history.operations = history.operations.filter((each) => each.mark !== mark)
  })
const number = (first: bigint, last: bigint, calledMs: number, single = false): Numbers => ({
  sequence: 's',
  client: 'd',
  first,
  last,
  single,
  calledMs,
  returnedMs: calledMs + 10,
})

it('finds nothing wrong with the truth', () => {
  expect(falsehoods(truth())).toEqual([])
})

describe('finds the lie', () => {
  const lies: [law: string, lie: string, history: Written][] = [
    [
      'shown while held',
      'acquired, though no owner is shown',
      and((history) => history.sightings.splice(0, 1, seen(null, null, 210))),
    ],
    [
      'shown while held',
      'renewed, though the row is gone before the new deadline',
      and((history) => history.sightings.splice(2, 0, seen(null, null, 1_500))),
    ],
    [
      'shown while held',
      'a release that was said to be unsent takes effect',
      reporting('d1', { kind: 'store-unavailable' }),
    ],
    [
      'shown while held',
      'a kill that was said to have had no effect',
      reporting('k1', { kind: 'not-released' }),
    ],
    ['one holder', 'bob acquires while ann’s deadline is ahead', without('d1')],
    [
      'tokens grow',
      'bob’s token is below ann’s',
      reporting('a3', { kind: 'acquired', token: 9n, deadlineMs: 7_200 }),
    ],
    [
      'tokens grow',
      'bob’s token is below a version that was seen before he came',
      and((history) => history.sightings.push(seen('eve', 21n, 3_120))),
    ],
    [
      'the token is of this tenure',
      'ann’s token is above what the row shows',
      reporting('a1', { kind: 'acquired', token: 11n, deadlineMs: 4_100 }),
    ],
    [
      'renewed before the deadline',
      'a renewal that was called too late',
      reporting('a1', { kind: 'acquired', token: 10n, deadlineMs: 900 }),
    ],
    [
      'the value as renewed',
      'a late renewal brings back an older value',
      and((history) => history.sightings.push(seen('ann', 13n, 2_500, 'r1'))),
    ],
    [
      'what was not acquired is never shown',
      'held, and shown later',
      and((history) => history.sightings.push(seen('cat', 40n, 9_000, 'a2'))),
    ],
    [
      'what is unavailable was not sent',
      'unavailable, and it arrives',
      and((history) => history.arrivals.push(arrival('acquire', 'dan', 4_750, 'a4'))),
    ],
    [
      'gone after its release',
      'released, and shown later',
      and((history) => history.sightings.push(seen('ann', 12n, 3_150, 'r2'))),
    ],
    [
      'gone after its release',
      'a ghost that outlives its TTL',
      and((history) => {
        history.arrivals.push(arrival('acquire', 'ann', 5_000, 'a1'))
        history.sightings.push(seen('ann', 50n, 20_000, 'a1'))
      }),
    ],
    [
      'what was released was there',
      'released for certain, twice',
      and((history) =>
        history.operations.push(
          operation('d2', 'release', 'ann', [3_150, 3_160], { kind: 'released', certain: true }),
        ),
      ),
    ],
    ['a loss has a cause', 'lost, though no other process took it', without('k1')],
    [
      'a loss has a cause',
      'lost to the deadline, before the deadline',
      reporting('r2', { kind: 'lost', why: 'deadline', owner: null }),
    ],
    ['a loss has a cause', 'not held, though it was', reporting('d1', { kind: 'notHeld', owner: null })],
    [
      'the holder that is named was there',
      'held by an owner that never came',
      reporting('a2', { kind: 'held', owner: 'eve' }),
    ],
    [
      'the holder that is named was there',
      'held by one who came later',
      reporting('a2', { kind: 'held', owner: 'bob' }),
    ],
    [
      'the holder that is named was there',
      'held by one who was gone',
      reporting('r3', { kind: 'lost', why: 'not-holder', owner: 'ann' }),
    ],
    [
      'the holder that is named was there',
      'held by an owner, between two reads that show another one',
      and((history) => {
        history.operations = history.operations.map((each) =>
          each.mark === 'a2' ? { ...each, report: { kind: 'held', owner: 'cat' } } : each,
        )
      }),
    ],
    [
      'no other errors',
      'an error that is none of ours',
      reporting('a2', { kind: 'error', words: 'TypeError' }),
    ],
    ['each number once', 'a number twice', and((history) => history.numbers.push(number(5n, 5n, 20)))],
    [
      'numbers grow',
      'a block below an earlier one',
      and((history) => history.numbers.push(number(7n, 8n, 60))),
    ],
    [
      'numbers grow',
      'a number below one of its own process',
      and((history) => history.numbers.push(number(8n, 8n, 60, true))),
    ],
    [
      'given numbers are gone from the sequence',
      'a number that the sequence will give again',
      and((history) => history.numbers.push(number(10n, 12n, 60))),
    ],
    [
      'terms grow with their tokens',
      'a term twice',
      and((history) => history.terms.push({ group: 'g', term: 2n, token: 9n })),
    ],
    [
      'terms grow with their tokens',
      'a greater term with a smaller token',
      and((history) => history.terms.push({ group: 'g', term: 3n, token: 6n })),
    ],
  ]

  it.each(lies)('%s: %s', (law, _, history) => {
    expect(laws(history)).toContain(law)
  })

  it('of every law', () => {
    const sources = ['laws.ts', 'number-laws.ts'].map((file) =>
      readFileSync(join(import.meta.dirname, file), 'utf8'),
    )
    const stated = sources.join().matchAll(/(?:say\(|law: )'([^']+)'/g)
    expect(new Set(lies.map(([law]) => law))).toEqual(new Set([...stated].map(([, law]) => law)))
  })
})

describe('lets pass what is documented', () => {
  it('an unknown acquisition that appears, and one that does not', () => {
    const history = truth()
    history.operations.push(
      operation('a5', 'acquire', 'fay', [5_000, 5_500], { kind: 'outcome-unknown' }, 'a5'),
    )
    history.arrivals.push(arrival('acquire', 'fay', 9_000, 'a5'))
    history.sightings.push(seen('fay', 60n, 9_100, 'a5'))
    expect(falsehoods(history)).toEqual([])
  })

  it('an unknown renewal whose value is written, and the deadline that it leaves as it was', () => {
    const history = reporting('r2', { kind: 'outcome-unknown' })
    expect(falsehoods(history)).toEqual([])
  })

  it('a ghost: the first try of an acquisition lands after the release, for one TTL', () => {
    const history = truth()
    history.arrivals.push(arrival('acquire', 'ann', 5_000, 'a1'))
    history.sightings.push(seen('ann', 50n, 6_000, 'a1'))
    expect(falsehoods(history)).toEqual([])
    expect(ghosts(history)).toBe(1)
  })
})
