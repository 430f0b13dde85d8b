import type { Statement } from 'leasehold/cassandra'
import { StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AuditEntry } from '../../contract/audit.ts'
import { cookieOf, password, type TestConsole, testConsole } from '../test/test-console.ts'
import { peopleFollowUps } from './people-follow-up.ts'
import { peopleStatements } from './people-statements.ts'
import { Users } from './users.ts'

/** Who may do what, changed: over HTTP, and by several at the same time. */
const keyspace = `users_test_${Date.now().toString(36)}`
let console: TestConsole
const newPassword = 'a password of theirs'
const signIn = async (username: string, secret = newPassword) =>
  cookieOf(await console.api('POST', '/v1/session', { username, password: secret }, { cookie: '' }))
const create = (username: string, role: string) =>
  console.api('POST', '/v1/users', { username, password: newPassword, role })
const change = (username: string, to: unknown, cookie = console.cookie) =>
  console.api('PUT', `/v1/users/${username}`, to, { cookie })
const whoIs = (cookie: string) => console.api('GET', '/v1/session', undefined, { cookie })
const entries = async (act: string, chain: 'main' | 'refused' = 'main') => {
  const { entries } = await console.context.audit.page({ act: act as 'user-change', chain, limit: 50 })
  return entries
}

beforeAll(async () => {
  console = await testConsole(keyspace)
})
afterAll(() => console?.context.session.close())

describe('users', () => {
  it('are made with a role, once, and shown without their secrets', async () => {
    const created = await create('ann', 'operator')
    expect([created.status, created.body]).toEqual([
      201,
      { username: 'ann', role: 'operator', disabled: false, via: 'password', createdAt: expect.any(String) },
    ])
    expect((await create('ann', 'admin')).body.code).toBe('user-exists')
    const { body } = await console.api('GET', '/v1/users')
    expect(body.users.map((user: { username: string }) => user.username)).toEqual(['admin', 'ann'])
    expect(JSON.stringify(body)).not.toContain('argon2')
    expect((await create('an n', 'viewer')).status).toBe(400)
  })

  it('are named when they are refused; what was typed for a name that nobody has is not kept', async () => {
    for (const username of ['admin', 'hunter2 is my password'])
      await console.api('POST', '/v1/session', { username, password: 'wrong' }, { cookie: '' })
    await vi.waitFor(async () => {
      const { entries } = await console.context.audit.page({ chain: 'refused', act: 'sign-in' })
      const named = entries.map(({ actor }) => actor.username).sort()
      expect(named).toEqual(['admin', 'h… (22 characters)'])
      expect(JSON.stringify(entries)).not.toContain('hunter2')
    }, 30_000)
  })

  it('are what they are now: a role counts from the next request on', async () => {
    const ann = await signIn('ann')
    expect((await console.api('GET', '/v1/users', undefined, { cookie: ann })).status).toBe(403)
    expect((await change('ann', { role: 'admin' })).body.role).toBe('admin')
    expect((await console.api('GET', '/v1/users', undefined, { cookie: ann })).status).toBe(200)
    await change('ann', { role: 'viewer' })
    expect((await console.api('PUT', '/v1/locks/x', {}, { cookie: ann })).status).toBe(403)
    await change('ann', { disabled: true })
    expect((await whoIs(ann)).status).toBe(401)
    const refused = await console.api('POST', '/v1/session', { username: 'ann', password: newPassword })
    const unknown = await console.api('POST', '/v1/session', { username: 'nobody', password: newPassword })
    expect([refused.status, refused.body.detail]).toEqual([unknown.status, unknown.body.detail])
    await change('ann', { disabled: false, role: 'operator' })
    expect((await whoIs(ann)).status).toBe(401)
    expect((await whoIs(await signIn('ann'))).body.role).toBe('operator')
    expect((await change('nobody', { role: 'viewer' })).body.code).toBe('not-found')
    expect((await change('ann', {})).status).toBe(400)
  })

  it('leave everywhere when they say so, or when their password is another', async () => {
    const [one, two] = [await signIn('ann'), await signIn('ann')]
    await console.api('DELETE', '/v1/session?everywhere=true', undefined, { cookie: one })
    expect([(await whoIs(one)).status, (await whoIs(two)).status]).toEqual([401, 401])
    const three = await signIn('ann')
    expect(
      (await console.api('POST', '/v1/users/ann/password', { password: 'one that admin chose' })).status,
    ).toBe(204)
    expect((await whoIs(three)).status).toBe(401)
    const four = await signIn('ann', 'one that admin chose')
    const five = await signIn('ann', 'one that admin chose')
    const own = (current: string) =>
      console.api('POST', '/v1/session/password', { current, password: newPassword }, { cookie: four })
    expect((await own('a wrong guess')).body.code).toBe('wrong-credentials')
    const changed = await own('one that admin chose')
    expect(changed.status).toBe(200)
    const here = cookieOf(changed)
    expect(await Promise.all([four, five, here].map(async (cookie) => (await whoIs(cookie)).status))).toEqual(
      [401, 401, 200],
    )
  })

  it('who come from elsewhere have no password here, and the role that is said there', async () => {
    const { users, sessions } = console.context
    const eve = { subject: 'https://idp.example|1', username: 'eve', role: 'operator' } as const
    expect(await users.upsertFromSso(eve)).toMatchObject({ role: 'operator', disabled: false })
    expect(await users.upsertFromSso({ ...eve, role: 'viewer' })).toMatchObject({ role: 'viewer' })
    expect(await users.upsertFromSso({ ...eve, subject: 'https://idp.example|2' })).toBe('name-taken')
    expect(await users.upsertFromSso({ ...eve, username: 'ann' })).toBe('name-taken')
    expect((await console.api('POST', '/v1/users/eve/password', { password: newPassword })).body.code).toBe(
      'no-password',
    )
    await users.upsertFromSso(eve)
    const id = await sessions.open({ username: 'eve', via: 'sso', address: null })
    const cookie = `leasehold-3000=${id}`
    expect((await whoIs(cookie)).body).toMatchObject({ username: 'eve', via: 'sso', role: 'operator' })
    const up = await console.api('POST', '/v1/session/elevation', { password: newPassword }, { cookie })
    expect(up.body.code).toBe('no-password')
    await change('eve', { disabled: true })
    expect(await users.upsertFromSso(eve)).toMatchObject({ disabled: true })
    expect((await whoIs(cookie)).status).toBe(401)
  })

  it('each leave their line in the audit, without a secret', async () => {
    const changes = await entries('user-change')
    const made = changes.find(
      ({ phase, on, after }) =>
        phase === 'outcome' &&
        on.kind === 'user' &&
        on.username === 'ann' &&
        (after as { role: string }).role === 'admin',
    )
    expect(made).toMatchObject({
      actor: { username: 'admin', role: 'admin', via: 'password' },
      before: { role: 'operator', disabled: false },
      outcome: 'ok',
    })
    expect(changes.filter(({ id }) => id === made?.id).map(({ phase }) => phase)).toEqual([
      'outcome',
      'intent',
    ])
    const refused = await entries('password', 'refused')
    expect(refused.map(({ actor }) => actor.username)).toContain('ann')
    expect((await entries('sign-out')).length).toBe(1)
    const all = JSON.stringify((await console.context.audit.page({ limit: 200 })).entries)
    for (const secret of [password, newPassword, 'one that admin chose', 'argon2', '$k'])
      expect(all).not.toContain(secret)
  })
})

