import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { nextRow } from '../../lib/client/row/row-board.ts'
import { libraryOwner, sightingAt } from '../../lib/client/row/test-lease.ts'
import { LeaseMarks } from './lease-marks.tsx'

/** What the marks of a lease of the library say on a narrow screen, which leaves out the class `opt`. */
function narrowMarks(ttlSeconds: number): string[] {
  const over = {
    owner: libraryOwner,
    ttlSeconds,
    writtenAt: '2026-11-20T03:14:00.000Z',
    remainingMs: ttlSeconds * 1000,
    valueRemainingMs: ttlSeconds * 1000,
  }
  const html = renderToStaticMarkup(
    createElement(LeaseMarks, { row: nextRow(sightingAt(0, over), undefined) }),
  )
  return [...html.matchAll(/<span class="([^"]*)"[^>]*><span>([^<]*)</g)]
    .filter(([, classes = '']) => !classes.split(' ').includes('opt'))
    .map(([, , text = '']) => text)
}

it('a narrow screen keeps the mark of the risk, and leaves out that of the TTL', () => {
  expect(narrowMarks(60)).toEqual(['renews with', 'at risk under', 'stops with'])
})

it('where a short TTL puts the end of the holder under the words of the risk, those of the risk stay', () => {
  expect(narrowMarks(6)).toEqual(['renews with', 'at risk under'])
})
