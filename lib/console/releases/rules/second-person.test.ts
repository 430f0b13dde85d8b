import { expect, it } from 'vitest'
import { checkSettled, checkTwoPeople } from './second-person.ts'

const nowMs = Date.parse('2026-01-02T12:00:00.000Z')
const dayMs = 24 * 3_600_000
const account = (createdAt: string, changedAt: string | null = null) => ({
  username: 'ben',
  createdAt: new Date(createdAt),
  changedAt: changedAt === null ? null : new Date(changedAt),
})

it('an account that is younger than a day, or was changed within one, is not a second person', () => {
  expect(() => checkSettled(account('2026-01-02T11:00:00.000Z'), dayMs, nowMs)).toThrow(
    /from 2026-01-03 11:00 UTC on/,
  )
  expect(() =>
    checkSettled(account('2025-01-01T00:00:00.000Z', '2026-01-01T12:00:01.000Z'), dayMs, nowMs),
  ).toThrow(/ben was made, or changed by another person/)
  expect(() => checkSettled(account('2026-01-01T12:00:00.000Z'), dayMs, nowMs)).not.toThrow()
  expect(() =>
    checkSettled(account('2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'), dayMs, nowMs),
  ).not.toThrow()
  expect(() => checkSettled(account('2026-01-02T12:00:00.000Z'), 0, nowMs)).not.toThrow()
})

it('two accounts of one subject are one person', () => {
  const of = (username: string, subject: string | null) => ({
    ...account('2025-01-01T00:00:00.000Z'),
    username,
    subject,
  })
  const [ben, benjamin] = [of('ben', 'https://sso.example 1'), of('benjamin', 'https://sso.example 1')]
  expect(() => checkTwoPeople(benjamin, ben)).toThrow(/You requested this release as ben/)
  expect(() => checkTwoPeople(of('ann', null), of('ann', null))).toThrow(/as ann/)
  expect(() => checkTwoPeople(of('ann', null), of('ben', null))).not.toThrow()
  expect(() => checkTwoPeople(of('ann', 'https://sso.example 2'), ben)).not.toThrow()
})
