import { expect, it } from 'vitest'
import { initials } from './initials.ts'

it('are two letters of a user name', () => {
  expect(['operator-1', 'admin', 'a', 'ada.lovelace', '日本'].map(initials)).toEqual([
    'O1',
    'AD',
    'A',
    'AL',
    '日本',
  ])
})

it('takes a letter of two code units whole', () => {
  expect([initials('𐐀𐐁'), initials('𐐀𐐁-𐐂')]).toEqual(['𐐀𐐁', '𐐀𐐂'])
})
