import { expect, it } from 'vitest'
import type { Session } from '../../contract/people/session.ts'
import { runId } from '../lab/journal/run-facts.ts'
import { viewOf } from './watch-handler.ts'

const labRun = runId(Date.now(), 'abcde')

const session = { role: 'viewer' } as Session

it.each([
  [{}, true, true],
  [{ prefix: 'billing/' }, true, true],
  [{ prefix: 'leasehold/' }, true, false],
  [{ q: 'Leasehold' }, true, false],
  [{ name: 'leasehold/recorder' }, true, false],
  // Of a mapped table such names are a program's.
  [{}, false, false],
])(
  'a query %j of a table that is the console’s own: %s leaves its own leases out: %s',
  (query, isOwn, hides) => {
    expect(viewOf({ sort: 'name', ...query }, session, isOwn).hidesOwn).toBe(hides)
  },
)

it.each([
  [{}, true, true],
  [{ prefix: 'lab/' }, true, false],
  [{ q: 'LAB/' }, true, false],
  [{ q: `lab/${labRun}` }, true, false],
  [{ name: `lab/${labRun}/leader` }, true, false],
  [{}, false, false],
])('a query %j of a table that is the console’s own: %s is calm about the lab: %s', (query, isOwn, calms) => {
  expect(viewOf({ sort: 'name', ...query }, session, isOwn).calmsLab).toBe(calms)
})

it('a program that asks for one name knows of this name alone, whatever its prefix is', () => {
  const program = { role: 'client' } as Session
  expect(viewOf({ sort: 'name', name: 'mine/1', prefix: 'theirs/' }, program, false).within).toBe('mine/1')
  expect(viewOf({ sort: 'name', prefix: 'mine/' }, program, false).within).toBe('mine/')
})
