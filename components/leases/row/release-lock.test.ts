import { expect, it } from 'vitest'
import { nextRow } from '../../../lib/client/row/row-board.ts'
import { sightingAt } from '../../../lib/client/row/test-lease.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { releaseLock } from './release-lock.ts'

const lockOf = (over: Partial<Lease>) => releaseLock(nextRow(sightingAt(0, over), undefined))

it('a lease that a holder has can be released; one without, or a quarantined one, cannot', () => {
  expect(lockOf({})).toBeNull()
  expect(lockOf({ state: 'zombie', owner: null })).toBe('it has no owner')
  expect(lockOf({ owner: '!quarantine:1', state: 'quarantined' })).toBe(
    'it is quarantined until its old holder must have stopped',
  )
})
