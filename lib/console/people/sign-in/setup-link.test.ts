import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { SetupLink } from './setup-link.ts'

it('is good for an hour, where the key is known', async () => {
  let nowMs = Date.parse('2026-01-01T00:00:00.000Z')
  const key = randomBytes(32)
  const link = new SetupLink(key, new URL('https://locks.example.com'), () => nowMs)
  const printed = await link.issue()
  expect(printed).toMatch(/^https:\/\/locks\.example\.com\/setup#/)
  const token = new URL(printed).hash.slice(1)
  expect(token.length).toBeLessThan(256)
  const other = new SetupLink(randomBytes(32), new URL('https://locks.example.com'), () => nowMs)
  expect([await link.accepts(token), await other.accepts(token), await link.accepts('')]).toEqual([
    true,
    false,
    false,
  ])
  nowMs += 59 * 60_000
  expect(await link.accepts(token)).toBe(true)
  nowMs += 61_000
  expect(await link.accepts(token)).toBe(false)
})
