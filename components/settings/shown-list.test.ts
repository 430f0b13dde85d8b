import { expect, it } from 'vitest'
import { userListSchema } from '../../lib/contract/people/user.ts'
import { tokenListSchema } from '../../lib/contract/programs/token.ts'
import { withoutToken, withUser } from './shown-list.ts'

const createdAt = '2026-11-21T03:12:49.000Z'
const answer = { status: 200, arrivedAtMs: 5000 } as const

it('a user who was disabled is shown so before the list is read again, and still as the same person', () => {
  const user = (username: string) => ({ username, role: 'viewer', disabled: false, via: 'sso', createdAt })
  const samePerson = ['ann', 'bob']
  const users = userListSchema.parse({ users: [{ ...user('ann'), samePerson }, user('cid')] })
  const [ann, cid] = users.users
  if (ann === undefined || cid === undefined) throw new Error('There are no users.')
  const { samePerson: _, ...changed } = { ...ann, disabled: true }
  expect(withUser({ ...answer, data: users }, changed)?.data.users).toEqual([{ ...ann, disabled: true }, cid])
})

it('a token that was revoked is not shown until the list is read again', () => {
  const token = (id: string) => ({
    id,
    name: id,
    role: 'viewer',
    prefixes: [''],
    tables: ['leases'],
    createdBy: 'ann',
  })
  const tokens = ['a', 'b'].map((id) => ({ ...token(id), createdAt, lastUsedAt: null }))
  const data = tokenListSchema.parse({ tokens, now: createdAt })
  expect(withoutToken({ ...answer, data }, 'a')?.data.tokens.map(({ id }) => id)).toEqual(['b'])
})

it('a list that was not read yet stays so', () => {
  expect(withoutToken(undefined, 'a')).toBeUndefined()
})
