import { describe, expect, it } from 'vitest'
import { checkToken } from './new-token-check.ts'

const check = (
  name: string,
  role: 'viewer' | 'client',
  prefixes: ReturnType<typeof some>,
  tables = 'leases',
) => checkToken(name, role, prefixes, tables)
const some = (...texts: string[]) => ({
  every: false,
  fields: texts.map((text, key) => ({ key, text })),
})

describe('a new token', () => {
  it('is good for the prefixes that were typed', () => {
    expect(check(' ci ', 'client', some('billing/', 'cdc/'))).toEqual({
      ok: true,
      body: { name: 'ci', role: 'client', prefixes: ['billing/', 'cdc/'], tables: ['leases'] },
    })
  })

  it('is good for every name only when that was said: an empty field is no answer', () => {
    expect(check('ci', 'viewer', some('a/', ''))).toMatchObject({
      ok: false,
      prefixes: { 1: expect.stringContaining('Every name') },
    })
    expect(check('ci', 'viewer', { ...some(''), every: true })).toMatchObject({
      ok: true,
      body: { prefixes: [''] },
    })
  })

  it('is good for the tables that were typed', () => {
    expect(check('ci', 'client', some('a/'), 'cron, jobs')).toMatchObject({
      ok: true,
      body: { tables: ['cron', 'jobs'] },
    })
    expect(check('ci', 'client', some('a/'), 'Cron Jobs')).toMatchObject({
      ok: false,
      tables: expect.stringContaining('id of a table'),
    })
  })

  it('says what is wrong where it is', () => {
    expect(check('', 'client', some('a/', 'a/', 'x'.repeat(513)))).toEqual({
      ok: false,
      name: 'The name of the token is empty.',
      prefixes: {
        1: 'This prefix is already in the list.',
        2: 'A prefix is longer than a name can be.',
      },
    })
  })
})
