import type { Statement } from 'leasehold/cassandra'
import { StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../contract/audit.ts'
import { type Answer, cookieOf, password, type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'
import { peopleFollowUps } from '../people-follow-up.ts'
import { peopleStatements } from '../people-statements.ts'
import { Users } from '../users.ts'

/** Changes of users at the same time, through several instances, and with lost answers. */
let keyspace: string
let console: TestConsole
const newPassword = 'a password of theirs'
const change = (username: string, to: unknown) => console.api('PUT', `/v1/users/${username}`, to)

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
  await console.context.users.create('ann', newPassword, 'operator')
})
afterAll(() => console?.context.session.close())

describe('the last admin', () => {
  it('cannot be demoted or disabled', async () => {
    await change('ann', { role: 'operator' })
    for (const to of [{ role: 'operator' }, { disabled: true }, { role: 'viewer', disabled: true }]) {
      const refused = await change('admin', to)
      expect([refused.status, refused.body.code]).toEqual([409, 'last-admin'])
    }
    expect((await change('admin', { role: 'admin' })).status).toBe(200)
    // An admin by single sign-on does not count: the provider can take the role at any time.
    const { users } = console.context
    await users.upsertFromSso({ subject: 'https://idp.example|9', username: 'root', role: 'admin' })
    expect((await change('admin', { disabled: true })).body.code).toBe('last-admin')
    expect((await change('root', { disabled: true })).status).toBe(200)
    await change('ann', { role: 'admin' })
    expect((await change('ann', { disabled: true })).status).toBe(200)
    expect((await change('admin', { role: 'viewer' })).body.code).toBe('last-admin')
    await change('ann', { disabled: false })
  })

  it('cannot change a role that the provider names, because the next sign-in would undo it', async () => {
    const { users } = console.context
    await users.upsertFromSso({ subject: 'https://idp.example|10', username: 'grace', role: 'operator' })
    const demoted = await change('grace', { role: 'viewer', disabled: true })
    expect([demoted.status, demoted.body.code]).toEqual([409, 'role-elsewhere'])
    expect(demoted.body.detail).toContain('Change the claim there, or disable grace here')
    expect(await users.find('grace')).toMatchObject({ role: 'operator', disabled: false })
    expect((await change('grace', { role: 'operator', disabled: true })).body.disabled).toBe(true)
  })

  it('stays when all admins are demoted at the same time, through several instances', async () => {
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

  it('stays when a removal was decided before another one, and made after it', async () => {
    const { users } = console.context
    await users.create('rival', newPassword, 'admin')
    const { renewUser } = statements()
    let changed: unknown
    // Decided while both were admins; the new version of its witness waits until that one is demoted.
    const late = usersThrough(async (cql) => {
      if (cql === renewUser.cql) changed ??= await users.change('admin', { role: 'viewer' })
    })
    expect(await late.change('rival', { role: 'viewer' })).toEqual({ kind: 'refused', refusal: 'last-admin' })
    expect(changed).toMatchObject({ kind: 'changed' })
    await users.change('admin', { role: 'admin' })
    await users.change('rival', { role: 'viewer' })
  })

  it('stays when the other admin is removed between the witness and the change', async () => {
    const { users } = console.context
    await users.change('rival', { role: 'admin' })
    const { changeUser } = statements()
    let changed: unknown
    const late = usersThrough(async (cql) => {
      if (cql === changeUser.cql) changed ??= await users.change('admin', { role: 'viewer' })
    })
    expect(await late.change('rival', { role: 'viewer' })).toEqual({ kind: 'refused', refusal: 'last-admin' })
    expect(changed).toMatchObject({ kind: 'changed' })
    await users.change('admin', { role: 'admin' })
    await users.change('rival', { role: 'viewer' })
  })

  it('may be removed after a process ended in the middle of the removal of another admin', async () => {
    const { users } = console.context
    await users.create('second', newPassword, 'admin')
    const versionBefore = (await users.find('second'))?.version
    const { changeUser } = statements()
    const crashing = usersThrough(async (cql) => {
      if (cql === changeUser.cql) throw new Error('crashed')
    })
    await expect(crashing.change('second', { role: 'viewer' })).rejects.toThrow('crashed')
    expect((await users.find('second'))?.role).toBe('admin')
    const on = { kind: 'user', username: 'second' }
    const before = { role: 'admin', disabled: false, userVersion: versionBefore }
    const intent = { act: 'user-change', on, before, after: { role: 'viewer' } } as AuditEntry
    expect(await peopleFollowUps(console.context)['user-change']?.(intent, { early: false })).toEqual({
      outcome: 'not-done',
      after: { role: 'admin', disabled: false },
      rows: [{ table: 'users', key: 'second', version: (await users.find('second'))?.version }],
    })
    expect((await users.change('admin', { role: 'viewer' })).kind).toBe('changed')
    await users.change('admin', { role: 'admin' })
  })

  it('who is the witness of a removal keeps the elevation', async () => {
    const first = await console.api('POST', '/v1/session', { username: 'admin', password }, { cookie: '' })
    const as = (answer: Answer) => ({ cookie: cookieOf(answer) })
    const cookie = as(await console.api('POST', '/v1/session/elevation', { password }, as(first)))
    expect((await console.api('PUT', '/v1/users/second', { role: 'viewer' }, cookie)).status).toBe(200)
    const session = await console.api('GET', '/v1/session', undefined, cookie)
    expect(session.body.elevatedUntil).not.toBeNull()
  })
})

describe('a change of a user', () => {
  it('is made once when its answer was lost', async () => {
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

  it('does not undo a later change, when its answer was lost', async () => {
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

  it('is unknown when its answer was lost and Cassandra does not answer after it', async () => {
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

/** Users over a session that calls the test before each statement is sent and after it was answered. */
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
