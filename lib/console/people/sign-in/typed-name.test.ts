import { expect, it } from 'vitest'
import { maskedName } from './typed-name.ts'

it('keeps the first character and the length, in characters', () => {
  expect(maskedName('correct horse')).toBe('c… (13 characters)')
  expect(maskedName('🔑2')).toBe('🔑… (2 characters)')
  expect(maskedName('x')).toBe('x… (1 character)')
  expect(maskedName('')).toBe('… (0 characters)')
})
