import { describe, expect, it } from 'vitest'
import { curlLine, lastUseText } from './token-text.ts'

describe('the last use of a token', () => {
  it('is said in whole minutes: it is not kept any finer', () => {
    expect(lastUseText(-5)).toBe('within 2 min')
    expect(lastUseText(119_999)).toBe('within 2 min')
    expect(lastUseText(179_999)).toBe('2 min ago')
    expect(lastUseText(3 * 3_600_000 + 61_000)).toBe('3 h 1 min ago')
  })
})

describe('a line that uses a token', () => {
  const origin = 'http://localhost:3000'

  it('acquires a name in its prefix', () => {
    expect(curlLine({ role: 'client', prefixes: ['billing/'], tables: ['leases'] }, origin)).toBe(
      `curl -X PUT -H "Authorization: Bearer $LEASEHOLD_API_TOKEN" -H 'Content-Type: application/json' -d '{ "ttlSeconds": 30 }' 'http://localhost:3000/v1/locks/billing%2Fexample'`,
    )
  })

  it('reads, where it may do no more', () => {
    expect(curlLine({ role: 'viewer', prefixes: ['a b/'], tables: ['leases'] }, origin)).toContain(
      `'http://localhost:3000/v1/leases?prefix=a%20b%2F'`,
    )
    expect(curlLine({ role: 'viewer', prefixes: [''], tables: ['leases'] }, origin)).toContain(
      `'http://localhost:3000/v1/leases'`,
    )
  })

  it('names the table, where it is not for the default one', () => {
    const token = { prefixes: ['x'], tables: ['cron'] }
    expect(curlLine({ role: 'client', ...token }, origin)).toContain('/v1/locks/xexample?table=cron')
    expect(curlLine({ role: 'viewer', ...token }, origin)).toContain('/v1/leases?prefix=x&table=cron')
  })

  it('stays one argument, whatever the prefix holds', () => {
    expect(curlLine({ role: 'client', prefixes: ["it's/"], tables: ['leases'] }, origin)).toContain(
      `'http://localhost:3000/v1/locks/it'\\''s%2Fexample'`,
    )
  })

  it('names what can be a name, where the prefix leaves no room', () => {
    const long = 'x'.repeat(510)
    expect(curlLine({ role: 'client', prefixes: [long], tables: ['leases'] }, origin)).toContain(
      `/v1/locks/${long}'`,
    )
  })
})
