import { expect, it } from 'vitest'
import { seenText, textParts, unseenCharacters } from './unseen-characters.ts'

it('names what cannot be seen, once each', () => {
  expect(unseenCharacters('billing/łódź 日本')).toEqual([])
  expect(unseenCharacters('x\u202Eevil\u200b\u200b')).toEqual(['U+202E', 'U+200B'])
})

it.each([
  ['billing/łódź 日本', 'billing/łódź 日本'],
  [' foo', '·foo'],
  ['foo  ', 'foo··'],
  ['   ', '···'],
  [' '.repeat(300), '·×300'],
  ['x\u202Eevil', 'xU+202Eevil'],
  ['a\u200b\u200bb', 'aU+200B×2b'],
  ['a\n\tb', 'a↵⇥b'],
  ['', ''],
])('%j is shown as %s', (text, shown) => {
  expect(seenText(text)).toBe(shown)
})

it('keeps every letter, and only marks the ends that a text has', () => {
  const text = ' a \t\n\u200b '
  expect(
    textParts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
  expect(textParts(' a ', { starts: false })).toEqual([{ text: ' a' }, { text: ' ', as: '·' }])
  expect(textParts('a\n\tb', { lines: true })).toEqual([{ text: 'a\n\tb' }])
})
