import { expect, it } from 'vitest'
import { applied, TestSession } from '../faults/test-session.ts'
import { Counters } from '../run/counters.ts'

it('an answer that comes late does not take the fenced counter back', () => {
  const counters = new Counters(new TestSession(), 'k7m2k7m2')
  const { writeUnfenced } = counters.statements
  const write = { ...writeUnfenced, cql: 'UPDATE t SET "value" = ?', operation: 'fenced-write' }
  for (const value of [2, 1]) counters.answered(write, [value], { rows: applied, coordinator: 'node' })
  expect(counters.totals).toMatchObject({ fenced: 2, meant: 2 })
})
