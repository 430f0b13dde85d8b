import type { Statement } from 'leasehold/cassandra'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { encodeSegment } from '../../../contract/path.ts'
import { peopleStatements } from '../../people/people-statements.ts'
import { Users } from '../../people/users.ts'
import {
  cookieOf,
  openSession,
  settledRelease,
  type TestConsole,
  testConsole,
} from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'
import { password, pathOf } from './test-releasing.ts'

/** An instance that made an account before another one's was seen: both instances made one for the same person. */
function usersBeforeTheOther({ context }: TestConsole): Users {
  const { session, rows } = context
  const statements = peopleStatements(session.keyspace, session.serial)
  let seen = 0
  const early = new Proxy(session, {
    get: (target, key) =>
      key !== 'execute'
        ? Reflect.get(target, key)
        : (statement: Statement, values: unknown[]) =>
            statement.cql === statements.listUsers.cql && seen++ === 0
              ? Promise.resolve({ rows: [] })
              : target.execute(statement, values),
  })
  return new Users({ session: early, statements, rows })
}

describe('one person with two accounts', () => {
  const dayMs = 24 * 3_600_000
  let keyspace: string
  let strict: TestConsole

  beforeAll(async () => {
    const config = { secondPersonFor: ['two/'] }
    keyspace = await emptiedKeyspace()
    strict = await testConsole(keyspace, { LEASEHOLD_CONFIG: JSON.stringify(config) })
  })
  afterAll(() => strict?.context.session.close())

  /** The cookie of an elevated session, of an account that was made `agoMs` ago. */
  async function account(username: string, agoMs: number): Promise<string> {
    const { users } = strict.context
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - agoMs })
    await users.create(username, password, 'admin', 'admin').finally(() => vi.useRealTimers())
    return signedIn(username)
  }
  async function signedIn(username: string): Promise<string> {
    const first = await strict.api('POST', '/v1/session', { username, password }, { cookie: '' })
    const cookie = cookieOf(first)
    return cookieOf(await strict.api('POST', '/v1/session/elevation', { password }, { cookie }))
  }
  async function request(name: string, cookie: string): Promise<string> {
    await strict.api('PUT', `/v1/locks/${encodeSegment(name)}`, { owner: 'holder', ttlSeconds: 60 })
    const made = (await strict.api('POST', pathOf(name, '/release-plan'), {}, { cookie })).body
    const body = { plan: made.plan, mode: 'kill', reason: 'INC-1', confirmName: name }
    expect((await strict.api('POST', pathOf(name, '/release'), body, { cookie })).status).toBe(202)
    return made.id
  }
  const approve = async (id: string, cookie: string) => {
    const answer = strict.api('POST', `/v1/releases/${id}/approval`, undefined, { cookie })
    const { status, body } = await settledRelease(strict, answer)
    return [status, body.code ?? body.outcome]
  }

  it('is refused: neither approves an account that was made or changed within a day, nor is one approved', async () => {
    const [old, older, young] = [
      await account('old', 2 * dayMs),
      await account('older', 3 * dayMs),
      await account('young', 3_600_000),
    ]
    const id = await request('two/alone', old)
    expect(await approve(id, young)).toEqual([403, 'forbidden'])
    expect(await approve(await request('two/other', young), old)).toEqual([403, 'forbidden'])
    expect(await approve(id, older)).toEqual([200, 'released'])
    // A password that another account set, which the owner of the account then changes, to hide it.
    const again = await request('two/again', old)
    await strict.context.users.setPassword('older', 'a password of old', { by: 'old' })
    await strict.context.users.setPassword('older', password, { by: 'older' })
    expect(await approve(again, await signedIn('older'))).toEqual([403, 'forbidden'])
  })

  it('of one subject of single sign-on is refused as the second person, and disabled as one', async () => {
    const { users, sessions } = strict.context
    const person = { subject: 'https://idp.example twin', role: 'admin' } as const
    const dayAgo = { toFake: ['Date' as const], now: Date.now() - 2 * dayMs }
    vi.useFakeTimers(dayAgo)
    try {
      await users.upsertFromSso({ ...person, username: 'twin' })
      await usersBeforeTheOther(strict).upsertFromSso({ ...person, username: 'twin-2' })
    } finally {
      // The files of a process share its clock.
      vi.useRealTimers()
    }
    expect(await users.find('twin-2')).not.toBeNull()
    const open = async (username: string) => {
      const elevated = await sessions.elevate(await openSession(strict.context, username, 'sso'))
      return `leasehold-3000=${elevated?.id}`
    }
    const [one, two] = [await open('twin'), await open('twin-2')]
    const id = await request('two/twins', one)
    expect(await approve(id, two)).toEqual([403, 'forbidden'])
    expect(await users.upsertFromSso({ ...person, username: 'twin-2' })).toMatchObject({ username: 'twin' })
    expect((await strict.api('PUT', '/v1/users/twin', { disabled: true })).status).toBe(200)
    expect((await strict.api('GET', '/v1/session', undefined, { cookie: two })).status).toBe(401)
  })

  it('is said to admins, who can disable the account that sign-ins do not use', async () => {
    const { users, audit } = strict.context
    const person = { subject: 'https://idp.example double', role: 'operator' } as const
    await users.upsertFromSso({ ...person, username: 'double' })
    await usersBeforeTheOther(strict).upsertFromSso({ ...person, username: 'double-2' })
    const samePerson = async () => {
      const { body } = await strict.api('GET', '/v1/users')
      const named = body.users.filter((user: { username: string }) => user.username.startsWith('double'))
      return named.map((user: { samePerson?: string[] }) => user.samePerson)
    }
    const both = ['double', 'double-2']
    expect(await samePerson()).toEqual([both, both])
    const restarted = await testConsole(keyspace)
    const said = async () =>
      (await audit.page({ chain: 'refused', act: 'refusal', limit: 100 })).entries.map(({ after }) => after)
    await expect.poll(said).toContainEqual({ accounts: both })
    await restarted.context.session.close()
    const open = async (username: string) =>
      `leasehold-3000=${await openSession(strict.context, username, 'sso')}`
    const [one, two] = [await open('double'), await open('double-2')]
    const stateOf = async (cookie: string) =>
      (await strict.api('GET', '/v1/session', undefined, { cookie })).status
    expect((await strict.api('PUT', '/v1/users/double-2', { disabled: true })).status).toBe(200)
    expect([await stateOf(one), await stateOf(two)]).toEqual([200, 401])
    expect(await samePerson()).toEqual([undefined, undefined])
  })
})
