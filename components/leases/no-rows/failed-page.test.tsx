import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { UnansweredTable } from './failed-page.tsx'

const textOf = (isRefused: boolean, of: 'list' | 'lease' = 'list') =>
  renderToStaticMarkup(createElement(UnansweredTable, { sinceMs: 0, isRefused, of })).replace(/<[^>]*>/g, '')

it('Cassandra answers no read of the table: nodes may be down', () => {
  expect(textOf(false)).toMatch(/^Cassandra has answered no read of this table for /)
  expect(textOf(false)).toContain('The doctor shows which nodes are down.')
})

it('Cassandra refuses to read the table: the nodes are up, and a grant or the table is missing', () => {
  for (const text of [textOf(true), textOf(true, 'lease')]) {
    expect(text).toMatch(/^Cassandra has refused each read of this table for /)
    expect(text).toContain('as last read and may be wrong by now. Releases are locked')
    expect(text).toContain('SELECT')
    expect(text).not.toMatch(/answered no read|nodes are down/)
  }
})
