import { expect, it } from 'vitest'
import { isAddressable } from './path.ts'

it.each([
  ['billing/invoice-run', true],
  ['ü'.repeat(256), true],
  ['...', true],
  ['.', false],
  ['..', false],
  ['x'.repeat(513), false],
  ['ü'.repeat(257), false],
  ['two\nlines', false],
])('whether a URL can name the lease %j: %s', (name, is) => expect(isAddressable(name)).toBe(is))
