import { expect, it } from 'vitest'
import { repairCommand } from './repair-command.ts'

it('acquires a zombie and releases it at once', () => {
  expect(repairCommand('billing/job-1', 'leases', false)).toBe('leasehold run billing/job-1 -- true')
  expect(repairCommand('job', 'leases', true)).toBe('npm run -s leasehold -- run job -- true')
})

it('quotes what a shell would read otherwise', () => {
  expect(repairCommand("a b's $HOME", 'leases', false)).toBe(`leasehold run 'a b'\\''s $HOME' -- true`)
})

it('there is none where the command would take the name for an option, or another table for this one', () => {
  expect(repairCommand('--help', 'leases', false)).toBeNull()
  expect(repairCommand('line\nbreak', 'leases', false)).toBeNull()
  expect(repairCommand('job', 'jobs', false)).toBeNull()
})
