import { expect, it } from 'vitest'
import { expiryFormula } from './expiry-formula.ts'

const cells = (now: string | null, ttl: string | null) => [
  { column: 'owner', value: 'o' },
  { column: 'ttl(owner)', value: ttl },
  { column: 'ttl(value)', value: '99' },
  { column: 'now()', value: now },
]

it('follows from what Cassandra said', () => {
  expect(expiryFormula(cells('1795144446800', '9'))).toEqual({
    text: 'expiry = floor(now / 1000) + ttl = 1795144446 + 9',
    expiresAtMs: 1_795_144_455_000,
  })
})

it('is left out where the owner has no TTL', () => {
  expect(expiryFormula(cells('1795144446800', null))).toBeUndefined()
})
