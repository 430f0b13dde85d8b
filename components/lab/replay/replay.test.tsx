import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ApiError } from '../../../lib/client/call/api-error.ts'
import { LanesBuilder } from '../../../lib/client/lab/lanes/lanes-builder.ts'
import type { ShownRun } from '../../../lib/client/lab/run/run-feed.ts'
import { TestJournal } from '../../../lib/contract/lab/test-journal.ts'
import { RunNotes } from '../run/run-notes.tsx'
import { runEndsText } from '../run-ends.ts'
import { atEnd, replayed } from './use-replay.ts'

const { ttlSeconds, entries } = new TestJournal().joined(0, 'c1')

function notes(
  state: 'running' | 'ended',
  isAtEnd: boolean,
  over: Partial<ShownRun> & { isPlaying?: boolean; isAlarmed?: boolean } = {},
): string {
  const lanes = new LanesBuilder({ ttlSeconds })
  lanes.add(entries)
  const { isPlaying = false, isAlarmed = false, ...given } = over
  const known = { run: { state }, lanes, silence: null, error: null, isFinal: false, isCut: false }
  const shown = { ...known, ...given } as unknown as ShownRun
  const replay = { isPlaying, play: () => {}, pause: () => {}, fromStart: () => {} }
  const props = { shown, replay, isAtEnd, isAlarmed, retry: () => {} }
  return renderToStaticMarkup(createElement(RunNotes, props)).replace(/<[^>]+>/g, ' ')
}

it('a run that has ended is offered from its start, and a running one is not', () => {
  expect(notes('ended', true)).toContain('Play from the start')
  expect(notes('ended', false, { isPlaying: true })).toMatch(/Pause .*From the start/)
  expect(notes('ended', false)).toMatch(/Play on .*From the start/)
  expect(notes('running', true)).not.toContain('Play')
})

it('a journal without an end says why it has none', () => {
  expect(notes('ended', true, { isCut: true })).toContain('Its journal ends here: the instance')
  expect(notes('ended', true)).not.toContain('Its journal ends here')
})

const refused = {
  silence: { sinceMs: 0 },
  error: new ApiError({ code: 'forbidden', status: 403 }),
  isFinal: true,
}

it('a run whose stream was refused for good says why, and does not say that the page goes on trying', () => {
  for (const state of ['running', 'ended'] as const) {
    const text = notes(state, true, refused)
    expect(text).toContain('The server refused the stream of this run. ')
    expect(text).toMatch(/You may not do this\..*The page does not try again by itself\. +Try again/)
    expect(text).not.toMatch(/The stream is silent|goes on trying/)
  }
  expect(notes('running', true, { ...refused, isAlarmed: true })).not.toContain('refused')
})

it('a run whose stream broke is silent, and the page goes on trying', () => {
  const broken = { ...refused, isFinal: false }
  expect(notes('running', true, broken)).toMatch(/The stream is silent\..*The page goes on trying\./)
  expect(notes('ended', true, broken)).not.toContain('The stream is silent')
})

const passed = (elapsedMs: number) => ({ act: 'passed', elapsedMs, endMs: 1_000 }) as const

it('the time of a replay goes on up to the end of the run', () => {
  const started = replayed(atEnd, { act: 'play' })
  expect(started).toEqual({ atMs: 0, isPlaying: true })
  const later = replayed(started, passed(250))
  expect(later).toEqual({ atMs: 250, isPlaying: true })
  const paused = replayed(later, { act: 'pause' })
  expect(replayed(paused, passed(250))).toEqual({ atMs: 250, isPlaying: false })
  expect(replayed(paused, { act: 'play' })).toEqual(later)
  expect(replayed(later, { act: 'from-start' })).toEqual(started)
  expect(replayed(later, passed(750))).toEqual(atEnd)
})

it.each([
  ['that came to its end', passed(1_000)],
  ['whose viewer pressed The end', { act: 'show', atMs: null } as const],
  ['that plays', passed(250)],
])('a replay %s ran away from the moment that its viewer asked for next', (_, before) => {
  const shown = replayed(replayed(atEnd, { act: 'from-start' }), before)
  const asked = replayed(shown, { act: 'show', atMs: 400 })
  expect(asked).toEqual({ atMs: 400, isPlaying: false })
  expect(replayed(asked, passed(250))).toEqual(asked)
})

it('says both times after which a run ends by itself', () => {
  expect(runEndsText).toBe(
    'A run ends by itself after 15 minutes, or when it has had no viewer for 2 minutes.',
  )
})
