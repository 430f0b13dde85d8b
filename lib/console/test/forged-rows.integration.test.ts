import cassandra from 'cassandra-driver'
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { type Clock, systemClock, systemTimer } from 'leasehold/time'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AuditEvent } from '../../contract/audit.ts'
import { testContactPoint } from '../../leasehold/test/node-session.ts'
import { serverActor } from '../audit/actor.ts'
import { graceMs, Recovery } from '../audit/recovery/recovery.ts'
import { log } from '../http/log/log.ts'
import { peopleFollowUps } from '../people/people-follow-up.ts'
import { sessionIdHash } from '../people/sessions/session-row.ts'
import { tokenFollowUps } from '../programs/tokens/token-follow-up.ts'
import { cookieOf, password, type TestConsole, testConsole } from './test-console.ts'
import { emptiedKeyspace } from './test-keyspace.ts'

/** What the writer's role can put into the tables of users, sessions and tokens gives no right. */
let keyspace: string
let console: TestConsole
/** Signed in as the console's own writer, past the console. */
let writer: cassandra.Client
type Row = Record<string, unknown>

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
  const { username, password: secret } = console.context.config.cassandra
  const options: cassandra.ClientOptions = {
    contactPoints: [testContactPoint()],
    localDataCenter: 'datacenter1',
    protocolOptions: { maxVersion: 4 },
    encoding: { useBigIntAsLong: true },
    socketOptions: { connectTimeout: 60_000, readTimeout: 60_000 },
  }
  if (username !== undefined) options.credentials = { username, password: secret ?? '' }
  writer = new cassandra.Client(options)
  for (const [name, role] of [
    ['vera', 'viewer'],
    ['otto', 'operator'],
    ['dora', 'operator'],
  ] as const)
    await console.api('POST', '/v1/users', { username: name, password, role })
})
afterAll(async () => {
  await writer?.shutdown()
  await console?.context.session.close()
})

const read = async (table: string, key: string, value: string): Promise<Row> => {
  const cql = `SELECT * FROM "${keyspace}".${table} WHERE ${key} = ?`
  const row = (await writer.execute(cql, [value], { prepare: true })).rows[0] as cassandra.types.Row
  return Object.fromEntries(row.keys().map((name) => [name, row.get(name)]))
}
/** Writes a row as it is given, dated as wished. @param afterMs how much later than now the write is dated */
async function put(table: string, row: Row, afterMs = 0): Promise<void> {
  const names = Object.keys(row)
  const marks = names.map(() => '?').join(', ')
  const micros = BigInt(Date.now() + afterMs) * 1000n
  await writer.execute(
    `INSERT INTO "${keyspace}".${table} (${names.join(', ')}) VALUES (${marks}) USING TIMESTAMP ?`,
    [...names.map((name) => row[name]), micros],
    { prepare: true },
  )
}
const signIn = async (username: string) =>
  cookieOf(await console.api('POST', '/v1/session', { username, password }, { cookie: '' }))
const idOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1)
const whoIs = (cookie: string) => console.api('GET', '/v1/session', undefined, { cookie })
const status = async (cookie: string) => (await whoIs(cookie)).status
const refusals = async () => {
  const { entries } = await console.context.audit.page({ chain: 'refused', act: 'refusal', limit: 100 })
  return entries.map(({ after }) => after)
}
const reported = (table: string, key: string, why: string) =>
  vi.waitFor(async () => expect(await refusals()).toContainEqual({ row: { table, key }, why }), 60_000)
/** Dates of forged writes: before what the console wrote cannot win in Cassandra; these do. */
const dates = [
  ['now', 0],
  ['in a year', 365 * 24 * 3_600_000],
] as const

