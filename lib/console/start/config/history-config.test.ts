import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

const days = (LEASEHOLD_HISTORY_DAYS?: string) =>
  readConfig({ CASSANDRA_CONTACT_POINTS: '10.0.0.1', LEASEHOLD_HISTORY_DAYS }).history.days

it('the history is kept for a week unless it is set', () => {
  expect(days()).toBe(7)
  expect(days('30')).toBe(30)
  expect(days('0')).toBe(0)
})

it.each([
  ['-1', 'is below 0'],
  ['366', 'is above 365'],
  ['1.5', 'is not a whole number'],
  ['a week', 'is not a number'],
])('LEASEHOLD_HISTORY_DAYS=%s is refused', (text, sentence) => {
  expect(() => days(text)).toThrow(`LEASEHOLD_HISTORY_DAYS ${sentence}.`)
})
