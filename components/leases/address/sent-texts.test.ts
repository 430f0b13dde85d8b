import { expect, it } from 'vitest'
import { SentTexts } from './sent-texts.ts'

it('an earlier text that comes back late from the URL does not replace the later one', () => {
  const sent = new SentTexts('')
  expect([sent.send('b'), sent.send('bi')]).toEqual([true, true])
  expect(sent.isForeign('b')).toBe(false)
  expect(sent.isForeign('bi')).toBe(false)
})

it('what back, forward or a link put into the URL does, and is not sent again', () => {
  const sent = new SentTexts('')
  sent.send('b')
  expect(sent.isForeign('b')).toBe(false)
  expect(sent.isForeign('')).toBe(true)
  expect(sent.send('')).toBe(false)
  // Forward.
  expect(sent.isForeign('b')).toBe(true)
})

it('a text that was passed over by the URL is awaited no longer', () => {
  const sent = new SentTexts('')
  sent.send('b')
  sent.send('bi')
  expect(sent.isForeign('bi')).toBe(false)
  expect(sent.isForeign('b')).toBe(true)
})
