import { describe, expect, it } from 'vitest'
import type { User } from '../../../lib/contract/people/user.ts'
import { isLastAdmin } from './last-admin.ts'

const user = (username: string, role: User['role'], disabled = false): User => ({
  username,
  role,
  disabled,
  via: 'password',
  createdAt: '2026-11-21T03:00:00.000Z',
})

describe('the last admin', () => {
  const anna = user('anna', 'admin')

  it('is the only one that may sign in', () => {
    expect(isLastAdmin(anna, [anna, user('bo', 'operator'), user('cy', 'admin', true)])).toBe(true)
  })

  it('is neither of two admins, and no one with another role', () => {
    const two = [anna, user('bo', 'admin')]
    expect(two.map((each) => isLastAdmin(each, two))).toEqual([false, false])
    const cy = user('cy', 'viewer')
    expect(isLastAdmin(cy, [anna, cy])).toBe(false)
  })

  it('is not one who is disabled already', () => {
    const off = user('off', 'admin', true)
    expect(isLastAdmin(off, [off])).toBe(false)
  })
})
