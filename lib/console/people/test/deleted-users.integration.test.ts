import { afterAll, beforeAll, expect, it } from 'vitest'
import { password, type TestConsole, testConsole } from '../../test/test-console.ts'
import { firstUser, prepareFirstUser } from '../sign-in/first-user.ts'

/** A client with the writer's password deletes the rows of users, who then come back: enabled, and with another password. */
const keyspace = `deleted_users_${Date.now().toString(36)}`
let console: TestConsole

beforeAll(async () => {
  console = await testConsole(keyspace)
})
afterAll(() => console?.context.session.close())

const deleteRow = (username: string) =>
  console.context.session.client.execute(`DELETE FROM "${keyspace}".users WHERE username = '${username}'`)
const refusals = async () => {
  const { entries } = await console.context.audit.page({ chain: 'refused', act: 'refusal', limit: 100 })
  return entries.map(({ after }) => after)
}

it('a person of single sign-on whose row was deleted does not come back, under whichever name', async () => {
  const { users } = console.context
  const leaver = { subject: 'https://idp.example 7', username: 'leaver', role: 'operator' } as const
  await users.upsertFromSso(leaver)
  await users.change('leaver', { disabled: true })
  await deleteRow('leaver')
  const deleted = expect.objectContaining({ code: 'user-deleted' })
  await expect(users.upsertFromSso(leaver)).rejects.toEqual(deleted)
  await expect(users.upsertFromSso({ ...leaver, username: 'leaver-2' })).rejects.toEqual(deleted)
  const again = await console.api('POST', '/v1/users', { username: 'leaver', password, role: 'viewer' })
  expect([again.status, again.body.code]).toEqual([409, 'user-deleted'])
  await expect.poll(refusals).toContainEqual({ row: { table: 'users', key: 'leaver' }, why: 'deleted' })
  // Passwords are an admin's decision.
  expect((await console.api('POST', '/v1/users', { username: 'new', password, role: 'viewer' })).status).toBe(
    201,
  )
})

it('the first user whose row was deleted is made neither by a start nor by a link that is good for its hour', async () => {
  const { context } = console
  const { users, setupLink } = context
  const { hash } = new URL(await setupLink.issue())
  await deleteRow(firstUser)
  expect(await prepareFirstUser(context)).toBeNull()
  expect(await prepareFirstUser({ ...context, config: {} })).toBeNull()
  expect(await users.exists(firstUser)).toBe(false)
  const answer = await console.api('POST', '/v1/setup', { token: hash.slice(1), password })
  expect([answer.status, answer.body.code]).toEqual([409, 'user-deleted'])
  expect(answer.body.detail).toContain(`npm run user -- add ${firstUser}`)
  expect(await users.exists(firstUser)).toBe(false)
})
