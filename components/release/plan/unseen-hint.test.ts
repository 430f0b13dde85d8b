import { expect, it } from 'vitest'
import { typedHint, unseenHint } from './unseen-hint.ts'

it.each([
  ['billing/invoice-run', null],
  ['billing/invoice run', { text: 'It has a space, shown as ·', pasted: false }],
  [' ', { text: 'It is a space, shown as ·', pasted: false }],
  ['   ', { text: 'It is 3 spaces, shown as ·', pasted: false }],
  ['a ', { text: 'It ends with a space, shown as ·', pasted: false }],
  ['  a b ', { text: 'It begins with 2 spaces and ends with a space, shown as ·', pasted: false }],
  ['a\u200bb', { text: 'It has characters that cannot be seen: U+200B.', pasted: true }],
])('of %j it says %j', (name, hint) => {
  expect(unseenHint(name)).toEqual(hint)
})

it.each([
  ['billing/invoice run', null],
  ['  lead', 'It begins with 2 spaces: “lead” is another lease.'],
  ['payments/trailing ', 'It ends with a space: “payments/trailing” is another lease.'],
  ['   ', 'It is 3 spaces.'],
  ['a\u200bb', 'It has characters that cannot be seen: U+200B.'],
])('while %j is typed, where nothing is marked, it says %j', (name, hint) => {
  expect(typedHint(name)).toBe(hint)
})
