import { expect, it } from 'vitest'
import { uniqueOwner } from './owner-id.ts'

it('draws its random part for each id: copies of a running machine share what was drawn before', () => {
  const parts = Array.from({ length: 1_000 }, () => uniqueOwner().split(':').at(-2))
  expect(parts[0]).toMatch(/^[0-9a-f]{12}$/)
  expect(new Set(parts).size).toBe(1_000)
})
