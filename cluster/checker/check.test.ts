/** The checker, on a history that is true, and on the same one with one lie each: every law finds its own. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Operation, Report } from '../../lib/leasehold/testing/index.ts'
import type { ClusterFact, ClusterHistory } from '../history/cluster-history.ts'
import { factOf, historyOf, lineOf } from '../history/history-file.ts'
import { check } from './check.ts'
import { longestSilence } from './service-laws.ts'

const name = 'job'
const ttlSeconds = 10
const operation = (
  mark: string,
  kind: Operation['kind'],
  owner: string | null,
  [calledMs, returnedMs]: readonly [number, number],
  report: Report,
  client = 'library-0/hand-0',
): ClusterFact => ({
  fact: 'operation',
  of: { mark, client, kind, name, owner, ttlSeconds, value: mark, calledMs, returnedMs, report },
})
const sighting = (
  owner: string | null,
  version: bigint | null,
  sentMs: number,
  value: string | null = null,
): ClusterFact => ({
  fact: 'sighting',
  of: { name, owner, value, version, sentMs, answeredMs: sentMs + 10 },
})
const arrival = (
  kind: 'acquire' | 'renew' | 'release',
  owner: string,
  atMs: number,
  answeredMs = atMs + 5,
): ClusterFact => ({
  fact: 'arrival',
  of: { kind, name, owner, value: null, atMs, answeredMs },
})
const acquired = (token: bigint, deadlineMs: number): Report => ({ kind: 'acquired', token, deadlineMs })
const fault = { target: 0, lastsMs: 30_000, afterMs: 0 }
const stoppedMs = 130_000
const doors = ['library-0', 'library-1', 'api-0', 'api-1']
/** Each door answers every ten seconds, but for the time without a quorum. */
const steady = doors.flatMap((door) =>
  [5_000, 15_000, 25_000, 81_000, 90_000, 100_000, 110_000, 120_000].map((atMs) =>
    operation(
      `${door}-${atMs}`,
      'acquire',
      null,
      [atMs, atMs + 50],
      { kind: 'held', owner: null },
      `${door}/kept-0`,
    ),
  ),
)

/**
 * Ann acquires and releases; Bob acquires, is broken through a console, and the mark is deleted by its expiry; the quorum
 * goes and returns; Cat acquires, and lets her lease expire.
 */
const truth: ClusterFact[] = [
  { fact: 'run', of: { format: 1, seed: 1, minutes: 2, kinds: ['quorum'], maxClockSkewMs: 500, beganMs: 0 } },
  arrival('acquire', 'ann', 110),
  operation('a1', 'acquire', 'ann', [100, 200], acquired(10n, 8_600)),
  sighting('ann', 10n, 210, 'a1'),
  operation('a2', 'acquire', null, [300, 400], { kind: 'held', owner: 'ann' }),
  arrival('release', 'ann', 1_010),
  operation('d1', 'release', 'ann', [1_000, 1_100], { kind: 'released', certain: true }),
  sighting(null, null, 1_110),
  arrival('acquire', 'bob', 2_010),
  operation('a3', 'acquire', 'bob', [2_000, 2_100], acquired(20n, 10_500), 'api-0/hand-0'),
  sighting('bob', 20n, 2_110, 'a3'),
  arrival('acquire', '!quarantine:r1', 3_010),
  operation('k1', 'kill', 'bob', [3_000, 3_100], { kind: 'killed' }, 'api-1/operator'),
  {
    fact: 'release',
    of: {
      id: 'r1',
      instance: 1,
      mode: 'break',
      name,
      owner: 'bob',
      outcome: 'broken',
      calledMs: 3_000,
      returnedMs: 3_100,
    },
  },
  { fact: 'audit', of: { id: 'r1', act: 'release', phase: 'intent', outcome: null, name } },
  { fact: 'audit', of: { id: 'r1', act: 'release', phase: 'outcome', outcome: 'broken', name } },
  sighting('!quarantine:r1', 30n, 3_110),
  {
    fact: 'fault',
    of: {
      kind: 'quorum',
      ...fault,
      fromMs: 30_000,
      untilMs: 80_000,
      noQuorumFromMs: 30_100,
      quorumBackMs: 70_000,
    },
  },
  operation('a4', 'acquire', null, [40_000, 40_100], { kind: 'outcome-unknown' }),
  operation('a5', 'acquire', null, [40_000, 40_100], { kind: 'store-unavailable' }, 'api-0/hand-0'),
  arrival('acquire', 'cat', 71_010),
  operation('a6', 'acquire', 'cat', [71_000, 71_100], acquired(40n, 79_500)),
  operation('a7', 'acquire', null, [71_200, 71_300], { kind: 'held', owner: 'cat' }, 'api-0/hand-0'),
  operation('a8', 'acquire', null, [71_200, 71_300], { kind: 'held', owner: 'cat' }, 'api-1/hand-0'),
  sighting('cat', 40n, 71_310, 'a6'),
  sighting(null, null, 90_000),
  {
    fact: 'numbers',
    of: {
      sequence: 's',
      client: 'library-0/counter',
      first: 1n,
      last: 5n,
      single: false,
      calledMs: 0,
      returnedMs: 10,
    },
  },
  operation('a9', 'acquire', null, [71_200, 71_300], { kind: 'held', owner: 'cat' }, 'library-1/hand-0'),
  ...steady,
  { fact: 'stop', of: { atMs: stoppedMs } },
  { fact: 'next-free', of: { sequence: 's', next: 6n } },
]