describe('the last admin', () => {
  it('stays: neither demoted nor disabled, nor by themselves', async () => {
    await change('ann', { role: 'operator' })
    for (const to of [{ role: 'operator' }, { disabled: true }, { role: 'viewer', disabled: true }]) {
      const refused = await change('admin', to)
      expect([refused.status, refused.body.code]).toEqual([409, 'last-admin'])
    }
    expect((await change('admin', { role: 'admin' })).status).toBe(200)
    // Who is admin by single sign-on is decided elsewhere, and keeps nobody in.
    const { users } = console.context
    await users.upsertFromSso({ subject: 'https://idp.example|9', username: 'root', role: 'admin' })
    expect((await change('admin', { disabled: true })).body.code).toBe('last-admin')
    expect((await change('root', { disabled: true })).status).toBe(200)
    await change('ann', { role: 'admin' })
    expect((await change('ann', { disabled: true })).status).toBe(200)
    expect((await change('admin', { role: 'viewer' })).body.code).toBe('last-admin')
    await change('ann', { disabled: false })
  })

  it('cannot give another role to who has theirs from the provider, whose claim would undo it', async () => {
    const { users } = console.context
    await users.upsertFromSso({ subject: 'https://idp.example|10', username: 'grace', role: 'operator' })
    const demoted = await change('grace', { role: 'viewer', disabled: true })
    expect([demoted.status, demoted.body.code]).toEqual([409, 'role-elsewhere'])
    expect(demoted.body.detail).toContain('change the claim there, or disable grace here')
    expect(await users.find('grace')).toMatchObject({ role: 'operator', disabled: false })
    expect((await change('grace', { role: 'operator', disabled: true })).body.disabled).toBe(true)
  })

  it('is one of many who are all demoted at the same time, through several instances', async () => {
    const { session } = console.context
    const names = Array.from({ length: 6 }, (_, i) => `chief${i}`)
    const instances = names.map(
      () =>
        new Users({
          session,
          rows: console.context.rows,
          statements: peopleStatements(keyspace, session.serial),
        }),
    )
    for (const name of names) await console.context.users.create(name, newPassword, 'admin')
    await change('ann', { role: 'viewer' })
    const all = ['admin', ...names]
    const outcomes = await Promise.all(
      all.map((name, i) => (instances[i] ?? console.context.users).change(name, { role: 'viewer' })),
    )
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toEqual([
      { kind: 'refused', refusal: 'last-admin' },
    ])
    const left = (await console.context.users.list()).filter(
      ({ role, disabled }) => role === 'admin' && !disabled,
    )
    const kept = all[outcomes.findIndex(({ kind }) => kind === 'refused')]
    expect(left.map(({ username }) => username)).toEqual([kept])
    if (kept !== 'admin') {
      await console.context.users.change('admin', { role: 'admin' })
      await console.context.users.change(kept as string, { role: 'viewer' })
    }
  })

  it('is seen by a change that was decided before another one, and announced after it', async () => {
    const { users } = console.context
    await users.create('rival', newPassword, 'admin')
    const { announce } = statements()
    let changed: unknown
    // Decided while both were admins; its announcement waits until the other one is an admin no more.
    const late = usersThrough(async (cql) => {
      if (cql === announce.cql) changed ??= await users.change('admin', { role: 'viewer' })
    })
    expect(await late.change('rival', { role: 'viewer' })).toEqual({ kind: 'refused', refusal: 'last-admin' })
    expect(changed).toMatchObject({ kind: 'changed' })
    await users.change('admin', { role: 'admin' })
    await users.change('rival', { role: 'viewer' })
  })

  it('does not count an admin whose removal was announced by a process that ended before it', async () => {
    const { users } = console.context
    await users.create('second', newPassword, 'admin')
    const { changeUser } = statements()
    const crashing = usersThrough(async (cql) => {
      if (cql === changeUser.cql) throw new Error('crashed')
    })
    await expect(crashing.change('second', { role: 'viewer' })).rejects.toThrow('crashed')
    expect((await users.find('second'))?.role).toBe('admin')
    expect(await users.change('admin', { role: 'viewer' })).toEqual({
      kind: 'refused',
      refusal: 'last-admin',
    })
    const on = { kind: 'user', username: 'second' }
    const intent = { act: 'user-change', on, after: { role: 'viewer' } } as AuditEntry
    expect(await peopleFollowUps(console.context)['user-change']?.(intent, { early: false })).toEqual({
      outcome: 'not-done',
      after: { role: 'admin', disabled: false },
      rows: [{ table: 'users', key: 'second', version: (await users.find('second'))?.version }],
    })
    // A later change of the row makes the announcement void.
    await users.change('second', { role: 'viewer' })
    await users.change('second', { role: 'admin' })
    expect((await users.change('admin', { role: 'viewer' })).kind).toBe('changed')
    await users.change('admin', { role: 'admin' })
  })

  it('is changed once by a change whose answer was lost', async () => {
    const { users } = console.context
    const { changeUser } = statements()
    let lost = 0
    const unheard = usersThrough(
      async () => {},
      async (cql) => {
        if (cql === changeUser.cql && lost++ === 0) throw new StatementUnknownError('lost', 'never')
      },
    )
    const before = (await users.find('second'))?.epoch as string
    expect(await unheard.setPassword('second', 'yet another one', { epoch: before })).toMatchObject({
      kind: 'changed',
    })
    expect([lost, await users.verify('second', 'yet another one', { known: true, key: 'test' })]).toEqual([
      // Sent again, which finds it done.
      2,
      expect.anything(),
    ])
  })

  it('does not undo what another one did after it, when its answer was lost', async () => {
    const { users } = console.context
    const { changeUser } = statements()
    let lost = 0
    const unheard = usersThrough(
      async () => {},
      async (cql) => {
        if (cql !== changeUser.cql || lost++ > 0) return
        await users.change('second', { role: 'operator' })
        throw new StatementUnknownError('lost', 'never')
      },
    )
    await users.change('second', { role: 'admin' })
    await expect(unheard.change('second', { role: 'viewer' })).rejects.toMatchObject({
      code: 'statement-unknown',
    })
    expect((await users.find('second'))?.role).toBe('operator')
  })

  it('is not said to be untouched, when an answer was lost and Cassandra is silent after it', async () => {
    const { changeUser, insertUser, confirmUser } = statements()
    let lost = false
    const silenced = usersThrough(
      async (cql) => {
        if (lost && [changeUser.cql, confirmUser.cql].includes(cql)) throw new StoreUnavailableError('silent')
      },
      async (cql) => {
        if (![changeUser.cql, insertUser.cql].includes(cql)) return
        lost = true
        throw new StatementUnknownError('lost', 'never')
      },
    )
    const unknown = { code: 'statement-unknown' }
    await expect(silenced.change('second', { role: 'viewer' })).rejects.toMatchObject(unknown)
    lost = false
    await expect(silenced.create('unheard', newPassword, 'viewer')).rejects.toMatchObject(unknown)
  })
})

const statements = () => peopleStatements(keyspace, console.context.session.serial)

/** Users over a session of whose statements a test hears, before they are sent and after they were answered. */
function usersThrough(before: (cql: string) => Promise<void>, after = async (_cql: string) => {}): Users {
  const { session } = console.context
  const heard = new Proxy(session, {
    get: (target, key) =>
      key !== 'execute'
        ? Reflect.get(target, key)
        : async (statement: Statement, values: unknown[]) => {
            await before(statement.cql)
            const rows = await target.execute(statement, values)
            await after(statement.cql)
            return rows
          },
  })
  return new Users({ session: heard, rows: console.context.rows, statements: statements() })
}
