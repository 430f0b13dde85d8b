import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cookieOf, openSession, password, type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'

/** Users, as the API makes, shows and changes them. */
let keyspace: string
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
  keyspace = await emptiedKeyspace()
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

  it('are named in refusals; a typed name that no user has is not kept', async () => {
    for (const username of ['admin', 'hunter2 is my password'])
      await console.api('POST', '/v1/session', { username, password: 'wrong' }, { cookie: '' })
    await vi.waitFor(async () => {
      const { entries } = await console.context.audit.page({ chain: 'refused', act: 'sign-in' })
      const named = entries.map(({ actor }) => actor.username).sort()
      expect(named).toEqual(['admin', 'h… (22 characters)'])
      expect(JSON.stringify(entries)).not.toContain('hunter2')
    }, 60_000)
  })

  it('do no act when a stranger brings a set-up link that was used, or is none: it is a refusal with its reason', async () => {
    const { hash } = new URL(await console.context.setupLink.issue())
    for (const token of [hash.slice(1), 'none']) {
      const body = { token, password: newPassword }
      const { status, body: problem } = await console.api('POST', '/v1/setup', body, { cookie: '' })
      expect([status, problem.code]).toEqual([401, 'setup-link-invalid'])
    }
    const refused = async () =>
      (await entries('refusal', 'refused'))
        .filter(({ actor }) => actor.via === 'link')
        .map(({ actor, on, outcome, reason }) => [actor.username, on, outcome, reason])
    const route = { kind: 'route', route: 'POST /v1/setup' }
    await expect.poll(refused).toEqual([
      ['', route, 'refused', expect.stringMatching(/^This link is not valid, or has expired\./)],
      ['', route, 'refused', 'This link was used: the user admin has a password. Sign in with it.'],
    ])
    expect((await entries('set-up')).filter(({ actor }) => actor.via === 'link')).toEqual([])
    // The password of the first use still counts.
    await signIn('admin', password)
  })

  it('have a new role from the next request on', async () => {
    const ann = await signIn('ann')
    expect((await console.api('GET', '/v1/users', undefined, { cookie: ann })).status).toBe(403)
    expect((await change('ann', { role: 'admin' })).body.role).toBe('admin')
    expect((await console.api('GET', '/v1/users', undefined, { cookie: ann })).status).toBe(200)
    await change('ann', { role: 'viewer' })
    expect((await console.api('PUT', '/v1/locks/x', {}, { cookie: ann })).status).toBe(403)
    await change('ann', { disabled: true })
    expect((await whoIs(ann)).status).toBe(401)
    const refused = await console.api('POST', '/v1/session', { username: 'ann', password: newPassword })
    const unknown = await console.api('POST', '/v1/session', { username: 'no-one', password: newPassword })
    expect([refused.status, refused.body.detail]).toEqual([unknown.status, unknown.body.detail])
    await change('ann', { disabled: false, role: 'operator' })
    expect((await whoIs(ann)).status).toBe(401)
    expect((await whoIs(await signIn('ann'))).body.role).toBe('operator')
    expect((await change('no-one', { role: 'viewer' })).body.code).toBe('not-found')
    expect((await change('ann', {})).status).toBe(400)
  })

  it('are signed out everywhere when they ask for it, or when their password changes', async () => {
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

  it('of a provider have no password here, and the role that the provider names', async () => {
    const { users } = console.context
    const eve = { subject: 'https://idp.example|1', username: 'eve', role: 'operator' } as const
    expect(await users.upsertFromSso(eve)).toMatchObject({ role: 'operator', disabled: false })
    expect(await users.upsertFromSso({ ...eve, role: 'viewer' })).toMatchObject({ role: 'viewer' })
    expect(await users.upsertFromSso({ ...eve, subject: 'https://idp.example|2' })).toBe('name-taken')
    const other = { ...eve, subject: 'https://idp.example|3' }
    expect(await users.upsertFromSso({ ...other, username: 'ann' })).toBe('name-taken')
    expect(await users.upsertFromSso({ ...eve, username: 'evelyn', role: 'viewer' })).toMatchObject({
      username: 'eve',
    })
    expect((await console.api('POST', '/v1/users/eve/password', { password: newPassword })).body.code).toBe(
      'no-password',
    )
    await users.upsertFromSso(eve)
    const id = await openSession(console.context, 'eve', 'sso')
    const cookie = `leasehold-3000=${id}`
    expect((await whoIs(cookie)).body).toMatchObject({ username: 'eve', via: 'sso', role: 'operator' })
    const up = await console.api('POST', '/v1/session/elevation', { password: newPassword }, { cookie })
    expect(up.body.code).toBe('no-password')
    await change('eve', { disabled: true })
    expect(await users.upsertFromSso(eve)).toMatchObject({ disabled: true })
    expect((await whoIs(cookie)).status).toBe(401)
  })

  it('have an audit entry for each change, without a secret', async () => {
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
    const refused = async () => (await entries('password', 'refused')).map(({ actor }) => actor.username)
    // A refusal is written behind its answer.
    await expect.poll(refused).toContain('ann')
    expect((await entries('sign-out')).map(({ phase }) => phase)).toEqual(['outcome', 'intent'])
    const all = JSON.stringify((await console.context.audit.page({ limit: 200 })).entries)
    for (const secret of [password, newPassword, 'one that admin chose', 'argon2', '$k'])
      expect(all).not.toContain(secret)
  })
})
