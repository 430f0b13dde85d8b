/** The window of time, and what of a lane is drawn in it. */
import { describe, expect, it } from 'vitest'
import { pauseWithoutFencing, TestJournal } from '../../../contract/lab/test-journal.ts'
import { LanesBuilder } from '../lanes/lanes-builder.ts'
import { laneFacts, laneSentence } from './lane-facts.ts'
import { laneShapes } from './lane-shapes.ts'
import {
  momentText,
  nowX,
  sheetShift,
  sheetX,
  ticks,
  tickText,
  timeWindow,
  touchesLabel,
  windowOrigin,
  windowStart,
} from './time-window.ts'

const window = timeWindow(6)

function pictureOf({ ttlSeconds, entries }: TestJournal, atMs: number) {
  const builder = new LanesBuilder({ ttlSeconds })
  builder.add(entries)
  return builder.at(atMs, windowStart(timeWindow(ttlSeconds), atMs))
}
const laneOf = (journal: TestJournal, id: string, atMs: number) => {
  const picture = pictureOf(journal, atMs)
  return { picture, lane: picture.lanes.find((lane) => lane.id === id) ?? expect.unreachable() }
}
const shapesOf = (journal: TestJournal, id: string, atMs: number) => {
  const { picture, lane } = laneOf(journal, id, atMs)
  return laneShapes(lane, picture, timeWindow(journal.ttlSeconds), 860)
}

describe('the window', () => {
  it('has a whole tenure ahead of the present', () => {
    expect(window).toEqual({ windowMs: 35_000, pastMs: 28_000 })
    expect(timeWindow(30)).toEqual({ windowMs: 51_000, pastMs: 20_000 })
  })

  it('stands still until the present has reached its place, then moves with it', () => {
    expect([0, 14_000, 28_000, 29_000].map((nowMs) => windowStart(window, nowMs))).toEqual([0, 0, 0, 1_000])
    expect([0, 14_000, 28_000, 90_000].map((nowMs) => nowX(window, nowMs))).toEqual([0, 40, 80, 80])
  })

  it.each([0, 27_000, 61_000, 93_700, 899_999])(
    'at %i a time stands where its share of the window is',
    (nowMs) => {
      const originMs = windowOrigin(window, nowMs)
      const shown = sheetX(window, originMs, nowMs) - sheetShift(window, originMs, nowMs)
      expect(shown).toBeCloseTo(nowX(window, nowMs), 2)
      expect(sheetShift(window, originMs, nowMs)).toBeLessThan(172)
    },
  )

  it('hides the tick that the label of the present touches, from one side to the other', () => {
    const under = (nowMs: number) =>
      ticks(window, nowMs)
        .filter(({ atMs }) => touchesLabel(window, nowMs, atMs, 860))
        .map(({ text }) => text)
    expect([57_600, 58_400, 60_000, 61_200, 62_200].map(under)).toEqual([
      [],
      ['1:00'],
      ['1:00'],
      ['1:00'],
      [],
    ])
    expect([0, 2_900, 23_800, 25_900, 27_500].map(under)).toEqual([['0 s'], [], ['25 s'], ['25 s'], []])
  })

  it('has its axis ready before it moves', () => {
    const texts = ticks(window, 59_000).map(({ text }) => text)
    expect(texts[0]).toBe('30 s')
    expect(texts.at(-1)).toBe('1:10')
    expect([0, 55_000, 65_000, 600_000].map(tickText)).toEqual(['0 s', '55 s', '1:05', '10:00'])
    expect([0, 24_049, 60_000, 84_560].map(momentText)).toEqual(['0.0', '24.0', '1:00.0', '1:24.5'])
  })
})

