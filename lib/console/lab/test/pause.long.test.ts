/**
 * The story of the long pause, many times at the lab's smallest TTL: with the deadline check off the verdict catches each run and names
 * the cause, with it on each run is clean. `PAUSE_RUNS` says how many (100 each).
 */
import { randomInt } from 'node:crypto'
import { CassandraLeaseStore, type Executor } from 'leasehold/cassandra'
import { systemTimer } from 'leasehold/time'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import { labBounds } from '../../../contract/lab/lab-bounds.ts'
import type { LabVerdict } from '../../../contract/lab/run.ts'
import { scenarioSteps } from '../../../contract/lab/scenario-steps.ts'
import { type TestConsole, testConsole } from '../../test/test-console.ts'
import { runId } from '../journal/run-facts.ts'
import { LabRun } from '../run/lab-run.ts'
import { pauseUnfenced } from '../scenarios/pause.ts'
import type { Scenario } from '../story/stage.ts'
import { verdictOf } from '../verdict/verdict.ts'

const runs = Number(process.env.PAUSE_RUNS ?? 100)
const atATime = 16
/** Nine sentences of two seconds, and one TTL: many times that. */
const storyMs = 120_000
const ttlSeconds = labBounds.ttlSeconds.min
const maxClockSkewMs = 100

let console: TestConsole

beforeAll(async () => {
  console = await testConsole(`lab_pause_test_${process.pid}`)
})
afterAll(async () => {
  await console?.context.lab.end()
  await console?.context.session.close()
})

/** The same pause with the deadline check on: without the step that switches it off, and the lost update that then never comes. */
const checked: Scenario = {
  ...pauseUnfenced,
  steps: (stage) => {
    const names: readonly string[] = scenarioSteps['pause-unfenced']
    return pauseUnfenced.steps(stage).filter((_, i) => names[i] !== 'check-off' && names[i] !== 'lost-update')
  },
}

interface Outcome {
  run: string
  entries: readonly JournalEntry[]
  verdict: LabVerdict
}

async function play(scenario: Scenario): Promise<Outcome> {
  const { session, clock } = console.context
  const startedAtMs = clock.now().wallMs
  const run = runId(startedAtMs, String(randomInt(100_000)).padStart(5, '0'))
  const facts = {
    run,
    scenario: 'pause-unfenced' as const,
    name: `lab/${run}/leader`,
    ttlSeconds,
    maxClockSkewMs,
    fair: false,
    startedBy: 'a test',
    startedAtMs,
  }
  const failures: unknown[] = []
  const storeOver = (executor: Executor) => new CassandraLeaseStore(executor)
  const failed = (error: unknown) => void failures.push(error)
  const played = new LabRun(facts, scenario, { session, storeOver, clock, timer: systemTimer, failed })
  const ended = new Promise<void>((resolve) => {
    played.journal.listen(({ kind }) => kind === 'story-ended' && resolve())
  })
  played.begin(0)
  await Promise.race([ended, systemTimer.sleep(storyMs)])
  await played.end('person')
  const { entries } = played.journal
  expect(failures).toEqual([])
  const captions = entries.flatMap((entry) => (entry.kind === 'caption' ? [entry.step] : []))
  if (!entries.some(({ kind }) => kind === 'story-ended'))
    throw new Error(`The story of ${run} stood still after the captions ${captions}.`)
  return { run, entries, verdict: verdictOf(entries, facts) }
}

async function playAll(scenario: Scenario): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const begun = { count: 0 }
  const worker = async () => {
    while (begun.count < runs) {
      begun.count++
      outcomes.push(await play(scenario))
    }
  }
  await Promise.all(Array.from({ length: Math.min(atATime, runs) }, worker))
  return outcomes
}

const notKept = ({ verdict }: Outcome) =>
  verdict
    .filter(({ finding }) => finding !== 'kept')
    .map(({ finding, sentence }) => `${finding}: ${sentence}`)
const lostUpdates = ({ entries }: Outcome) =>
  entries.filter((entry) => entry.kind === 'wrote' && entry.outcome === 'lost-update')
const overlapMs = ({ verdict }: Outcome) =>
  verdict.flatMap(({ law, marks }) => (law === 'one-believer' ? marks.map((m) => m.toMs - m.fromMs) : []))

const limitMs = (Math.ceil(runs / atATime) + 2) * storyMs

it(`${runs} pauses with the deadline check off: the verdict catches each, and names the cause`, {
  timeout: limitMs,
}, async () => {
  const outcomes = await playAll(pauseUnfenced)
  const caught = outcomes.filter(({ verdict }) =>
    verdict.some(
      ({ law, finding, sentence }) =>
        law === 'one-believer' &&
        finding === 'explained' &&
        sentence.endsWith('because the deadline check was off.'),
    ),
  )
  const broken = outcomes.flatMap((each) => notKept(each).filter((text) => text.startsWith('broken')))
  const overlaps = outcomes.flatMap(overlapMs).toSorted((a, b) => a - b)
  globalThis.console.log(
    `${caught.length} of ${outcomes.length} caught; two believed for ${overlaps[0]?.toFixed(0)} to ${overlaps.at(-1)?.toFixed(0)} ms`,
  )
  expect(broken).toEqual([])
  expect(outcomes.filter((each) => lostUpdates(each).length === 0).map(({ run }) => run)).toEqual([])
  expect([outcomes.length, caught.length]).toEqual([runs, runs])
})

it(`${runs} pauses with the deadline check on: each is clean`, { timeout: limitMs }, async () => {
  const outcomes = await playAll(checked)
  const clean = outcomes.filter((each) => notKept(each).length === 0 && lostUpdates(each).length === 0)
  globalThis.console.log(`${clean.length} of ${outcomes.length} clean`)
  expect(outcomes.flatMap((each) => notKept(each).map((text) => `${each.run}: ${text}`))).toEqual([])
  expect([outcomes.length, clean.length]).toEqual([runs, runs])
})
