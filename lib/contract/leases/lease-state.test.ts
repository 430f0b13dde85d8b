import { expect, it } from 'vitest'
import { isLibraryOwner, leaseState } from './lease-state.ts'

const late = { remainingMs: 9_000, valueRemainingMs: 9_000, ttlSeconds: 30 }

it.each([
  ['api-1:4711:0123456789ab:1z', true],
  ['ip-10-0-3-17.eu:1:ffffffffffff:a', true],
  ['admin@console:api-1:4711:0123456789ab:1', false],
  ['rest:api-1:4711:0123456789ab:1', false],
  ['record:api-1:4711:0123456789ab:1', false],
  ['worker-7', false],
  ['a:b:c:d', false],
  [null, false],
])('whether the library renews for %s: %s', (owner, expected) => {
  expect(isLibraryOwner(owner)).toBe(expected)
})

it('a lease with little time left is at risk only where its holder renews', () => {
  expect(leaseState({ ...late, owner: 'worker-7' })).toBe('held')
  expect(leaseState({ ...late, owner: 'worker-7', renewed: true })).toBe('risk')
  expect(leaseState({ ...late, owner: 'api-1:4711:0123456789ab:1' })).toBe('risk')
  expect(leaseState({ ...late, owner: 'api-1:4711:0123456789ab:1', remainingMs: 10_000 })).not.toBe('risk')
})
