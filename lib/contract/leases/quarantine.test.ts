import { describe, expect, it } from 'vitest'
import { quarantineOf, quarantineValue } from './quarantine.ts'

const at = new Date('2026-03-01T03:14:02.000Z')

describe('what a row says of its quarantine', () => {
  it('is what was written into it', () => {
    const value = quarantineValue({ was: 'api-1:4711:x', by: 'operator-1', at })
    expect(quarantineOf('!quarantine:rel-12345', value)).toEqual({
      releaseId: 'rel-12345',
      note: { was: 'api-1:4711:x', by: 'operator-1', at: at.toISOString() },
    })
  })

  it('is null where an owner holds the lease, and where it is free', () => {
    const value = quarantineValue({ was: 'a', by: 'b', at })
    for (const owner of ['api-1', 'quarantine:1', '!other:1', null])
      expect(quarantineOf(owner, value)).toBeNull()
  })

  it.each([
    null,
    '',
    'not JSON',
    '[]',
    '{"quarantine":{"was":"a"}}',
    '{"quarantine":{"was":1,"by":2,"at":3}}',
  ])('is the mark alone, where the value does not say more: %s', (value) => {
    expect(quarantineOf('!quarantine:rel-12345', value)).toEqual({ releaseId: 'rel-12345', note: null })
  })
})
