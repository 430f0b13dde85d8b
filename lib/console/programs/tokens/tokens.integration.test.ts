import { StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { NewToken } from '../../../contract/programs/token.ts'
import { testSession } from '../../../leasehold/test/node-session.ts'
import { authorityOf } from '../../audit/authority.ts'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import { signIn } from '../../people/sign-in/sign-in.ts'
import { sealRows } from '../../start/schema/seal-rows.ts'
import { password, type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'
import { ApiTokens } from './api-tokens.ts'
import { createToken } from './token-acts.ts'
import { tokenStatements } from './token-statements.ts'

/** What a token is good for, how it is kept, and that nothing is made without its line in the audit. */
let keyspace: string
let console: TestConsole
const make = async (body: unknown) => (await console.api('POST', '/v1/tokens', body)).body
const bearer = (token: string) => ({ cookie: '', origin: '', authorization: `Bearer ${token}` })
const listed = async (id: string) =>
  (await console.api('GET', '/v1/tokens')).body.tokens.find((each: { id: string }) => each.id === id)

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
})
afterAll(() => console?.context.session.close())

describe('a token', () => {
  it('is for the names that begin with one of its prefixes', async () => {
    const { token } = await make({ name: 'billing', prefixes: ['billing/', 'orders'] })
    const ask = (method: string, path: string) => console.api(method, path, undefined, bearer(token))
    expect((await ask('PUT', '/v1/locks/billing%2Fx')).status).toBe(201)
    const other = await ask('PUT', '/v1/locks/payroll')
    expect([other.status, other.body.detail]).toEqual([
      403,
      'The token billing is for names that begin with "billing/", "orders", not for "payroll".',
    ])
    expect((await ask('POST', '/v1/sequences/orders/next')).status).toBe(200)
    const all = await ask('GET', '/v1/leases')
    expect([all.status, all.body.detail]).toEqual([
      403,
      expect.stringContaining('ask for one of them, by `name` or `prefix`'),
    ])
    await console.api('PUT', '/v1/locks/of-another-program', {})
    const own = await ask('GET', '/v1/leases?prefix=billing%2F')
    expect(own.body.leases.map((lease: { name: string }) => lease.name)).toEqual(['billing/x'])
    // Nor does it learn how many others there are.
    expect(own.body.scan.rows).toBe(1)
    expect((await ask('GET', '/v1/leases?prefix=bill')).status).toBe(403)
  })

  it('that only reads acquires nothing', async () => {
    const { token } = await make({ name: 'dashboard', role: 'viewer', prefixes: [''], tables: ['leases'] })
    expect((await console.api('GET', '/v1/leases', undefined, bearer(token))).status).toBe(200)
    const refused = await console.api('PUT', '/v1/locks/x', {}, bearer(token))
    expect(refused.body.detail).toBe('This needs a token with the role client; dashboard is viewer.')
  })

  it('needs explicit prefixes, and is kept without its secret', async () => {
    for (const prefixes of [undefined, [], ['x'.repeat(600)]])
      expect((await console.api('POST', '/v1/tokens', { name: 'x', prefixes })).status).toBe(400)
    const { id, token } = await make({ name: 'kept', prefixes: ['a', 'a', 'b'] })
    const { rows } = await console.context.session.client.execute(
      `SELECT JSON * FROM "${keyspace}".api_tokens`,
    )
    expect(JSON.stringify(rows)).not.toContain(token.slice('lh_0123456789abcdef_'.length))
    expect(await listed(id)).toMatchObject({ prefixes: ['a', 'b'], role: 'client', createdBy: 'admin' })
  })

  it('that is asked for twice under one Idempotency-Key is made once, and its secret is kept nowhere', async () => {
    const wanted = { name: 'resent', prefixes: ['x'] }
    const send = () => console.api('POST', '/v1/tokens', wanted, { 'idempotency-key': 'sent again' })
    const first = await send()
    expect(first.status).toBe(201)
    const second = await send()
    expect([second.status, second.body.code]).toEqual([503, 'outcome-unknown'])
    expect(second.body.detail).toContain(`made the token resent (${first.body.id})`)
    const { tokens } = (await console.api('GET', '/v1/tokens')).body
    expect(tokens.filter(({ name }: { name: string }) => name === 'resent')).toHaveLength(1)
    // It may have underscores of its own.
    const secret = first.body.token.slice('lh_0123456789abcdef_'.length)
    expect(secret).toHaveLength(43)
    const { rows } = await console.context.session.client.execute(
      `SELECT JSON * FROM "${keyspace}".idempotent_requests`,
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('shows when it was last used; a check of its validity is no use', async () => {
    const { id, token } = await make({ name: 'used', prefixes: [''], tables: ['leases'] })
    await console.context.apiTokens.find(token, { use: false })
    expect((await listed(id)).lastUsedAt).toBeNull()
    const before = Date.now()
    await console.api('GET', '/v1/session', undefined, bearer(token))
    await expect.poll(async () => (await listed(id)).lastUsedAt).not.toBeNull()
    const { lastUsedAt } = await listed(id)
    expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(before)
    // A second use within a minute is not written.
    await console.api('GET', '/v1/session', undefined, bearer(token))
    expect((await listed(id)).lastUsedAt).toBe(lastUsedAt)
  })

  it('is listed, although its last use is an instant that no date holds', async () => {
    const { id } = await make({ name: 'odd', prefixes: [''] })
    const { client } = console.context.session
    await client.execute(
      `INSERT INTO "${keyspace}".token_uses (id, used_at) VALUES ('${id}', 9223372036854775807)`,
    )
    expect(await listed(id)).toMatchObject({ name: 'odd', lastUsedAt: null })
  })

  /** The tokens of another instance, whose clock the test has in its hands. */
  function onClock(clock: FakeClock) {
    const { session, rows } = console.context
    const statements = tokenStatements(keyspace, session.serial)
    const tokens = new ApiTokens({ session, statements, rows, log, clock })
    const usedAt = async (id: string) =>
      (await tokens.list()).find((each) => each.id === id)?.lastUsedAt ?? null
    return { tokens, usedAt }
  }
  const wanted: NewToken = { name: 'timed', role: 'client', prefixes: [''], tables: ['leases'] }

  it('shows a use a minute later, also when the wall clock was set back by an hour', async () => {
    const clock = new FakeClock()
    const { tokens, usedAt } = onClock(clock)
    const drawn = tokens.draw(wanted, 'admin')
    await tokens.keep(drawn)
    const { id, token } = drawn.answer
    const use = async () => {
      await tokens.find(token)
      const at = new Date(clock.now().wallMs).toISOString()
      await expect.poll(() => usedAt(id)).toBe(at)
    }
    await use()
    clock.suspend(-3_600_000)
    await clock.advance(61_000)
    await use()
  })

  it('that was revoked is forgotten with its last use', async () => {
    const { tokens, usedAt } = onClock(new FakeClock())
    const drawn = tokens.draw(wanted, 'admin')
    await tokens.keep(drawn)
    await tokens.find(drawn.answer.token)
    await expect.poll(() => usedAt(drawn.answer.id)).not.toBeNull()
    expect(tokens.usesNoted).toBe(1)
    await tokens.revoke(drawn.answer)
    expect(tokens.usesNoted).toBe(0)
  })

  it('from before tokens had roles, tables and seals keeps its rights', async () => {
    const { session, apiTokens, rows } = console.context
    const { id, token } = await make({ name: 'old', prefixes: ['x'] })
    const forget = (columns: string, of: string) =>
      session.client.execute(`DELETE ${columns} FROM "${keyspace}".api_tokens WHERE id = ?`, [of], {
        prepare: true,
      })
    await forget('role, prefixes, tables, version, seal', id)
    // A token with a role and no prefix is not one of them, and good for nothing.
    const emptied = await make({ name: 'emptied', prefixes: ['x'] })
    await forget('prefixes, version, seal', emptied.id)
    expect(await apiTokens.find(token)).toBeNull()
    await sealRows({ session, rows })
    expect((await apiTokens.find(token))?.scope).toEqual({ role: 'client', prefixes: [''], tables: ['*'] })
    expect((await apiTokens.find(emptied.token))?.scope).toEqual({
      role: 'client',
      prefixes: [],
      tables: ['leases'],
    })
  })

  it('is for its tables alone, `leases` unless it names others', async () => {
    const { token } = await make({ name: 'narrow', prefixes: [''] })
    const cron = await make({ name: 'cron', prefixes: [''], tables: ['cron'] })
    const ask = (method: string, path: string, of: string) => console.api(method, path, undefined, bearer(of))
    expect((await ask('GET', '/v1/locks/y', token)).status).toBe(404)
    const other = await ask('GET', '/v1/locks/y?table=cron', token)
    expect([other.status, other.body.detail]).toEqual([
      403,
      'The token narrow is for the tables "leases", not for "cron".',
    ])
    for (const [method, path] of [
      ['PUT', '/v1/locks/y'],
      ['GET', '/v1/leases'],
      ['POST', '/v1/elections/y'],
      ['POST', '/v1/sequences/y/next'],
    ] as const)
      expect((await ask(method, path, cron.token)).status, path).toBe(403)
    // Permitted, and there is no such table here.
    expect((await ask('GET', '/v1/locks/y?table=cron', cron.token)).body.code).toBe('unknown-table')
    const named = await console.api('POST', '/v1/tokens', { name: 'x', prefixes: [''], tables: [] })
    expect(named.status).toBe(400)
  })
})

describe('a revoked token', () => {
  const drawn = (tokens: ApiTokens) =>
    tokens.draw({ name: 'billing', role: 'client', prefixes: [''], tables: ['leases'] }, 'admin')

  it('is gone, although the clock of the instance that made it was ahead', async () => {
    const session = await testSession(keyspace)
    const ahead = new ApiTokens({
      session,
      rows: console.context.rows,
      statements: tokenStatements(keyspace, session.serial),
      log,
    })
    const made = drawn(ahead)
    // The driver takes the timestamps of plain writes from this clock.
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    await ahead.keep(made).finally(() => now.mockRestore())
    const { apiTokens } = console.context
    await apiTokens.revoke(made.row)
    expect(await apiTokens.find(made.answer.token)).toBeNull()
    await session.close()
  })

  it('is refused at once by another instance, which let it in just before', async () => {
    const { session, apiTokens, rows } = console.context
    // Its clock stands still: only the revocation tells it. Its versions come from the chain, later.
    const untold = Object.create(rows) as typeof rows
    untold.isCurrent = () => true
    untold.counted = async (read) => read?.row ?? null
    const statements = tokenStatements(keyspace, session.serial)
    const other = new ApiTokens({ session, statements, rows: untold, log, clock: new FakeClock() })
    // Without a revocation before, and after one.
    await session.client.execute(`TRUNCATE "${keyspace}".token_revocations`)
    for (let round = 0; round < 3; round++) {
      const made = drawn(apiTokens)
      await apiTokens.keep(made)
      let reads = 0
      for (let use = 0; use < 5; use++) {
        const execute = vi.spyOn(session, 'execute')
        expect(await other.find(made.answer.token, { use: false })).toMatchObject({ username: 'billing' })
        reads = execute.mock.calls.filter(([{ cql }]) => /FROM .*api_tokens/.test(cql)).length
        execute.mockRestore()
      }
      expect(reads).toBe(0)
      await apiTokens.revoke(made.row)
      expect(await other.find(made.answer.token, { use: false })).toBeNull()
    }
  })

  it('is refused by another instance, although the row that tells of it has a timestamp in the future', async () => {
    const { session, apiTokens, rows } = console.context
    const untold = Object.create(rows) as typeof rows
    untold.isCurrent = () => true
    untold.counted = async (read) => read?.row ?? null
    const statements = tokenStatements(keyspace, session.serial)
    const other = new ApiTokens({ session, statements, rows: untold, log })
    const inAMinuteUs = (Date.now() + 60_000) * 1000
    await session.client.execute(
      `INSERT INTO "${keyspace}".token_revocations (id, last) VALUES ('all', 'planted') USING TIMESTAMP ${inAMinuteUs}`,
    )
    const made = drawn(apiTokens)
    await apiTokens.keep(made)
    const find = () => other.find(made.answer.token, { use: false })
    let isRevoked = false
    const uses = (async () => {
      while (!isRevoked) expect(await find()).not.toBeNull()
    })().catch(() => {})
    await apiTokens.revoke(made.row)
    isRevoked = true
    expect(await find()).toBeNull()
    await uses
    await session.client.execute(`TRUNCATE "${keyspace}".token_revocations`)
  })

  it('is made and revoked once, although the answers were lost', async () => {
    const { session } = console.context
    const lost: string[] = []
    const deaf = Object.create(session) as typeof session
    deaf.execute = async (statement, params) => {
      const answer = await session.execute(statement, params)
      const { cql } = statement
      if (/^(INSERT|DELETE).*api_tokens/.test(cql) && lost.filter((each) => each === cql).length < 2) {
        lost.push(cql)
        throw new StatementUnknownError('lost', 'never')
      }
      return answer
    }
    const tokens = new ApiTokens({
      session: deaf,
      rows: console.context.rows,
      statements: tokenStatements(keyspace, session.serial),
      log,
    })
    const made = drawn(tokens)
    await tokens.keep(made)
    expect(await tokens.find(made.answer.token, { use: false })).toMatchObject({ username: 'billing' })
    await tokens.revoke(made.row)
    expect(await tokens.find(made.answer.token)).toBeNull()
    expect(lost).toHaveLength(4)
  })

  it('is unknown when its answer was lost and Cassandra does not answer after it', async () => {
    const { session } = console.context
    let lost = false
    const deaf = Object.create(session) as typeof session
    deaf.execute = async (statement, params) => {
      if (!/^(INSERT|DELETE).*api_tokens/.test(statement.cql)) return session.execute(statement, params)
      if (lost) throw new StoreUnavailableError('silent')
      lost = true
      throw new StatementUnknownError('lost', 'never')
    }
    const tokens = new ApiTokens({
      session: deaf,
      rows: console.context.rows,
      statements: tokenStatements(keyspace, session.serial),
      log,
    })
    const made = drawn(tokens)
    await expect(tokens.keep(made)).rejects.toMatchObject({ code: 'statement-unknown' })
    lost = false
    await expect(tokens.revoke(made.row)).rejects.toMatchObject({ code: 'statement-unknown' })
  })

  it('is revoked, and the answer says so, although its last use cannot be cleared', async () => {
    const { session } = console.context
    const deaf = Object.create(session) as typeof session
    deaf.execute = async (statement, params) => {
      if (/^DELETE.*token_uses/.test(statement.cql)) throw new StoreUnavailableError('silent')
      return session.execute(statement, params)
    }
    const warn = vi.fn()
    const tokens = new ApiTokens({
      session: deaf,
      rows: console.context.rows,
      statements: tokenStatements(keyspace, session.serial),
      log: { ...log, warn },
    })
    const made = drawn(tokens)
    await tokens.keep(made)
    await tokens.revoke(made.row)
    expect(await tokens.find(made.answer.token)).toBeNull()
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), 30_000)
  })
})

describe('without the audit', () => {
  const silent = () => ({
    ...console.context,
    audit: {
      ...console.context.audit,
      append: async () => {
        throw new StoreUnavailableError('silent')
      },
      appendUntilWritten: async () => {},
    },
  })

  it('no token is made', async () => {
    const session = await console.context.sessions.find(console.cookie.split('=')[1] as string)
    if (session === null) throw new Error('The session has ended.')
    const { clock } = console.context
    const window = new ActWindow(clock)
    const sender = { session, senderKey: 'key', address: null, requestId: 'test', window }
    const by = authorityOf(sender, clock)
    const before = await console.context.apiTokens.list()
    await expect(
      createToken(silent(), by, { name: 'unseen', role: 'client', prefixes: [''], tables: ['leases'] }),
    ).rejects.toMatchObject({ code: 'audit-unavailable' })
    expect(await console.context.apiTokens.list()).toEqual(before)
  })

  it('a sign-in is refused, and leaves no session', async () => {
    const { client } = console.context.session
    const count = async () => (await client.execute(`SELECT id_hash FROM "${keyspace}".sessions`)).rowLength
    const before = await count()
    const window = new ActWindow(console.context.clock)
    const from = { address: null, requestId: 'test', sessionId: null, cookieHeader: null, window }
    await expect(signIn(silent(), from, { username: 'admin', password })).rejects.toMatchObject({
      code: 'audit-unavailable',
    })
    expect(await count()).toBe(before)
  })
})
