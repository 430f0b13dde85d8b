import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { LanesBuilder } from '../../../lib/client/lab/lanes/lanes-builder.ts'
import type { ShownRun } from '../../../lib/client/lab/run/run-feed.ts'
import { TestJournal } from '../../../lib/contract/lab/test-journal.ts'
import { RunNotes } from '../run/run-notes.tsx'
import { runEndsText } from '../run-ends.ts'
import { replayedTo } from './use-replay.ts'

const { ttlSeconds, entries } = new TestJournal().joined(0, 'c1')

function notes(state: 'running' | 'ended', isAtEnd: boolean, isPlaying = false): string {
  const lanes = new LanesBuilder({ ttlSeconds })
  lanes.add(entries)
  const shown = { run: { state }, lanes, silence: null, error: null } as unknown as ShownRun
  const replay = { isPlaying, play: () => {}, pause: () => {}, fromStart: () => {} }
  return renderToStaticMarkup(createElement(RunNotes, { shown, replay, isAtEnd, isAlarmed: false })).replace(
    /<[^>]+>/g,
    ' ',
  )
}

it('a run that has ended is offered from its start, and a running one is not', () => {
  expect(notes('ended', true)).toContain('Play from the start')
  expect(notes('ended', false, true)).toMatch(/Pause .*From the start/)
  expect(notes('ended', false)).toMatch(/Play on .*From the start/)
  expect(notes('running', true)).not.toContain('Play')
})

it('the time of a replay goes on up to the end of the run', () => {
  expect(replayedTo(0, 250, 1_000)).toBe(250)
  expect(replayedTo(800, 250, 1_000)).toBeNull()
  expect(replayedTo(null, 250, 1_000)).toBeNull()
})

it('says both times after which a run ends by itself', () => {
  expect(runEndsText).toBe(
    'A run ends by itself after 15 minutes, or when it has had no viewer for 2 minutes.',
  )
})
