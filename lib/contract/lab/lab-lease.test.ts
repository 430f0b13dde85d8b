import { expect, it } from 'vitest'
import { labLeaseName, runOfLease } from './lab-lease.ts'

const nowMs = Date.UTC(2026, 10, 23)
const dayMs = 86_400_000

it('a name is a lease of the lab while its run may be kept', () => {
  const name = labLeaseName('g18abcde', 'leader')
  expect(runOfLease(name, nowMs)).toBe('g18abcde')
  expect(runOfLease(name, nowMs + 8 * dayMs)).toBe('g18abcde')
  expect(runOfLease(name, nowMs + 9 * dayMs)).toBeNull()
  expect(runOfLease(name, nowMs - 2 * dayMs)).toBeNull()
})

it.each(['lab/printers/leader', 'lab/g18abcde/other', 'lab/g18abcd/leader', 'x/lab/g18abcde/leader'])(
  'a program’s %s is none',
  (name) => {
    expect(runOfLease(name, nowMs)).toBeNull()
  },
)
