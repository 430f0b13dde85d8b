import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Route, routes } from '../../../contract/routes.ts'
import { testSession } from '../../../leasehold/test/node-session.ts'
import { settledRelease, type TestConsole, testConsole } from '../../test/test-console.ts'

let console: TestConsole
const keyspace = `mapped_test_${Date.now().toString(36)}`

beforeAll(async () => {
  const session = await testSession(keyspace)
  await session.client.execute(
    `CREATE TABLE IF NOT EXISTS ${keyspace}.leadership_election ("group" text PRIMARY KEY, leader_id text) WITH default_time_to_live = 60`,
  )
  await session.client.execute(`CREATE TABLE IF NOT EXISTS ${keyspace}.lock (lockname text PRIMARY KEY)`)
  await session.client.execute(
    `CREATE TABLE IF NOT EXISTS ${keyspace}.shown (name text PRIMARY KEY, owner text, value text)`,
  )
  await session.client.execute(
    `UPDATE ${keyspace}.shown USING TTL 120 SET owner = 'o', value = 'v' WHERE name = 'all/held' IF owner = null`,
  )
  await session.close()
  console = await testConsole(keyspace, {
    LEASEHOLD_CONFIG: JSON.stringify({
      tables: {
        elections: { table: 'leadership_election', name: 'group', owner: 'leader_id', defaultTtlSeconds: 60 },
        bare: { table: 'lock', name: 'lockname', owner: null },
        shown: { table: 'shown', name: 'name', owner: 'owner', value: 'value', readOnly: true },
      },
    }),
  })
})
afterAll(() => console?.context.session.close())

it('works on a table without a value column, under its own names', async () => {
  expect((await console.api('PUT', '/v1/locks/g?table=elections', { owner: 'one' })).status).toBe(201)
  expect((await console.api('PUT', '/v1/locks/g?table=elections', { owner: 'one' })).status).toBe(200)
  expect((await console.api('PUT', '/v1/locks/g?table=elections', { owner: 'two' })).status).toBe(409)
  expect((await console.api('PUT', '/v1/locks/g?table=elections', { value: 'v' })).body.detail).toContain(
    'no value column',
  )
  const detail = (await console.api('GET', '/v1/leases/g?table=elections')).body
  expect(detail).toMatchObject({ table: 'elections', owner: 'one', value: null, state: 'held' })
  expect(detail.evidence.cql).toBe(
    `SELECT "leader_id", writetime("leader_id"), ttl("leader_id"), toUnixTimestamp(now()) FROM "${keyspace}"."leadership_election" WHERE "group" = 'g'`,
  )
  const plan = (await console.api('POST', '/v1/leases/g/release-plan?table=elections', {})).body.plan
  const body = { plan, mode: 'kill', reason: 'r', confirmName: 'g' }
  // A plan for one table is no plan for another.
  expect((await console.api('POST', '/v1/leases/g/release', body)).body.code).toBe('plan-invalid')
  const answer = console.api('POST', '/v1/leases/g/release?table=elections', body)
  expect((await settledRelease(console, answer)).body.outcome).toBe('released')
  expect(
    (await console.api('GET', '/v1/leases')).body.leases.every(
      (lease: { table: string }) => lease.table === 'leases',
    ),
  ).toBe(true)
})

it('lists, acquires and releases on a table of keys alone, and no more', async () => {
  const put = await console.api('PUT', '/v1/locks/k?table=bare', { ttlSeconds: 60 })
  expect([put.status, put.body.owner, put.body.version, put.body.token]).toEqual([201, null, null, undefined])
  expect((await console.api('GET', '/v1/locks/k?table=bare')).body).toMatchObject({ owner: null })
  expect((await console.api('PUT', '/v1/locks/k?table=bare', {})).body.detail).toBe(
    'Held by a holder that this table does not name; its expiry cannot be read in this table.',
  )
  expect((await console.api('GET', '/v1/leases?table=bare')).body.leases).toMatchObject([
    { name: 'k', owner: null, state: 'held' },
  ])
  expect((await console.api('POST', '/v1/leases/k/release-plan?table=bare', {})).body.code).toBe(
    'not-releasable',
  )
  expect((await console.api('DELETE', '/v1/locks/k?table=bare')).status).toBe(204)
  expect((await console.api('GET', '/v1/leases/k?table=bare')).status).toBe(404)
})

it('answers every GET in every table, for a held lease, a free one, and one that is waited for, without a 5xx', async () => {
  await console.api('PUT', '/v1/locks/all%2Fheld?table=elections', { ttlSeconds: 120 })
  await console.api('PUT', '/v1/locks/all%2Fheld?table=bare', { ttlSeconds: 120 })
  await console.api('PUT', '/v1/locks/all%2Fheld', { ttlSeconds: 120 })
  const waits = ['', 'wait=200ms', 'wait=200ms&since=', 'wait=200ms&since=other']
  const gets = Object.values(routes).filter(
    ({ method, path }: Route) => method === 'GET' && path.startsWith('/v1/'),
  )
  const asked = gets.flatMap((route: Route) => {
    const { shape = {} } = (route.query ?? {}) as { shape?: Record<string, unknown> }
    const tables = 'table' in shape ? ['leases', 'elections', 'bare', 'shown'] : [null]
    const names = /\{(name|group)\}/.test(route.path) ? ['all%2Fheld', 'all%2Ffree'] : ['none-such']
    return tables.flatMap((table) =>
      names.flatMap((name) =>
        ('wait' in shape ? waits : ['']).map((wait) => {
          const path = route.path.replace(/\{\w+\}/, name)
          const query = [table === null ? '' : `table=${table}`, wait].filter((part) => part !== '').join('&')
          return query === '' ? path : `${path}?${query}`
        }),
      ),
    )
  })
  expect(asked.length).toBeGreaterThan(60)
  // Eight at a time: all of them at once are an overload on a busy machine, which 503 is the right answer to.
  const answers: { path: string; status: number; code: string | undefined }[] = []
  const next = asked.values()
  const sender = async () => {
    for (const path of next) {
      const { status, body } = await console.api('GET', path)
      answers.push({ path, status, code: body?.code })
    }
  }
  await Promise.all(Array.from({ length: 8 }, sender))
  expect(answers.length).toBe(asked.length)
  expect(answers.filter(({ status }) => status >= 500 || status === 401 || status === 403)).toEqual([])
})
