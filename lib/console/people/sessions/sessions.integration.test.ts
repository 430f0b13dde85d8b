import type { Statement } from 'leasehold/cassandra'
import { StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isElevated } from '../../../contract/people/rights.ts'
import { log } from '../../http/log/log.ts'
import { type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'
import { peopleStatements } from '../people-statements.ts'
import type { UserRow } from '../user-row.ts'
import { sessionIdHash } from './session-row.ts'
import { absoluteLimitSeconds, idleLimitSeconds, Sessions } from './sessions.ts'

/** When sessions end; time is the test's, the rows are real. */
let keyspace: string
let console: TestConsole
let clock: FakeClock
let sessions: Sessions
/** Why the last use was not written. */
let useLost: unknown
const minuteMs = 60_000

const by = { via: 'password', address: '192.0.2.7' } as const
const userOf = async (username: string) => (await console.context.users.find(username)) as UserRow
const open = async (username = 'ann') => (await sessions.open(await userOf(username), by)).id
const elevated = async (id: string) => (await sessions.elevate(id))?.id as string
/** A use, and the writing down of it, which no request waits for. */
async function use(id: string): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    useLost = undefined
    const found = await sessions.find(id)
    await sessions.settled()
    if (useLost === undefined) return found !== null
    // A busy Cassandra may give up the write, which no request needs: the next use is written.
    const code = expect.toBeOneOf(['statement-unknown', 'store-unavailable'])
    expect(useLost).toMatchObject({ code })
    expect(tries, `A use could not be written: ${useLost}`).toBeLessThan(10)
  }
}

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
  await console.context.users.create('ann', 'a long password', 'operator')
  clock = new FakeClock()
  const { session, users } = console.context
  const statements = peopleStatements(session.keyspace, session.serial)
  const warn = (fields: unknown) => {
    useLost = (fields as { error: unknown }).error
  }
  const { rows } = console.context
  sessions = new Sessions({ session, statements, users, rows, log: { ...log, warn }, clock })
})
afterAll(() => console?.context.session.close())

describe('a session ends', () => {
  it('when it was not used for an hour', async () => {
    const id = await open()
    for (let used = 0; used < 3; used++) {
      await clock.advance(idleLimitSeconds * 1000 - minuteMs)
      expect(await use(id)).toBe(true)
    }
    await clock.advance(idleLimitSeconds * 1000)
    expect(await use(id)).toBe(false)
  })

  it('and a check without use does not prolong it', async () => {
    const id = await open()
    await clock.advance(50 * minuteMs)
    expect(await sessions.find(id, { use: false })).not.toBeNull()
    await clock.advance(10 * minuteMs)
    expect(await sessions.find(id)).toBeNull()
  })

  it('by one of many requests that end it at once', async () => {
    const id = await open()
    const ended = await Promise.all(Array.from({ length: 12 }, () => sessions.close(id)))
    expect(ended.filter((isEnded) => isEnded)).toHaveLength(1)
    expect(await sessions.close(id)).toBe(false)
  })

  it('after twelve hours, also when it is used, elevated or not', async () => {
    const id = await open()
    const endsAt = clock.now().wallMs + absoluteLimitSeconds * 1000
    let now = id
    for (let hours = 0; hours < 13; hours++) {
      await clock.advance(55 * minuteMs)
      expect(await use(now)).toBe(true)
      if (hours === 6) now = await elevated(now)
    }
    expect((await sessions.find(now))?.expiresAt).toBe(new Date(endsAt).toISOString())
    await clock.advance(5 * minuteMs)
    expect(await use(now)).toBe(false)
  })

  it('with its row, whose TTL is the rest of its time, an hour at most', async () => {
    const id = await open()
    const left = async () => {
      const { rows } = await console.context.session.client.execute(
        `SELECT ttl(username) AS left, ttl(used_at) AS used FROM "${keyspace}".sessions WHERE username = 'ann' ALLOW FILTERING`,
      )
      return Math.max(...rows.map((row) => row.left as number))
    }
    expect(await left()).toBeGreaterThan(idleLimitSeconds - 60)
    expect(await left()).toBeLessThanOrEqual(idleLimitSeconds)
    await sessions.close(id)
  })

  it('for good: a later write does not bring it back', async () => {
    const id = await open()
    await clock.advance(2 * minuteMs)
    // The write of its last use is on its way while the session is ended.
    await sessions.find(id)
    await sessions.close(id)
    await sessions.settled()
    expect(await sessions.find(id)).toBeNull()
  })

  it('with all other sessions of its user, and of no other user', async () => {
    await console.context.users.create('bob', 'a long password', 'viewer')
    const ids = [await open(), await open(), await open('bob')]
    await sessions.closeAll('ann')
    expect(await Promise.all(ids.map(use))).toEqual([false, false, true])
    expect(await use(await open())).toBe(true)
    await console.context.users.change('bob', { disabled: true })
    expect(await use(ids[2] as string)).toBe(false)
    await console.context.users.change('bob', { disabled: false })
    expect(await use(ids[2] as string)).toBe(false)
  })

  it('and does not open for a password that was changed meanwhile', async () => {
    const user = await userOf('ann')
    await console.context.users.setPassword('ann', 'another password')
    expect(await use((await sessions.open(user, by)).id)).toBe(false)
  })
})

