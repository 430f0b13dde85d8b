import { describe, expect, it } from 'vitest'
import { sessionAnswerSchema } from '../../lib/contract/people/session.ts'
import { elevationEndMs, elevationText } from './elevation-end.ts'

const answer = (elevatedUntil: string | null) => ({
  arrivedAtMs: 5000,
  data: sessionAnswerSchema.parse({
    username: 'operator-1',
    role: 'operator',
    via: 'password',
    scope: null,
    elevatedUntil,
    expiresAt: '2026-11-21T15:00:00.000Z',
    now: '2026-11-21T03:12:49.000Z',
  }),
})

describe('the end of an elevation', () => {
  it('is counted from the server’s own time, on this page’s clock', () => {
    expect(elevationEndMs(answer('2026-11-21T03:22:49.000Z'))).toBe(605_000)
  })

  it('is none when there is none, or when it was over as the answer was written', () => {
    expect(elevationEndMs(answer(null))).toBeNull()
    expect(elevationEndMs(answer('2026-11-21T03:12:49.000Z'))).toBeNull()
  })
})

describe('what is left of it', () => {
  it('is said in minutes and whole seconds, rounded down', () => {
    expect(elevationText(522_900)).toBe('8:42')
    expect(elevationText(600_000)).toBe('10:00')
    expect(elevationText(9_999)).toBe('0:09')
    expect(elevationText(-1)).toBe('0:00')
  })
})
