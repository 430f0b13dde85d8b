/** No word of a lane covers another one, or the icon of a write. */
import { expect, it } from 'vitest'
import { pauseWithoutFencing, TestJournal } from '../../../contract/lab/test-journal.ts'
import { LanesBuilder } from '../lanes/lanes-builder.ts'
import { laneShapes, type Shape } from './lane-shapes.ts'
import { timeWindow, windowStart } from './time-window.ts'

/** A word’s stretch of the track, of letters of 5 px. */
function stretchOf({ look, fromX, text }: Shape, widthPx: number) {
  const at = (fromX / 100) * widthPx
  const row = /under|low/.test(look) ? 'under' : 'over'
  if (look.startsWith('write')) return { row, fromPx: at - 8, toPx: at + 8, text: 'the icon' }
  const away = look.includes('wrong') ? 9 : 4
  const length = (text?.length ?? 0) * 5 + 6
  const fromPx = look.includes('before') ? at - away - length : at + away
  return { row, fromPx, toPx: fromPx + length, text }
}

function coveredOf(shapes: readonly Shape[], widthPx: number): string[] {
  const all = shapes
    .filter(({ look }) => /^(tag|write)/.test(look))
    .map((shape) => stretchOf(shape, widthPx))
    .filter(({ text }) => text !== null)
    .toSorted((a, b) => a.fromPx - b.fromPx)
  return all.flatMap((one, i) =>
    all
      .slice(i + 1)
      .filter((other) => other.row === one.row && other.fromPx < one.toPx)
      .filter(({ text }) => one.text !== 'the icon' || text !== 'the icon')
      .map((other) => `${one.text} / ${other.text}`),
  )
}

function shapesOf(journal: TestJournal, atMs: number, widthPx: number) {
  const builder = new LanesBuilder({ ttlSeconds: journal.ttlSeconds })
  builder.add(journal.entries)
  const window = timeWindow(journal.ttlSeconds)
  const picture = builder.at(atMs, windowStart(window, atMs))
  return picture.lanes.map((lane) => laneShapes(lane, picture, window, widthPx))
}

/** Much in little time: a leader stops, comes back, writes twice as if it led, and crashes. */
function crowded(): TestJournal {
  const journal = new TestJournal().joined(0, 'c1', 'c2').check(false, 0)
  journal.takes('c1', 100, { token: '100', term: '1' })
  journal.fault('c1', 'paused', 600).fault('c1', 'paused', 1_200, false).fault('c1', 'cut', 1_400)
  journal.takes('c2', 6_100, { token: '200', term: '2' })
  journal.fault('c1', 'cut', 6_200, false)
  const total = { fenced: 2, unfenced: 1, meant: 2 }
  const by = { candidate: 'c1', token: '100', before: 1, total }
  for (const atMs of [6_400, 7_500]) {
    journal.note('wrote', atMs, { ...by, counter: 'unfenced', outcome: 'lost-update' })
    journal.note('wrote', atMs + 50, { ...by, counter: 'fenced', outcome: 'refused' })
  }
  journal.statement('c1', 'renew', 8_000, { outcome: 'not-applied', found: 'c2:200' })
  journal.lost('c1', 8_100, 'not-holder')
  return journal.fault('c1', 'crashed', 8_600)
}

it.each([
  ['a pause without fencing', pauseWithoutFencing(), 24_020],
  ['a second with much in it', crowded(), 9_000],
] as const)('%s: no word covers another, on a laptop and on a telephone', (_, journal, atMs) => {
  for (const widthPx of [860, 360])
    for (const shapes of shapesOf(journal, atMs, widthPx)) expect(coveredOf(shapes, widthPx)).toEqual([])
})

it('what went wrong is said before who joined, where there is no room for both', () => {
  const [c1 = []] = shapesOf(crowded(), 9_000, 860)
  expect(c1.map(({ text }) => text)).toContain('stale write')
  expect(c1.map(({ text }) => text)).toContain('old token refused')
})

it('a word stays where it is while the window moves', () => {
  const places = (atMs: number) =>
    shapesOf(crowded(), atMs, 860)
      .flat()
      .filter(({ look }) => look.startsWith('tag'))
      .map(({ key }) => key)
      .filter((key) => !/deadline \d|expiry/.test(key))
  expect(places(28_000)).toEqual(places(20_000))
  expect(places(20_000).length).toBeGreaterThan(4)
})
