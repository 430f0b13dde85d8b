import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { labScenarios } from '../../../contract/lab/lab-bounds.ts'
import { scenarioSteps } from '../../../contract/lab/scenario-steps.ts'
import { RunJournal } from '../journal/run-journal.ts'
import { scenarios } from '../scenarios/scenarios.ts'
import { type Stage, seen } from './stage.ts'
import { Story, type StoryStep } from './story.ts'

let clock: FakeClock
let journal: RunJournal

beforeEach(() => {
  clock = new FakeClock()
  journal = new RunJournal(clock)
})

const joined = (candidate: string) => journal.note({ kind: 'joined', candidate })
const isJoined = (candidate: string) => seen('joined', (entry) => entry.candidate === candidate)
const captions = () => journal.entries.flatMap((entry) => (entry.kind === 'caption' ? entry.step : []))
function begun(steps: StoryStep[]): Story {
  const story = new Story(steps, journal, clock)
  story.begin()
  return story
}

it.each(labScenarios)('%s has as many steps as its sentences', (scenario) => {
  const steps = scenarios[scenario].steps({ ttlMs: 8_000 } as Stage)
  expect(steps).toHaveLength(scenarioSteps[scenario].length)
})

it('shows a sentence once what it speaks of has happened, and lets it stand for two seconds', async () => {
  const acts: string[] = []
  const story = begun([{ until: isJoined('c1') }, { act: () => acts.push('act'), until: isJoined('c2') }])
  await clock.advance(10_000)
  expect([captions(), story.state]).toEqual([[], { state: 'playing', step: -1 }])
  joined('c1')
  expect(captions()).toEqual([0])
  await clock.advance(1_999)
  expect(acts).toEqual([])
  await clock.advance(1)
  expect([acts, captions()]).toEqual([['act'], [0]])
  joined('c2')
  await clock.advance(2_000)
  expect(captions()).toEqual([0, 1])
  expect(journal.entries.at(-1)?.kind).toBe('story-ended')
  expect(story.state).toEqual({ state: 'ended', step: 1 })
})

it('does not miss what happens while a sentence stands, nor counts what came before it', async () => {
  begun([{ until: isJoined('c1') }, { until: isJoined('c2') }, { until: isJoined('c2') }])
  joined('c2')
  joined('c1')
  joined('c2')
  await clock.advance(2_000)
  expect(captions()).toEqual([0, 1])
  await clock.advance(10_000)
  expect(captions()).toEqual([0, 1])
  joined('c2')
  expect(captions()).toEqual([0, 1, 2])
})

it('acts at once when that happens which it waits for', async () => {
  let atEntry = -1
  begun([
    {
      when: isJoined('c1'),
      act: () => {
        atEntry = journal.entries.length
      },
    },
  ])
  joined('c2')
  joined('c1')
  joined('c2')
  expect(atEntry).toBe(2)
})

it('does not act on what came before its turn', async () => {
  let acts = 0
  begun([{}, { when: isJoined('c1'), act: () => acts++ }])
  joined('c1')
  await clock.advance(2_000)
  expect(acts).toBe(0)
  joined('c1')
  expect(acts).toBe(1)
})

it('looks back to its last act, or to the start', async () => {
  begun([
    { until: isJoined('c1') },
    { act: () => joined('c2'), until: isJoined('c3') },
    { until: isJoined('c2'), looksBackTo: 'last act' },
    { until: isJoined('c1'), looksBackTo: 'start' },
  ])
  joined('c1')
  await clock.advance(2_000)
  joined('c3')
  await clock.advance(4_000)
  expect(captions()).toEqual([0, 1, 2, 3])
})

it('paused, it goes on step by step', async () => {
  const story = begun([{}, { until: isJoined('c1') }, {}, {}])
  story.pause()
  await clock.advance(10_000)
  expect(captions()).toEqual([0])
  story.step()
  expect(captions()).toEqual([0])
  joined('c1')
  await clock.advance(10_000)
  expect([captions(), story.state.state]).toEqual([[0, 1], 'paused'])
  story.play()
  await clock.advance(4_000)
  expect(captions()).toEqual([0, 1, 2, 3])
})
