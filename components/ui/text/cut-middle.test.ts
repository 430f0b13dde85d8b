import { expect, it } from 'vitest'
import { cutMiddle } from './cut-middle.ts'

const cut = (text: string, most: number) => {
  const found = cutMiddle(text, most)
  return found && [found.start, found.between, found.end]
}

it('leaves a text alone that has room, and keeps the beginning and the end of any other', () => {
  expect(cut('nightly-backup-eu', 17)).toBeNull()
  expect(cut('nightly-backup-eu', 9)).toEqual(['nigh', 'tly-backu', 'p-eu'])
  const long = `x/${'very-long-name-'.repeat(15)}`
  expect(cut(`${long}end`, 20)?.at(-1)).not.toBe(cut(`${long}ENX`, 20)?.at(-1))
})

it('counts what is drawn: wide letters twice, marks on letters not, and the sign for what cannot be seen', () => {
  expect(cut('日本日本', 8)).toBeNull()
  expect(cut('日本日本日', 8)).toEqual(['日', '本日本', '日'])
  const accents = 'e\u0301'.repeat(9)
  expect(cut(accents, 9)).toBeNull()
  expect(cut(accents, 5)).toEqual(['e\u0301'.repeat(2), 'e\u0301'.repeat(5), 'e\u0301'.repeat(2)])
  expect(cut('a\u200bb', 7)).toEqual(['a', '\u200b', 'b'])
})
