/**
 * Two versions beside each other, as an upgrade has them: the last release's schema, and the statements that it sends.
 *
 * `test-release-0.1.0.jsonl` is that release. Its first line has the schema; each other line is one statement that a
 * console of that release sent on a real Cassandra, with what it bound and what it read. In that order they make people,
 * sign them in and out, make and revoke tokens, use locks, an election, a sequence and a queue, release leases by force
 * in all three modes and with a second person, and write the audit log of it.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CassandraLeaseStore, type CassandraSession, type Statement } from 'leasehold/cassandra'
import { LeaseProtocol } from 'leasehold/lease'
import { Sequence } from 'leasehold/sequence'
import { systemClock, systemTimer } from 'leasehold/time'
import { afterAll, describe, expect, it } from 'vitest'
import { testSession } from '../../../leasehold/test/node-session.ts'
import { log } from '../../http/log/log.ts'
import { serve } from '../../http/router.ts'
import { readConfig } from '../../start/config/config.ts'
import { createConsole } from '../../start/start.ts'
import { testEnvironment, testOrigin } from '../../test/test-console.ts'
import { testRoles } from '../../test/test-roles.ts'
import { migrate } from './migrate.ts'
import { type Migration, migrations } from './schema.ts'

interface Release {
  schema: { bootstrap: string; migrationsTable: string; migrations: (Migration & { checksum: string })[] }
  people: Record<string, string>
  auditKey: string
  token: string
}

interface Sent {
  cql: string
  consistency: number
  serialConsistency?: number
  params: unknown[]
  rows: Record<string, unknown>[]
}

const [release, ...sent] = readFileSync(join(import.meta.dirname, 'test-release-0.1.0.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line)) as [Release, ...Sent[]]

const close: (() => unknown)[] = []
afterAll(async () => {
  for (const each of close.reverse()) await each()
})

/** A keyspace as the last release has made it. */
async function asReleased(keyspace: string): Promise<CassandraSession> {
  const session = await testSession(keyspace)
  close.push(() => session.close())
  const run = (cql: string, params: unknown[] = []) =>
    session.client.execute(cql.replace('$k', `"${keyspace}"`), params, {
      prepare: params.length > 0,
    })
  await run(release.schema.bootstrap)
  await run(release.schema.migrationsTable)
  for (const { version, name, checksum, statements } of release.schema.migrations) {
    for (const statement of statements) await run(statement)
    await run('INSERT INTO $k.schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)', [
      version,
      name,
      checksum,
      new Date(),
    ])
  }
  return session
}

const leasesOf = (session: CassandraSession) =>
  new LeaseProtocol({ store: new CassandraLeaseStore(session), maxClockSkewMs: 100 })

/** @returns how many migrations it applied */
const migrateWith = (session: CassandraSession, list: readonly Migration[]) =>
  migrate({
    session,
    leases: leasesOf(session),
    replication: 1,
    clock: systemClock,
    timer: systemTimer,
    beganMs: systemClock.now().monotonicMs,
    log,
    migrations: list,
  })

const decoded = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(decoded)
  if (typeof value !== 'object' || value === null) return value
  if ('bigint' in value) return BigInt(value.bigint as string)
  if ('date' in value) return new Date(value.date as string)
  return undefined
}

/** Sends what the last release has sent, and compares the answers. */
async function workOfLastRelease(session: CassandraSession): Promise<void> {
  for (const { cql, consistency, serialConsistency, params, rows } of sent) {
    const statement: Statement = {
      cql: cql.replaceAll('$k', `"${session.keyspace}"`),
      consistency,
      serialConsistency,
      readTimeoutMs: 20_000,
    }
    const answer = await session.execute(statement, params.map(decoded))
    // Columns that are new may come along: a refused INSERT … IF NOT EXISTS returns the whole row.
    const expected = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, decoded(cell)])),
    )
    expect(answer.rows, `${cql}\n${JSON.stringify(params)}`).toMatchObject(expected)
  }
}

/** A console of this version. */
async function thisVersion(keyspace: string) {
  const environment = {
    ...(await testRoles(keyspace)),
    ...testEnvironment(keyspace, { LEASEHOLD_AUDIT_KEY: release.auditKey }),
  }
  const context = await createConsole(readConfig(environment))
  close.push(() => context.close())
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await serve(
      new Request(`${testOrigin}${path}`, {
        method,
        headers: { origin: testOrigin, 'content-type': 'application/json', ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      }),
      context,
    )
    const text = await answer.text()
    return {
      status: answer.status,
      cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
      body: text === '' ? {} : JSON.parse(text),
    }
  }
}

