import { expect, it } from 'vitest'
import { isAllWell } from './all-well.ts'

const well = { isRead: true, rows: 0, clocksApart: null }

it('nothing needs attention only where leases and clocks were read, and neither does', () => {
  expect(isAllWell(well)).toBe(true)
  expect(isAllWell({ ...well, clocksApart: undefined })).toBe(false)
  expect(isAllWell({ ...well, isRead: false })).toBe(false)
  expect(isAllWell({ ...well, rows: 1 })).toBe(false)
  const apart = { since: '2026-11-21T12:00:00.000Z', found: 'a is 3 s ahead', whatToDo: '' }
  expect(isAllWell({ ...well, clocksApart: apart })).toBe(false)
})
