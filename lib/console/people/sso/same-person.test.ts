import { expect, it } from 'vitest'
import { samePersonsOf } from './same-person.ts'

const of = (username: string, subject: string | null, day: number, disabled = false) => ({
  username,
  subject,
  disabled,
  createdAt: new Date(Date.UTC(2026, 0, day)),
})
const subject = 'https://idp.example 1'

it('two enabled accounts of one subject are of one person, oldest first', () => {
  const users = [of('younger', subject, 2), of('elder', subject, 1), of('other', 'https://idp.example 2', 1)]
  const names = ['elder', 'younger']
  expect([...samePersonsOf(users)]).toEqual([
    ['elder', names],
    ['younger', names],
  ])
})

it('users with a password are persons of their own, and a disabled account is no second one', () => {
  expect(samePersonsOf([of('a', null, 1), of('b', null, 2)]).size).toBe(0)
  expect(samePersonsOf([of('a', subject, 1), of('b', subject, 2, true)]).size).toBe(0)
  // Sign-ins use the first one: the person is kept out.
  expect(samePersonsOf([of('a', subject, 1, true), of('b', subject, 2), of('c', subject, 3)]).size).toBe(0)
})
