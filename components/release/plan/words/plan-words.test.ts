import { expect, it } from 'vitest'
import { missingText } from './plan-words.ts'

const form = {
  mode: 'kill',
  needsElevation: false,
  isSso: false,
  hasReason: true,
  isReasonTooLong: false,
  hasName: false,
} as const

it.each([
  [{ ...form, isOtherName: false }, 'Type the lease name.'],
  [{ ...form, isOtherName: true }, 'The typed name is not the name of this lease.'],
  [{ ...form, hasReason: false, isOtherName: true }, 'Enter a reason.'],
  [{ ...form, isReasonTooLong: true, hasName: true, isOtherName: false }, 'Shorten the reason.'],
  [{ ...form, hasName: true, isOtherName: false }, null],
])('names the first thing that is missing: %#', (given, text) => expect(missingText(given)).toBe(text))
