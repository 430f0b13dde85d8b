import { describe, expect, it } from 'vitest'
import { newPasswordSchema } from '../../../lib/contract/people/session.ts'
import { generatedLength, newPassword } from './new-password.ts'

describe('a generated password', () => {
  it('satisfies the contract, and is another one each time', () => {
    const some = new Set(Array.from({ length: 100 }, () => newPassword()))
    expect(some.size).toBe(100)
    for (const password of some) {
      expect(newPasswordSchema.safeParse(password).success).toBe(true)
      expect(password).toMatch(/^[a-zA-Z2-9]{20}$/)
      expect(password).not.toMatch(/[lIO01o]/)
    }
  })

  it('uses every letter equally often: bytes that would favour some are thrown away', () => {
    const counts = new Map<string, number>()
    let next = 0
    // Every byte once and again: a fair draw gives each letter 80, a favouring one 87 or 70.
    const inTurn = (count: number) => Uint8Array.from({ length: count }, () => next++ % 256)
    for (let i = 0; i < 224; i += 1)
      for (const letter of newPassword(inTurn)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    const total = 224 * generatedLength
    expect(counts.size).toBe(56)
    for (const count of counts.values()) expect(Math.abs(count - total / 56)).toBeLessThan(7)
  })
})
