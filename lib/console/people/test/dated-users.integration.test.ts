import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AuditAct } from '../../../contract/audit.ts'
import { cookieOf, password, type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'

/**
 * A client with the writer's password writes or deletes the rows of users with a timestamp in the future. Cassandra then answers
 * that the console's writes were applied, and they have no effect.
 */
let keyspace: string
let console: TestConsole

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
})
afterAll(() => console?.context.session.close())

const inAYear = new Date(Date.now() + 365 * 86_400_000)
const micros = BigInt(inAYear.getTime()) * 1000n
const run = (cql: string, values: unknown[] = []) =>
  console.context.session.client.execute(cql, values, { prepare: true })
const made = async (username: string) => {
  const user = { username, password, role: 'viewer' }
  expect((await console.api('POST', '/v1/users', user)).status).toBe(201)
}
/** Writes a row once more as it is, or some of its columns. */
async function date(username: string, columns?: string[]): Promise<void> {
  const [row] = (await run(`SELECT * FROM "${keyspace}".users WHERE username = ?`, [username])).rows
  const names = columns === undefined ? (row?.keys() ?? []) : ['username', ...columns]
  await run(
    `INSERT INTO "${keyspace}".users (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) USING TIMESTAMP ?`,
    [...names.map((name) => row?.get(name)), micros],
  )
}
const signIn = (username: string, typed = password) =>
  console.api('POST', '/v1/session', { username, password: typed }, { cookie: '' })
const outcomes = async (act: AuditAct, username: string) => {
  const { entries } = await console.context.audit.page({ act, limit: 100 })
  return entries
    .filter(({ on }) => on.kind === 'user' && on.username === username)
    .map((each) => each.outcome)
}

it.each([
  ['a new password', 'password', 'POST', '/password', { password: 'another password' }],
  ['the end of an account', 'user-change', 'PUT', '', { disabled: true }],
] as const)(
  '%s without effect is said to have none, and the row as it was gives no right',
  async (_, act, method, path, body) => {
    const username = `dated-${act}`
    await made(username)
    await date(username)
    const answer = await console.api(method, `/v1/users/${username}${path}`, body)
    expect([answer.status, answer.body?.code]).toEqual([409, 'no-effect'])
    expect(answer.body.detail).toContain(inAYear.toISOString())
    expect(answer.body.detail).toContain('`npm run user` with --repair')
    for (const typed of [password, 'another password'])
      expect((await signIn(username, typed)).status).toBe(401)
    await expect.poll(() => outcomes(act, username)).toEqual(['no-effect', null])
    // The chain names the version that the row did not get.
    const other = await testConsole(keyspace)
    expect(await other.context.users.find(username)).toBeNull()
    await other.context.session.close()
  },
)

it('a change is said to have no effect also where one column alone has a timestamp in the future', async () => {
  for (const column of ['seal', 'password_hash', 'change_id', 'version']) {
    await made(`part-${column}`)
    await date(`part-${column}`, [column])
    const answer = await console.api('POST', `/v1/users/part-${column}/password`, {
      password: 'another password',
    })
    expect([column, answer.status, answer.body?.code]).toEqual([column, 409, 'no-effect'])
  }
})

it('one’s own new password without effect opens no session', async () => {
  await made('own')
  const cookie = cookieOf(await signIn('own'))
  await date('own')
  const body = { current: password, password: 'another password' }
  const answer = await console.api('POST', '/v1/session/password', body, { cookie })
  expect([answer.status, answer.body?.code]).toEqual([409, 'no-effect'])
  expect(answer.headers.get('set-cookie')).toBeNull()
})

it('all sessions of a person end, although the write that ends them had no effect', async () => {
  await made('leaving')
  const cookies = [cookieOf(await signIn('leaving')), cookieOf(await signIn('leaving'))]
  await date('leaving')
  const [cookie = '', other = ''] = cookies
  const ended = await console.api('DELETE', '/v1/session?everywhere=true', undefined, { cookie })
  expect(ended.status).toBe(204)
  expect((await console.api('GET', '/v1/session', undefined, { cookie: other })).status).toBe(401)
})

it('an admin is not removed while the one other admin has a row with a timestamp in the future', async () => {
  await console.api('POST', '/v1/users', { username: 'boss', password, role: 'admin' })
  await date('boss')
  const answer = await console.api('PUT', '/v1/users/admin', { role: 'viewer' })
  expect([answer.status, answer.body?.code]).toEqual([409, 'no-effect'])
  expect(answer.body.detail).toContain('boss')
  expect(await console.context.users.find('admin')).toMatchObject({ role: 'admin' })
})

it('a user whom a deletion in the future hides is not said to be made, and keeps no person of single sign-on out', async () => {
  await run(`DELETE FROM "${keyspace}".users USING TIMESTAMP ? WHERE username = ?`, [micros, 'never'])
  const answer = await console.api('POST', '/v1/users', { username: 'never', password, role: 'viewer' })
  expect([answer.status, answer.body?.code]).toEqual([409, 'no-effect'])
  expect(answer.body.detail).toContain('cannot be read')
  await expect.poll(() => outcomes('user-create', 'never')).toEqual(['no-effect', null])
  await expect(console.context.users.refuseDeleted('new', 'https://idp.example 9')).rejects.toMatchObject({
    message: expect.not.stringContaining('never'),
  })
})

it('rows that were copied out of the table, and back after a TRUNCATE, count and can be changed', async () => {
  await made('copied')
  await date('copied')
  const { rows } = await run(`SELECT JSON * FROM "${keyspace}".users`)
  await run(`TRUNCATE "${keyspace}".users`)
  for (const row of rows) await run(`INSERT INTO "${keyspace}".users JSON ?`, [row.get('[json]')])
  expect((await signIn('copied')).status).toBe(200)
  const body = { password: 'another password' }
  expect((await console.api('POST', '/v1/users/copied/password', body)).status).toBe(204)
  expect((await signIn('copied', body.password)).status).toBe(200)
  const never = { username: 'never', password, role: 'viewer' }
  expect((await console.api('POST', '/v1/users', never)).status).toBe(201)
})
