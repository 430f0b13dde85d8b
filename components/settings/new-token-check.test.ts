import { describe, expect, it } from 'vitest'
import { checkToken } from './new-token-check.ts'

const some = (...texts: string[]) => ({
  every: false,
  fields: texts.map((text, key) => ({ key, text })),
})

describe('a new token', () => {
  it('is good for the prefixes that were typed', () => {
    expect(checkToken(' ci ', 'client', some('billing/', 'cdc/'))).toEqual({
      ok: true,
      body: { name: 'ci', role: 'client', prefixes: ['billing/', 'cdc/'] },
    })
  })

  it('is good for every name only when that was said: an empty field is no answer', () => {
    expect(checkToken('ci', 'viewer', some('a/', ''))).toMatchObject({
      ok: false,
      prefixes: { 1: expect.stringContaining('Every name') },
    })
    expect(checkToken('ci', 'viewer', { ...some(''), every: true })).toMatchObject({
      ok: true,
      body: { prefixes: [''] },
    })
  })

  it('says what is wrong where it is', () => {
    expect(checkToken('', 'client', some('a/', 'a/', 'x'.repeat(513)))).toEqual({
      ok: false,
      name: 'The name of the token is empty.',
      prefixes: {
        1: 'This prefix stands in the list already.',
        2: 'A prefix is longer than a name can be.',
      },
    })
  })
})