const laws = (facts: readonly ClusterFact[]): string[] => [
  ...new Set(check(historyOf(facts)).violations.map(({ law }) => law)),
]
const isOperation = (mark: string) => (fact: ClusterFact) =>
  fact.fact === 'operation' && fact.of.mark === mark
const without = (...those: ((fact: ClusterFact) => boolean)[]) =>
  truth.filter((fact) => !those.some((of) => of(fact)))
const and = (...more: ClusterFact[]) => [...truth, ...more]
const changed = (mark: string, change: Partial<Operation>): ClusterFact[] =>
  truth.map((fact) =>
    fact.fact === 'operation' && fact.of.mark === mark ? { ...fact, of: { ...fact.of, ...change } } : fact,
  )
/** The steady operations of one door between two times end without an answer. */
const silent = (door: string, fromMs: number, untilMs: number): ClusterFact[] =>
  truth.map((fact) =>
    fact.fact === 'operation' &&
    fact.of.client === `${door}/kept-0` &&
    fact.of.calledMs >= fromMs &&
    fact.of.calledMs < untilMs
      ? { ...fact, of: { ...fact.of, report: { kind: 'store-unavailable' } } }
      : fact,
  )
const lost = (mark: string, client: string, atMs: number): ClusterFact =>
  operation(mark, 'loss', mark, [atMs, atMs], { kind: 'lost', why: 'deadline', owner: null }, client)

it('finds nothing wrong with the truth, also when it was written to a file and read back', () => {
  expect(laws(truth)).toEqual([])
  const readBack = truth.map((fact) => factOf(lineOf(fact)))
  expect(readBack).toEqual(truth)
  const unanswered = arrival('acquire', 'eve', 5, Number.POSITIVE_INFINITY)
  expect(factOf(lineOf(unanswered))).toEqual(unanswered)
})

const lies: [law: string, lie: string, facts: ClusterFact[]][] = [
  [
    'one lease could have given it',
    'a read that shows ann again after her release, before bob',
    and(sighting('ann', 11n, 1_300, 'a1')),
  ],
  [
    'one lease could have given it',
    'bob acquires although ann neither released nor was past her deadline',
    without(isOperation('d1'), (fact) => fact.fact === 'arrival' && fact.of.kind === 'release'),
  ],
  ['one holder', 'two holders before their deadlines', without(isOperation('d1'))],
  ['tokens grow', 'cat’s token is below bob’s', changed('a6', { report: acquired(19n, 79_500) })],
  [
    'each number once',
    'a number twice',
    and({
      fact: 'numbers',
      of: {
        sequence: 's',
        client: 'api-0/counter',
        first: 5n,
        last: 5n,
        single: true,
        calledMs: 20,
        returnedMs: 30,
      },
    }),
  ],
  [
    'what is unavailable was not sent',
    'a session of the library says unavailable, and its write arrives',
    changed('a5', { client: 'library-0/hand-0' }).concat({
      fact: 'arrival',
      of: { kind: 'acquire', name, owner: 'dan', value: 'a5', atMs: 40_010, answeredMs: 40_020 },
    }),
  ],
  [
    'no act without its intent in the audit',
    'a release took effect, and the audit does not know it',
    without((fact) => fact.fact === 'audit'),
  ],
  [
    'no act without its intent in the audit',
    'a release that was never answered took effect, as its mark shows, and the audit does not know it',
    changed('k1', { report: { kind: 'kill-unknown' } })
      .filter((fact) => fact.fact !== 'audit')
      .map((fact) =>
        fact.fact === 'release' ? { ...fact, of: { ...fact.of, outcome: 'no-answer' } } : fact,
      ),
  ],
  [
    'the audit has the outcome that was answered',
    'the audit says that the release failed',
    truth.map((fact) =>
      fact.fact === 'audit' && fact.of.phase === 'outcome'
        ? { ...fact, of: { ...fact.of, outcome: 'not-released' } }
        : fact,
    ),
  ],
  [
    'service is back soon after the quorum',
    'the API answers 6 s after the quorum’s return',
    changed('a7', { calledMs: 75_900, returnedMs: 76_000 }),
  ],
  [
    'a door answers while there is a quorum',
    'a console answers nothing in the whole run, but for once after the quorum’s return',
    silent('api-0', 0, stoppedMs),
  ],
  [
    'a door answers while there is a quorum',
    'a session answers nothing more from 30 s before the end',
    silent('library-1', 100_000, stoppedMs),
  ],
  [
    'a door answers while there is a quorum',
    'a console answers nothing for 20 s before the quorum is lost',
    silent('api-1', 10_000, 30_000),
  ],
  [
    'a lease outlives the failure of one node',
    'a lease is lost at its deadline while there is a quorum',
    and(lost('eve', 'library-1/kept-0', 25_000)),
  ],
]

