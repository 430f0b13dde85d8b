import { expect, it } from 'vitest'
import type { Session } from '../../../contract/people/session.ts'
import { senderKey } from './sender-key.ts'

const person = { username: 'billing', role: 'operator', via: 'password' } as Session
const program = { username: 'billing', role: 'client', via: 'token' } as Session

it('a person has one key in all sessions, and shares it with no token that is called like the person', () => {
  expect(senderKey(person, 'session one')).toBe(senderKey({ ...person, via: 'sso' }, 'session two'))
  expect(senderKey(program, 'session one')).not.toBe(senderKey(person, 'session one'))
})

it('two tokens of one name have two keys', () => {
  const key = senderKey(program, 'lh_0123456789abcdef_secret')
  expect(senderKey(program, 'lh_0123456789abcdef_secret')).toBe(key)
  expect(senderKey(program, 'lh_fedcba9876543210_secret')).not.toBe(key)
})

it('the key of a token does not show its secret', () => {
  expect(senderKey(program, 'lh_0123456789abcdef_secret')).not.toContain('secret')
})
