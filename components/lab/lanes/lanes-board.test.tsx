import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { LanesBuilder } from '../../../lib/client/lab/lanes/lanes-builder.ts'
import { pauseWithoutFencing, TestJournal } from '../../../lib/contract/lab/test-journal.ts'
import { LanesBoard } from './lanes-board.tsx'
import { LanesTable } from './lanes-table.tsx'
import { leftWords } from './leader-head.tsx'

const builderOf = ({ ttlSeconds, entries }: TestJournal) => {
  const run = new LanesBuilder({ ttlSeconds })
  run.add(entries)
  return run
}
const board = (journal: TestJournal, stoppedAtMs: number, atMs: number | null = null, isLost = false) =>
  renderToStaticMarkup(
    createElement(LanesBoard, {
      run: builderOf(journal),
      revision: 1,
      clock: { zeroMs: 0, stoppedAtMs },
      ttlSeconds: journal.ttlSeconds,
      atMs,
      isLost,
      onAt: () => {},
      controls: (lane) => createElement('button', { type: 'button' }, `crash ${lane.id}`),
    }),
  )
const rowNames = (html: string) =>
  [...html.matchAll(/role="row"[^>]*aria-label="([^"]+)"/g)].map(([, name]) => name)

describe('the lanes', () => {
  it('are a table whose rows say what each candidate does', () => {
    const html = board(pauseWithoutFencing(), 24_020)
    expect(html).toContain('role="table" aria-label="Candidates against time"')
    expect(rowNames(html)).toEqual([
      'Candidate c1: waits',
      'Candidate c2: waits, lost it at 20.6',
      'Candidate c3: leads',
      'Candidate c4: network cut',
    ])
    expect(html).toContain('since 16.0 s, term 3, token 400, expiry at 30.0 s; believes to lead since 16.0 s')
  })

  it('show any time before the present, as it was then', () => {
    expect(rowNames(board(pauseWithoutFencing(), 24_020, 17_000))).toEqual([
      'Candidate c1: waits',
      'Candidate c2: paused, still believes',
      'Candidate c3: leads',
      'Candidate c4: waits',
    ])
  })

  it('name the leader', () => {
    const journal = new TestJournal().joined(0, 'c1').takes('c1', 1_000, { token: '17951444', term: '1' })
    expect(board(journal, 4_000)).toContain('<b>17951444</b>')
    expect(board(journal, 4_000)).toContain('Term')
    expect(board(journal, 500)).toContain('none')
  })

  it.each([
    { leftMs: 0, isStale: false, isOver: false, words: 'verifying…' },
    { leftMs: 0, isStale: false, isOver: true, words: 'unknown: the run ended' },
    { leftMs: 0, isStale: true, isOver: false, words: 'unknown' },
    { leftMs: null, isStale: false, isOver: true, words: 'no expiry' },
  ])("say of the leader's time $leftMs, at the end $isOver, without the stream $isStale: $words", (it) => {
    expect(leftWords(it.leftMs, it)).toBe(it.words)
  })

  it('have what one can do to a candidate in its row', () => {
    expect(board(pauseWithoutFencing(), 24_020)).toContain('<button type="button">crash c3</button>')
  })

  it('say how long two believed to lead', () => {
    expect(board(pauseWithoutFencing(), 24_020)).toContain('for 4.5 s, ended')
    expect(board(pauseWithoutFencing(), 24_020, 18_000)).toContain('since 16.0 s, 1.9 s')
    expect(board(new TestJournal().joined(0, 'c1'), 1_000)).toContain('never')
  })

  it('say what was so when the stream was last heard, and never that the run has ended', () => {
    const html = board(pauseWithoutFencing(), 24_020, null, true)
    expect(html).toContain('Last heard, 24.0 s')
    expect(html).not.toContain('The end')
    expect(html).toMatch(/aria-label="The leader" data-state="waiting" data-stale="true"/)
    expect(html).toMatch(/class="lanes" data-stale="true"/)
    expect(rowNames(html)[2]).toBe('Candidate c3: leads, when last heard')
    // A time before that is known as it was.
    const past = board(pauseWithoutFencing(), 24_020, 17_000, true)
    expect(past).not.toContain('data-stale')
    expect(past).not.toContain('when last heard')
  })

  it('draw the dashed band ahead beyond the present, and hatch what is cut off', () => {
    const html = board(pauseWithoutFencing(), 24_020)
    expect(html).toMatch(/class="layer ahead"><div class="sheet"[^>]*><i class="leads ahead ab"/)
    expect(html).toContain('class="paused ab"')
    expect(html).toContain('class="both ab"')
  })
})

it('the table says the same facts of the whole run in words', () => {
  const picture = builderOf(pauseWithoutFencing()).at(24_020)
  const html = renderToStaticMarkup(createElement(LanesTable, { picture }))
  expect(html).toContain('aria-label="Candidate c2: waits, lost it at 20.6"')
  expect(html).toContain('<li>from 4.0 to 16.0 s, term 2, token 200, expired</li>')
  expect(html).toContain('<li>20.3 s: stale write</li>')
  expect(html).toContain('<li>network cut since 17.2 s</li>')
})
