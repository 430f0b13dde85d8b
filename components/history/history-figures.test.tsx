import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { HistoryFigures } from './history-figures.tsx'
import { stripOf } from './strip/beats.ts'
import { spansOf, totalsOf } from './strip/spans.ts'
import { gap, history, transition } from './strip/test-history.ts'
import type { SpanSource } from './strip/unseen-end.ts'

const second = 1000
function leaderless(source: SpanSource) {
  const strip = stripOf([], spansOf(source), { ...source, bucketMs: 60 * second })
  const html = renderToStaticMarkup(createElement(HistoryFigures, { totals: totalsOf(source), strip }))
  return /Leaderless<\/dt><dd>(.*?)<\/dd>/.exec(html)?.[1]?.replace(/<[^>]*>/g, '')
}

it('a time without a holder that may lie in one that was not observed is a lower bound, not 0 s', () => {
  const began = transition(0, 'acquired', 'a')
  const outage = { gaps: [gap(100 * second, 200 * second)] }
  const next = transition(190 * second, 'changed-hands', 'b', 'a')
  expect(leaderless(history(0, 300 * second, [began, next], outage))).toBe('0 s seen')
  const freed = [
    began,
    transition(50 * second, 'released', 'a'),
    transition(60 * second, 'acquired', 'b', 'a'),
  ]
  expect(leaderless(history(0, 300 * second, [...freed, next], outage))).toBe('10 s seen')
})

it('a gap that one holder was seen before and after hides none, as far as is known', () => {
  const source = history(0, 300 * second, [transition(0, 'acquired', 'a')], {
    gaps: [gap(100 * second, 200 * second)],
  })
  expect(leaderless({ ...source, holder: 'a' })).toBe('0 s')
  expect(leaderless(history(0, 300 * second, [transition(0, 'acquired', 'a')]))).toBe('0 s')
})
