import { expect, it } from 'vitest'
import { testLease } from '../../../lib/client/row/test-lease.ts'
import { quarantineOwner, quarantineValue } from '../../../lib/contract/leases/quarantine.ts'
import { lastHolder } from './last-holder.ts'

const before = testLease({ owner: 'old', value: 'step=1' })
const at = new Date('2026-11-20T03:14:00.000Z')
const mark = testLease({
  owner: quarantineOwner('release-1'),
  value: quarantineValue({ was: 'old', by: 'ann', at }),
  state: 'quarantined',
})

it('after a break it is the owner and the value before it, not the mark', () => {
  expect(lastHolder(mark, before)).toMatchObject({ owner: 'old', value: 'step=1', wasBroken: true })
})

it('a page that was opened after the break knows the owner alone', () => {
  expect(lastHolder(mark, null)).toEqual({ owner: 'old', value: undefined, writtenAt: null, wasBroken: true })
  expect(lastHolder(mark, testLease({ owner: 'another' }))).toMatchObject({ owner: 'old', value: undefined })
  expect(lastHolder({ ...mark, value: null }, null)).toBeNull()
})

it('without a break it is what the row said', () => {
  expect(lastHolder(before, null)).toMatchObject({ owner: 'old', value: 'step=1', wasBroken: false })
})
