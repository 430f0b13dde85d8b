import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAddressable } from './path.ts'
import { newUserSchema } from './people/user.ts'
import { newTokenSchema } from './programs/token.ts'
import { rejectionBodySchema } from './releases/release.ts'
import { startOf } from './text-size.ts'

const user = (username: string) => newUserSchema.shape.username.safeParse(username).success
const token = (name: string) => newTokenSchema.shape.name.safeParse(name)
const reason = (text: string) => rejectionBodySchema.shape.reason.safeParse(text).success

describe('the name of a new user', () => {
  it('is plain letters in one case, digits and a few marks', () => {
    for (const name of ['ann', 'ann.smith', 'ann@example.com', 'a-1_b', 'ann+ops'])
      expect(user(name), name).toBe(true)
  })

  it.each([
    ['Cyrillic', '\u0430dmin'],
    ['a capital', 'Ann'],
    ['a control character', 'an\u0007n'],
    ['a lone surrogate', 'an\ud800'],
    ['a zero-width space', 'an\u200bn'],
    ['right to left', 'an\u202en'],
    ['the name of the server', 'leasehold'],
    ['the name of the server in capitals', 'LEASEHOLD'],
    ['a space', 'an n'],
    ['nothing', ''],
  ])('is not %s', (_, name) => expect(user(name)).toBe(false))
})

describe('the name of a token', () => {
  it('is printable, in one form of Unicode', () => {
    expect(token('Billing, nightly').data).toBe('Billing, nightly')
    expect(token('  Bu\u0308cher ').data).toBe('B\u00fccher')
    // Each word of one alphabet, in any language.
    for (const name of [
      '\u0441\u0447\u0435\u0442\u0430 2',
      '\u03bb-worker',
      'API \u0441\u0447\u0435\u0442\u0430',
      '\u8acb\u6c42 billing',
    ])
      expect(token(name).success, name).toBe(true)
  })

  it.each([
    ['a control character', 'billing\u0000'],
    ['a line break', 'billing\nadmin'],
    ['a lone surrogate', 'billing\udc00'],
    ['a zero-width space', 'bil\u200bling'],
    ['right to left', 'billing\u202e'],
    ['an invisible letter', '\u3164'],
    ['the name of the server', 'Leasehold'],
    ['Latin with a Cyrillic letter', '\u0430dmin'],
    ['Latin with a Greek letter', 'n\u03bfdes'],
    ['a Latin word with a Cyrillic letter behind a digit', 'job 1\u0430dmin'],
  ])('is not %s', (_, name) => expect(token(name).success).toBe(false))
})

describe('a reason', () => {
  it('may have several lines and emoji, and shows something', () => {
    for (const text of ['INC-1', 'INC-1:\nthe leader hangs', '\u26a0\ufe0f stuck'])
      expect(reason(text)).toBe(true)
    for (const text of ['\u200b', '\ufeff', ' \u2060 ', '\u00ad', 'a\u0000', 'a\ud800', 'a\u202eb'])
      expect(reason(text), JSON.stringify(text)).toBe(false)
  })
})

it.each([
  ['abc', 2, 'ab'],
  ['abc', 3, 'abc'],
  ['abc', 9, 'abc'],
  ['abc', 0, ''],
  ['👑👑', 0, ''],
  ['👑👑', 1, ''],
  ['👑👑', 2, '👑'],
  ['👑👑', 3, '👑'],
  ['👑👑', 4, '👑👑'],
  // Half a pair that another client wrote stays what it is: it was not cut here.
  ['a\ud83db', 2, 'a\ud83d'],
])('the start of %j in %i is %j', (text, length, start) => {
  expect(startOf(text, length)).toBe(start)
})

it('is as long as it may be, one less where a character would be cut in two, and never half of one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, length) => {
      const start = startOf(text, length)
      expect(text.startsWith(start)).toBe(true)
      expect(start.isWellFormed()).toBe(true)
      expect(start.length).toBeGreaterThanOrEqual(Math.min(text.length, length - 1))
      expect(start.length).toBeLessThanOrEqual(Math.max(0, length))
    }),
    { seed: 20261123, numRuns: 500 },
  )
})

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