const bearer = { authorization: `Bearer ${release.token}` }

describe('the fixture', () => {
  it('is a release: its checksums are those of its migrations', () => {
    for (const { checksum, statements } of release.schema.migrations)
      expect(createHash('sha256').update(statements.join('\n')).digest('hex')).toBe(checksum)
  })

  it('writes every table of the release that the console writes', () => {
    const tables = [
      release.schema.bootstrap,
      ...release.schema.migrations.flatMap(({ statements }) => statements),
    ]
      .map((cql) => /CREATE TABLE IF NOT EXISTS \$k\.(\w+)/.exec(cql)?.[1])
      .filter((table) => table !== undefined)
    const written = new Set(
      sent
        .map(({ cql }) => /(?:INTO|UPDATE) \$k\."?(\w+)/.exec(cql)?.[1])
        .filter((table) => table !== undefined),
    )
    // The library's programs alone write the bakery's.
    expect(tables.filter((table) => !written.has(table) && !table.startsWith('bakery_'))).toEqual([])
  })
})

describe('an upgrade from the last release', () => {
  it('keeps people, tokens, locks, terms, numbers and the audit log; the last release starts again on it', async () => {
    const keyspace = `upgrade_kept_${process.pid}`
    const session = await asReleased(keyspace)
    await workOfLastRelease(session)
    const api = await thisVersion(keyspace)

    for (const [username, password] of Object.entries(release.people)) {
      const signedIn = await api('POST', '/v1/session', { username, password })
      expect([username, signedIn.status]).toEqual([username, 200])
      if (username !== 'admin') continue
      const { body } = await api('GET', '/v1/audit?limit=200', undefined, { cookie: signedIn.cookie })
      expect(body.entries.map(({ actor }: { actor: { username: string } }) => actor.username)).toContain(
        'anna',
      )
      const users = await api('GET', '/v1/users', undefined, { cookie: signedIn.cookie })
      expect(users.body.users).toMatchObject([
        { username: 'admin', role: 'admin', disabled: false },
        { username: 'anna', role: 'operator', disabled: false },
        { username: 'carl', role: 'viewer', disabled: true },
      ])
    }
    const held = await api('PUT', '/v1/locks/billing%2Fleader', {}, bearer)
    expect([held.status, held.body.holder?.owner]).toEqual([409, 'program:1'])
    const leader = await api('GET', '/v1/elections/billing%2Fleader', undefined, bearer)
    expect(leader.body).toMatchObject({ leader: 'program:1', term: '1' })
    const numbers = await api('POST', '/v1/sequences/billing%2Forders/next', undefined, bearer)
    expect(numbers.body).toMatchObject({ first: '12' })

    // Back to the last release: it finds its own migrations, and takes no notice of later ones.
    expect(await migrateWith(session, release.schema.migrations)).toBe(0)
  })

  it('the last release works on the schema of this one, beside it', async () => {
    const keyspace = `upgrade_beside_${process.pid}`
    const session = await asReleased(keyspace)
    const api = await thisVersion(keyspace)
    expect(await migrateWith(session, migrations)).toBe(0)
    await workOfLastRelease(session)
    // docs/operations.md: rights that the last release gives after the migration are not sealed, and count for nothing.
    const { status: signIn } = await api('POST', '/v1/session', {
      username: 'anna',
      password: release.people.anna,
    })
    const { status: lock } = await api('PUT', '/v1/locks/billing%2Freport', {}, bearer)
    expect([signIn, lock]).toEqual([401, 401])

    // Each sees the locks and the numbers of the other.
    const leases = leasesOf(session)
    const held = await leases.tryAcquire('billing/leader')
    expect(held).toEqual({ kind: 'held', owner: 'program:1' })
    expect(await new Sequence({ store: session.sequences, name: 'billing/orders' }).next()).toBe(12n)
    const taken = await leases.tryAcquire('billing/report', { ttlSeconds: 60 })
    const acquire = sent.find(({ cql }) => cql.endsWith('IF "owner" = null')) as Sent
    const { rows } = await session.execute(
      { ...acquire, cql: acquire.cql.replace('$k', `"${keyspace}"`), readTimeoutMs: 20_000 },
      [60, 'program:9', null, 'billing/report'],
    )
    expect(taken).toMatchObject({ kind: 'acquired', tenure: { owner: rows[0]?.owner } })
    expect(rows).toMatchObject([{ '[applied]': false }])
  })
})