describe('the shapes of a lane', () => {
  const pause = pauseWithoutFencing()
  const looks = (id: string, atMs: number) =>
    shapesOf(pause, id, atMs).map(
      ({ layer, look, text }) => `${layer}: ${look}${text === null ? '' : ` “${text}”`}`,
    )

  it('of the leader: its band is cut at the present, and dashed up to its expiry', () => {
    expect(looks('c3', 24_020)).toEqual([
      'past: both',
      'free: believes',
      'free: mk ahead',
      'past: leads “term 3 · token 400”',
      'ahead: leads ahead',
      'free: mk expiry',
      ...Array(4).fill('past: beat notch'),
      'free: try',
      'free: try',
      'free: try yes',
      'free: tag over before “deadline”',
      'free: tag under before “expiry 30.0”',
      'free: tag over “joined”',
    ])
  })

  it('of a leader that was paused: red where it believed wrongly', () => {
    const shapes = looks('c2', 24_020)
    expect(shapes).toContain('past: paused')
    expect(shapes).toContain('past: believes wrongly “still believes”')
    expect(shapes).toContain('past: leads then “term 2”')
    expect(shapes).toContain('free: tag under before “deadline, ignored”')
    expect(shapes).toContain('free: tag over before wrong “stale write”')
  })

  it('a lane between two that believe at once shows the column pass', () => {
    const journal = new TestJournal().joined(0, 'c1', 'c2', 'c3').check(false, 0)
    journal.takes('c1', 1_000, { token: '1' }).takes('c3', 7_100, { token: '2' })
    expect(shapesOf(journal, 'c2', 9_000).map(({ look }) => look)).toContain('both through')
  })

  it('a label is pinned when its band began before the window', () => {
    const journal = new TestJournal().joined(0, 'c1').takes('c1', 1_000, { token: '777', term: '1' })
    for (let at = 3_000; at < 60_000; at += 2_000) journal.renews('c1', at, { version: `${at}` })
    const shapes = shapesOf(journal, 'c1', 59_500)
    expect(shapes.find(({ look }) => look === 'leads')?.text).toBeNull()
    expect(shapes.find(({ layer }) => layer === 'pinned')?.text).toBe('term 1 · token 777')
    expect(Math.min(...shapes.map(({ fromX }) => fromX))).toBeGreaterThanOrEqual(-100)
  })

  it('hundreds of tries are drawn as few', () => {
    const journal = new TestJournal().joined(0, 'c1')
    for (let at = 1_000; at < 20_000; at += 20) journal.refused('c1', at)
    expect(shapesOf(journal, 'c1', 21_000).length).toBeLessThan(100)
  })

  it('writes that follow each other have words once', () => {
    const journal = pauseWithoutFencing()
    const again = {
      candidate: 'c2',
      token: '200',
      before: 148,
      total: { fenced: 171, unfenced: 160, meant: 171 },
    }
    journal.note('wrote', 22_000, { ...again, counter: 'unfenced', outcome: 'lost-update' })
    const looks = shapesOf(journal, 'c2', 24_020).map(({ look }) => look)
    expect(looks.filter((look) => look === 'write')).toHaveLength(2)
    expect(looks.filter((look) => look === 'tag over before wrong')).toHaveLength(1)
  })

  it('each has a key of its own', () => {
    for (const id of ['c1', 'c2', 'c3', 'c4']) {
      const keys = shapesOf(pause, id, 24_020).map(({ layer, key }) => `${layer} ${key}`)
      expect(new Set(keys).size).toBe(keys.length)
    }
  })
})

it('the same facts stand in words', () => {
  const { lane } = laneOf(pauseWithoutFencing(), 'c2', 24_020)
  expect(laneFacts(lane)).toEqual({
    leads: ['from 4.0 to 16.0 s, term 2, token 200, expired'],
    believes: ['from 4.0 to 20.6 s, a renewal was refused, wrongly from 16.0 to 20.6 s'],
    stops: ['paused from 10.6 to 20.0 s'],
    tries: '1 applied, 1 not applied',
    renewals: '3, the last at 10.0 s',
    marks: [
      '0.0 s: joined',
      '14.4 s: deadline, ignored',
      '16.0 s: expired',
      '20.3 s: stale write',
      '20.4 s: old token refused',
      '20.5 s: refused',
    ],
  })
  const leader = laneOf(pauseWithoutFencing(), 'c3', 24_020).lane
  expect(laneSentence(leader)).toBe(
    'since 16.0 s, term 3, token 400, expiry at 30.0 s; believes to lead since 16.0 s, deadline at 28.4 s',
  )
  expect(laneSentence(lane)).toBe('does not lead')
})
