import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
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
  { isPlaying = false, isCut = false } = {},
): string {
  const lanes = new LanesBuilder({ ttlSeconds })
  lanes.add(entries)
  const shown = { run: { state }, lanes, silence: null, error: null, isCut } as unknown as ShownRun
  const replay = { isPlaying, play: () => {}, pause: () => {}, fromStart: () => {} }
  return renderToStaticMarkup(createElement(RunNotes, { shown, replay, isAtEnd, isAlarmed: false })).replace(
    /<[^>]+>/g,
    ' ',
  )
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
