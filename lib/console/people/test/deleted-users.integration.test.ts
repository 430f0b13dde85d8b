import { afterAll, beforeAll, expect, it } from 'vitest'
import { password, type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'
import { firstUser, prepareFirstUser } from '../sign-in/first-user.ts'

/** A client with the writer's password deletes the rows of users, who then come back: enabled, and with another password. */
let keyspace: string
let console: TestConsole

const leaver = { subject: 'https://idp.example 7', username: 'leaver', role: 'operator' } as const
const putBack = { subject: 'https://idp.example 8', username: 'put-back', role: 'operator' } as const

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
  for (const person of [leaver, putBack]) await console.context.users.upsertFromSso(person)
})
afterAll(() => console?.context.session.close())

const deleteRow = (username: string) =>
  console.context.session.client.execute(`DELETE FROM "${keyspace}".users WHERE username = '${username}'`)
const refusals = async () => {
  const { entries } = await console.context.audit.page({ chain: 'refused', act: 'refusal', limit: 100 })
  return entries.map(({ after }) => after)
}

it('a person of single sign-on whose older row was put back does not come back under another name', async () => {
  const { users, session } = console.context
  const cql = `SELECT * FROM "${keyspace}".users WHERE username = 'put-back'`
  const [row] = (await session.client.execute(cql)).rows
  await users.change('put-back', { disabled: true })
  const names = row?.keys() ?? []
  await session.client.execute(
    `INSERT INTO "${keyspace}".users (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) USING TIMESTAMP ?`,
    [...names.map((name) => row?.get(name)), BigInt(Date.now() + 60_000) * 1000n],
    { prepare: true },
  )
  expect(await users.find('put-back')).toBeNull()
  await expect(users.upsertFromSso({ ...putBack, username: 'put-back-2' })).rejects.toMatchObject({
    code: 'user-deleted',
  })
})

it('a person of single sign-on whose row was deleted does not come back, under whichever name', async () => {
  const { users } = console.context
  await users.change('leaver', { disabled: true })
  await deleteRow('leaver')
  const deleted = expect.objectContaining({ code: 'user-deleted' })
  await expect(users.upsertFromSso(leaver)).rejects.toEqual(deleted)
  await expect(users.upsertFromSso({ ...leaver, username: 'leaver-2' })).rejects.toEqual(deleted)
  const again = await console.api('POST', '/v1/users', { username: 'leaver', password, role: 'viewer' })
  expect([again.status, again.body.code]).toEqual([409, 'user-deleted'])
  await expect.poll(refusals).toContainEqual({ row: { table: 'users', key: 'leaver' }, why: 'missing' })
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

it('a user whom the log did not know is noted at a start, and missed when the row is deleted', async () => {
  const { users } = console.context
  // As a row from before rows were sealed, which the migration has sealed: no entry names it.
  const names = Array.from({ length: 20 }, (_, i) => `early-${i}`)
  for (const name of names) await users.create(name, password, 'viewer')
  const noted = async () => {
    const { entries } = await console.context.audit.page({ act: 'user-change', limit: 100 })
    return entries.filter((entry) => entry.rows?.some(({ key }) => names.includes(key)))
  }
  const second = await testConsole(keyspace)
  await expect.poll(async () => (await noted()).length).toBe(2)
  await second.context.session.close()
  const entries = await noted()
  expect(new Set(entries.map(({ id }) => id)).size).toBe(1)
  expect(entries.flatMap(({ rows = [] }) => rows.map(({ key }) => key))).toEqual(
    expect.arrayContaining(names),
  )
  await deleteRow('early-19')
  // This console knows of the user by the log alone.
  const third = await testConsole(keyspace)
  const deleted = expect.objectContaining({ code: 'user-deleted' })
  await expect(third.context.users.refuseDeleted('early-19', null)).rejects.toEqual(deleted)
  // It is noted once.
  expect(await noted()).toHaveLength(2)
  await third.context.session.close()
})
