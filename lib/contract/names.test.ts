import { describe, expect, it } from 'vitest'
import { newUserSchema } from './people/user.ts'
import { newTokenSchema } from './programs/token.ts'
import { rejectionBodySchema } from './releases/release.ts'

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
  })

  it.each([
    ['a control character', 'billing\u0000'],
    ['a line break', 'billing\nadmin'],
    ['a lone surrogate', 'billing\udc00'],
    ['a zero-width space', 'bil\u200bling'],
    ['right to left', 'billing\u202e'],
    ['an invisible letter', '\u3164'],
    ['the name of the server', 'Leasehold'],
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
