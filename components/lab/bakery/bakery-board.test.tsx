import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { LanesBuilder } from '../../../lib/client/lab/lanes/lanes-builder.ts'
import { TestJournal } from '../../../lib/contract/lab/test-journal.ts'
import { LaneControls } from '../controls/lane-controls.tsx'
import { BakeryBoard } from './bakery-board.tsx'

const ttlSeconds = 8

it('the bakery has customers with what one can do to them, and neither a leader nor lanes', () => {
  const journal = new TestJournal(ttlSeconds).joined(0, 'c1', 'c2')
  journal.note('bakery', 1_000, {
    candidate: 'c1',
    step: 10,
    choosing: false,
    number: '1',
    waitsFor: null,
  })
  journal.fault('c2', 'paused', 1_500)
  const run = new LanesBuilder({ ttlSeconds })
  run.add(journal.entries)
  const html = renderToStaticMarkup(
    createElement(BakeryBoard, {
      run,
      revision: 1,
      clock: { zeroMs: 0, stoppedAtMs: 2_000 },
      atMs: null,
      isLost: false,
      hasEnded: false,
      onAt: () => {},
      controls: (id) => {
        const lane = run.at(2_000).lanes.find((each) => each.id === id) ?? expect.unreachable()
        return createElement(LaneControls, { lane, act: () => {}, isBakery: true })
      },
    }),
  )
  expect(html).toContain('inside')
  expect(html).toContain('paused, has come')
  expect(html).not.toContain('The leader')
  expect(html).not.toContain('Candidates against time')
  const names = [...html.matchAll(/<button[^>]*aria-label="([^"]+)"/g)].map(([, name]) => name)
  expect(names.filter((name) => name?.includes('c2'))).toEqual([
    'Crash c2',
    'Resume c2',
    'Cut the network of c2',
    'Delay the answers of c2',
    'Leave: c2',
  ])
})