describe('a session', () => {
  it('that was made, or elevated, past the console is refused', async () => {
    const cookie = await signIn('admin')
    const key = sessionIdHash(idOf(cookie))
    const row = await read('sessions', 'id_hash', key)
    const user = await read('users', 'username', 'admin')
    const forged = 'made-up.YWRtaW4'
    await put('sessions', { ...row, id_hash: sessionIdHash(forged) })
    expect(await status(`leasehold-3000=${forged}`)).toBe(401)
    await reported('sessions', sessionIdHash(forged), 'seal')
    const elevated = { elevated_until: new Date(Date.now() + 3_600_000), elevated_under: user.change_id }
    await put('sessions', { ...row, ...elevated }, 60_000)
    expect(await status(cookie)).toBe(401)
    await reported('sessions', key, 'seal')
  })

  it.each(dates)(
    'that has ended, or was elevated, is not brought back by its old row (%s)',
    async (_, afterMs) => {
      const first = await signIn('admin')
      const up = cookieOf(await console.api('POST', '/v1/session/elevation', { password }, { cookie: first }))
      const key = sessionIdHash(idOf(up))
      const elevated = await read('sessions', 'id_hash', key)
      expect((await console.api('DELETE', '/v1/session/elevation', undefined, { cookie: up })).status).toBe(
        200,
      )
      await put('sessions', elevated, afterMs)
      expect(await status(up)).toBe(401)
      await reported('sessions', key, 'older')
      const other = await signIn('admin')
      const otherKey = sessionIdHash(idOf(other))
      const open = await read('sessions', 'id_hash', otherKey)
      await console.api('DELETE', '/v1/session', undefined, { cookie: other })
      await put('sessions', open, afterMs + 1_000)
      expect(await status(other)).toBe(401)
      await reported('sessions', otherKey, 'older')
    },
  )
})

describe('a user', () => {
  it('whose role was raised, or who was enabled, past the console is refused', async () => {
    const vera = await signIn('vera')
    await put('users', { ...(await read('users', 'username', 'vera')), role: 'admin' })
    expect(await status(vera)).toBe(401)
    expect(await signIn('vera')).toBe('')
    await reported('users', 'vera', 'seal')
    await console.api('PUT', '/v1/users/dora', { disabled: true })
    const { body } = await console.api('GET', '/v1/users')
    expect(body.users.map(({ username }: { username: string }) => username)).toEqual([
      'admin',
      'dora',
      'otto',
    ])
    await put('users', { ...(await read('users', 'username', 'dora')), disabled: false })
    expect(await signIn('dora')).toBe('')
    await reported('users', 'dora', 'seal')
  })

  it('that was made past the console is refused', async () => {
    const admin = await read('users', 'username', 'admin')
    await put('users', { ...admin, username: 'mallory' })
    expect(await signIn('mallory')).toBe('')
    await reported('users', 'mallory', 'seal')
  })

  it.each(dates)('does not get the rights of an old row that was put back (%s)', async (_, afterMs) => {
    const name = `old-${afterMs}`
    await console.api('POST', '/v1/users', { username: name, password, role: 'admin' })
    const before = await read('users', 'username', name)
    const cookie = await signIn(name)
    await console.api('PUT', `/v1/users/${name}`, { role: 'viewer' })
    expect((await whoIs(cookie)).body.role).toBe('viewer')
    await put('users', before, afterMs)
    expect(await status(cookie)).toBe(401)
    await reported('users', name, 'older')
  })
})

describe('user administration', () => {
  it('goes on beside a row of rubbish, which is reported', async () => {
    await console.api('POST', '/v1/users', { username: 'second', password, role: 'admin' })
    await put('users', { username: 'rubbish' })
    expect((await console.api('PUT', '/v1/users/second', { role: 'viewer' })).status).toBe(200)
    await reported('users', 'rubbish', 'seal')
    expect((await console.api('GET', '/v1/users')).status).toBe(200)
  })

  it('removes an admin, whatever the unsealed rows say of other admins', async () => {
    await console.api('PUT', '/v1/users/second', { role: 'admin' })
    const admins = ['admin', 'second'].map((name) => read('users', 'username', name))
    const change = (await Promise.all(admins)).map((row) => ({
      username: row.username,
      follows: row.change_id,
    }))
    await put('user_changes', { scope: 'admins', id: 'x', change: JSON.stringify(change) }, 60_000)
    expect((await console.api('PUT', '/v1/users/second', { role: 'viewer' })).status).toBe(200)
  })
})

describe('a token', () => {
  const bearer = (token: string) => ({ cookie: '', origin: '', authorization: `Bearer ${token}` })
  const ask = async (token: string) =>
    (await console.api('PUT', '/v1/locks/forged', {}, bearer(token))).status

  it('with a wider prefix, or another role, or put back after its revocation, is refused', async () => {
    const make = async (name: string) =>
      (await console.api('POST', '/v1/tokens', { name, prefixes: ['narrow/'] })).body
    const wide = await make('wide')
    await put('api_tokens', { ...(await read('api_tokens', 'id', wide.id)), prefixes: [''] })
    expect(await ask(wide.token)).toBe(401)
    await reported('api_tokens', wide.id, 'seal')
    for (const [, afterMs] of dates) {
      const { id, token } = await make('gone')
      const row = await read('api_tokens', 'id', id)
      expect(await ask(token)).toBe(403)
      await console.api('DELETE', `/v1/tokens/${id}`)
      await put('api_tokens', row, afterMs + 1_000)
      expect(await ask(token)).toBe(401)
      await reported('api_tokens', id, 'older')
      expect((await console.api('GET', '/v1/tokens')).body.tokens).not.toContainEqual(
        expect.objectContaining({ id }),
      )
    }
  })
})

