import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { LanesBuilder } from '../../../lib/client/lab/lanes/lanes-builder.ts'
import { TestJournal } from '../../../lib/contract/lab/test-journal.ts'
import { CountersPanel } from './counters-panel.tsx'

const acts = { mayAct: true, lock: null, act: () => {}, end: () => {}, error: null }

function textOf(...totals: { unfenced: number; answered: boolean }[]): string {
  const journal = new TestJournal().joined(0, 'c1')
  totals.forEach(({ unfenced, answered }, index) => {
    const atMs = 1_000 * (index + 1)
    journal.statement('c1', 'unfenced-counter', atMs, { outcome: 'rows' })
    if (!answered) return
    const total = { fenced: index + 1, unfenced, meant: index + 1 }
    const wrote = { candidate: 'c1', token: '1', before: index, outcome: 'written', total } as const
    for (const counter of ['fenced', 'unfenced'] as const)
      journal.note('wrote', atMs + 10, { ...wrote, counter })
  })
  const run = new LanesBuilder({ ttlSeconds: 6 })
  run.add(journal.entries)
  return renderToStaticMarkup(createElement(CountersPanel, { picture: run.live(9_000), acts })).replaceAll(
    /<[^>]*>/g,
    ' ',
  )
}

it('an addition whose answer was lost counts in both numbers of a card, and the card says so', () => {
  const text = textOf(
    { unfenced: 1, answered: true },
    { unfenced: 2, answered: false },
    { unfenced: 3, answered: true },
  )
  expect(text).toMatch(
    /unfenced, right so far\s+3\s+3 additions applied: 2 answered, 1 without an answer; nothing checks the token/,
  )
  expect(text).toMatch(/\sfenced, right\s+3\s+3 additions applied: 2 answered, 1 without an answer/)
})

it('an addition that a stale write took away is missed, though another one had no answer', () => {
  const text = textOf(
    { unfenced: 1, answered: true },
    { unfenced: 2, answered: false },
    { unfenced: 2, answered: true },
  )
  expect(text).toMatch(
    /unfenced, wrong\s+2\s+3 additions applied: 2 answered, 1 without an answer; 1 lost: a stale write/,
  )
})
