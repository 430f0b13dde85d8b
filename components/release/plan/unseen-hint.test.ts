import { expect, it } from 'vitest'
import { unseenHint } from './unseen-hint.ts'

it.each([
  ['billing/invoice run', null],
  [' ', { text: 'It is one space, shown as ·', pasted: false }],
  ['   ', { text: 'It is 3 spaces, shown as ·', pasted: false }],
  ['a ', { text: 'It begins or ends with spaces, shown as ·', pasted: false }],
  ['a\u200bb', { text: 'It has characters that cannot be seen: U+200B.', pasted: true }],
])('of %j it says %j', (name, hint) => {
  expect(unseenHint(name)).toEqual(hint)
})