describe('an act whose process ended before it wrote the outcome', () => {
  let other: TestConsole
  beforeAll(async () => {
    // What this instance does is not known to the first one, until the audit says it.
    other = await testConsole(keyspace)
  })
  afterAll(() => other?.context.session.close())

  /** The recovery of the first console, when the acts are old enough. */
  async function recover(): Promise<string[]> {
    const { audit, users, sessions, apiTokens } = console.context
    const clock: Clock = {
      now: () => {
        const { wallMs, ...moment } = systemClock.now()
        return { ...moment, wallMs: wallMs + graceMs }
      },
    }
    const leases = new LeaseProtocol({
      store: new MemoryLeaseStore(new FakeClock()),
      clock,
      timer: systemTimer,
    })
    const followUps = { ...peopleFollowUps({ users, sessions }), ...tokenFollowUps({ apiTokens }) }
    const recovered = await new Recovery({ audit, followUps, leases, clock, log }).look()
    await audit.follow()
    return recovered
  }
  const intend = (id: string, changes: Pick<AuditEvent, 'act' | 'on' | 'after'>) =>
    console.context.audit.append({
      id,
      phase: 'intent',
      actor: serverActor,
      reason: null,
      before: null,
      outcome: null,
      ...changes,
    })

  it('leaves no token that can be brought back', async () => {
    const { body } = await console.api('POST', '/v1/tokens', { name: 'interrupted', prefixes: ['x'] })
    const { id, name, token } = body
    const row = await read('api_tokens', 'id', id)
    await intend('interrupted revocation', {
      act: 'token-revoke',
      on: { kind: 'token', id, name },
      after: null,
    })
    await other.context.apiTokens.revoke({ id, name })
    expect(await recover()).toEqual(['interrupted revocation'])
    await put('api_tokens', row, 60_000)
    expect(await console.context.apiTokens.find(token)).toBeNull()
    await reported('api_tokens', id, 'older')
  })

  it('leaves no session that an elevation has ended', async () => {
    const cookie = await signIn('admin')
    const key = sessionIdHash(idOf(cookie))
    const row = await read('sessions', 'id_hash', key)
    // On another instance, which writes the intent and no outcome.
    const { audit } = other.context
    const { appendUntilWritten } = audit
    audit.appendUntilWritten = async () => {}
    try {
      expect((await other.api('POST', '/v1/session/elevation', { password }, { cookie })).status).toBe(200)
    } finally {
      audit.appendUntilWritten = appendUntilWritten
    }
    expect(await recover()).toHaveLength(1)
    await put('sessions', row, 60_000)
    expect(await status(cookie)).toBe(401)
    await reported('sessions', key, 'older')
  })

  it('leaves no role, and no password, that can be brought back', async () => {
    const { users } = console.context
    const create = (username: string) =>
      console.api('POST', '/v1/users', { username, password, role: 'admin' })
    for (const username of ['demoted', 'renewed']) await create(username)
    const admin = await read('users', 'username', 'demoted')
    const old = await read('users', 'username', 'renewed')
    const on = (username: string) => ({ kind: 'user', username }) as const
    await intend('interrupted change', { act: 'user-change', on: on('demoted'), after: { role: 'viewer' } })
    await intend('interrupted password', { act: 'password', on: on('renewed'), after: null })
    await other.context.users.change('demoted', { role: 'viewer' })
    await other.context.users.setPassword('renewed', 'another long password')
    expect(await recover()).toEqual(['interrupted change', 'interrupted password'])
    expect((await users.find('demoted'))?.role).toBe('viewer')
    for (const row of [admin, old]) await put('users', row, 60_000)
    expect([await users.find('demoted'), await users.find('renewed')]).toEqual([null, null])
    for (const username of ['demoted', 'renewed']) await reported('users', username, 'older')
  })
})
