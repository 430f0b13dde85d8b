import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { nextRow } from '../../../lib/client/row/row-board.ts'
import { sightingAt } from '../../../lib/client/row/test-lease.ts'
import { LeaseEvidence } from './lease-evidence.tsx'

const said = (isReading: boolean) => {
  const row = nextRow(sightingAt(0), undefined)
  const props = { row, detail: null, stale: false, isReading, onRead: () => {} }
  return renderToStaticMarkup(createElement(LeaseEvidence, props))
}

it('while the lease is being read in full, it is not said that it was not', () => {
  expect(said(true)).not.toContain('was not read in full')
  expect(said(true)).toContain('Cassandra’s answer is being read.')
  expect(said(false)).toContain('was not read in full')
})