describe('an elevation', () => {
  const isUp = async (id: string) => {
    const session = await sessions.find(id)
    return session !== null && isElevated(session, clock.now().wallMs)
  }

  it('comes under a new id, and lasts for ten minutes', async () => {
    const id = await open()
    const up = await elevated(id)
    expect([await use(id), await isUp(up)]).toEqual([false, true])
    await clock.advance(10 * minuteMs - 1)
    expect(await isUp(up)).toBe(true)
    await clock.advance(1)
    expect([await isUp(up), await use(up)]).toEqual([false, true])
  })

  it('is ended early, also when the session is written at the same time', async () => {
    const id = await elevated(await open())
    await clock.advance(2 * minuteMs)
    await Promise.all([sessions.find(id), sessions.lower(id)])
    await sessions.settled()
    expect([await isUp(id), await use(id)]).toEqual([false, true])
  })

  it.each(['applied', 'lost'])(
    'is ended, and so is a session, when an answer is lost: it was %s',
    async (fate) => {
      const { session, users } = console.context
      const statements = peopleStatements(session.keyspace, session.serial)
      const { rewriteSession, deleteSession } = statements
      let unheard = 1
      let isSilent = false
      const deaf = new Proxy(session, {
        get: (target, key) =>
          key !== 'execute'
            ? Reflect.get(target, key)
            : async (statement: Statement, values: unknown[]) => {
                const ends = statement.cql === rewriteSession.cql || statement.cql === deleteSession.cql
                const isUnheard = ends && unheard-- > 0
                if (ends && !isUnheard && isSilent) throw new StoreUnavailableError('silent')
                if (!isUnheard || fate === 'applied') {
                  const rows = await target.execute(statement, values)
                  if (!isUnheard) return rows
                }
                throw new StatementUnknownError('No answer came.', 'never')
              },
      })
      const hardOfHearing = new Sessions({
        session: deaf,
        statements,
        users,
        rows: console.context.rows,
        log,
        clock,
      })
      const id = await elevated(await open())
      await hardOfHearing.lower(id)
      expect([await isUp(id), await use(id)]).toEqual([false, true])
      unheard = 1
      // An earlier try of the same call may have ended it.
      expect(await hardOfHearing.close(id)).toBe(true)
      expect(await use(id)).toBe(false)
      // No answer comes at all: the caller does not learn that it is ended.
      unheard = Number.POSITIVE_INFINITY
      const other = await open()
      await expect(hardOfHearing.close(other)).rejects.toMatchObject({ code: 'statement-unknown' })
      // Nor that nothing was done, when Cassandra is silent after a lost answer.
      unheard = 1
      isSilent = true
      await expect(hardOfHearing.close(await open())).rejects.toMatchObject({ code: 'statement-unknown' })
    },
  )

  it('that was ended without an answer is not brought back by its old row', async () => {
    const { session, users, rows } = console.context
    const statements = peopleStatements(session.keyspace, session.serial)
    let unheard = true
    const deaf = Object.create(session) as typeof session
    deaf.execute = async (statement, values) => {
      const answer = await session.execute(statement, values)
      if (statement.cql !== statements.rewriteSession.cql || !unheard) return answer
      unheard = false
      throw new StatementUnknownError('lost', 'never')
    }
    // Versions are remembered by the clock of the server, and until the session ends.
    const heard = new Sessions({ session, statements, users, rows, log })
    const opened = await heard.open(await userOf('ann'), by)
    const id = (await heard.elevate(opened.id))?.id as string
    const key = sessionIdHash(id)
    const read = async () => {
      const of = `SELECT * FROM "${keyspace}".sessions WHERE id_hash = ?`
      const row = (await session.client.execute(of, [key], { prepare: true })).rows[0]
      return Object.fromEntries((row?.keys() ?? []).map((name) => [name, row?.get(name)]))
    }
    const before = await read()
    const lowered = await new Sessions({ session: deaf, statements, users, rows, log }).lower(id)
    expect(unheard).toBe(false)
    const { version } = await read()
    expect(lowered).toMatchObject({ table: 'sessions', key, version: Number(version) })
    expect(lowered?.version).toBeGreaterThan(Number(before.version))
    expect(await heard.find(id)).toMatchObject({ elevatedUntil: null })
    const names = Object.keys(before)
    await session.client.execute(
      `INSERT INTO "${keyspace}".sessions (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) USING TIMESTAMP ?`,
      [...Object.values(before), BigInt(Date.now() + 60_000) * 1000n],
      { prepare: true },
    )
    expect(await heard.find(id)).toBeNull()
  })

  it('does not come back with a role', async () => {
    const { users } = console.context
    const id = await elevated(await open())
    await users.change('ann', { role: 'viewer' })
    expect((await sessions.find(id))?.role).toBe('viewer')
    expect(await isUp(id)).toBe(false)
    await users.change('ann', { role: 'operator' })
    expect([await isUp(id), await use(id)]).toEqual([false, true])
  })
})
