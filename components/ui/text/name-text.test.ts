import { expect, it } from 'vitest'
import { leafStart } from './name-text.tsx'

it.each([
  ['billing/invoice-run', 'invoice-run'],
  ['a/b/c', 'c'],
  ['plain', 'plain'],
  ['trailing/', 'trailing/'],
  ['a/b//', 'b//'],
  ['/', '/'],
])('the leaf of %s is %s', (name, leaf) => {
  expect(name.slice(leafStart(name))).toBe(leaf)
})