it.each(lies)('%s: %s', (law, _, facts) => {
  expect(laws(facts)).toContain(law)
})

it('every law of the cluster has its lie', () => {
  const sources = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  const stated = [...sources.join('').matchAll(/(?:say\(|law: )'([^']+)'/g)].map(([, law]) => law as string)
  expect(stated.length).toBeGreaterThan(3)
  expect(lies.map(([law]) => law)).toEqual(expect.arrayContaining(stated))
})

it('lets pass what is no fault of a lease', () => {
  const passing: ClusterFact[][] = [
    // Without a quorum a lease ends at its deadline.
    and(lost('eve', 'library-0/kept-0', 45_000)),
    // And with the console that it is renewed through.
    and(
      { fact: 'fault', of: { kind: 'console', ...fault, fromMs: 100_000, untilMs: 130_000 } },
      lost('eve', 'api-0/kept-0', 125_000),
    ),
  ]
  // No audit, no act: nothing was sent, and nothing is written down.
  passing.push(
    and({
      fact: 'release',
      of: {
        id: 'r2',
        instance: 0,
        mode: 'kill',
        name,
        owner: 'ann',
        outcome: 'audit-unavailable',
        calledMs: 500,
        returnedMs: 600,
      },
    }),
  )
  // A console whose write was refused, and which then could not read the holder: its *unavailable* is true.
  const refused: ClusterFact = {
    fact: 'arrival',
    of: { kind: 'acquire', name, owner: 'dan', value: 'a5', atMs: 40_010, answeredMs: 40_020 },
  }
  passing.push(and(refused))
  for (const facts of passing) expect(laws(facts)).toEqual([])
})

it('a door that never answers is the longest silence, and ends with the clients’ work', () => {
  const operations = steady.map(
    (fact): ClusterFact =>
      fact.fact === 'operation' && fact.of.client.startsWith('api-0')
        ? { ...fact, of: { ...fact.of, report: { kind: 'store-unavailable' } } }
        : fact,
  )
  const run = truth.filter(({ fact }) => fact === 'run' || fact === 'stop')
  const history = historyOf([...run, ...operations])
  expect(longestSilence(history)).toEqual({ door: 'api-0', afterMs: stoppedMs - 5_000 })
  // Of a run that was cut short: until the last answer.
  const cut = historyOf([...run.filter(({ fact }) => fact === 'run'), ...operations])
  expect(longestSilence(cut)).toEqual({ door: 'api-0', afterMs: 120_050 - 5_000 })
})

it('a door that faults take away is not silent, and is again from their ends on', () => {
  const away = (fromMs: number, untilMs: number): ClusterFact => ({
    fact: 'fault',
    of: { kind: 'console', ...fault, fromMs, untilMs },
  })
  expect(laws([...silent('api-0', 80_000, 130_000), away(75_000, 125_000)])).toEqual([])
  expect(laws([...silent('api-0', 80_000, 130_000), away(75_000, 110_000)])).toEqual([
    'a door answers while there is a quorum',
  ])
})

it('leaves no lease without a judgement', () => {
  const history: ClusterHistory = historyOf(truth)
  expect(check(history).undecided).toEqual([])
})
