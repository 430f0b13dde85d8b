/** Beside the console, a plain driver client with the statements that every article on leases has. */
import cassandra from 'cassandra-driver'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'

let console: TestConsole
let keyspace: string
const run = async (cql: string, consistency = cassandra.types.consistencies.quorum) => {
  const result = await console.context.session.client.execute(cql, [], {
    consistency,
    serialConsistency: cassandra.types.consistencies.serial,
  })
  return result.rows as unknown as Record<string, unknown>[]
}

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
})
afterAll(() => console?.context.session.close())

it('each side respects the other’s leases, statement by statement', async () => {
  const insert = `INSERT INTO ${keyspace}.leases (name, owner) VALUES ('foo','client_unique_id_1') IF NOT EXISTS`
  expect((await run(insert))[0]?.['[applied]']).toBe(true)
  // The console sees it, with the table's default TTL, and cannot take it.
  const seen = await console.api('GET', '/v1/leases/foo')
  expect(seen.body).toMatchObject({
    owner: 'client_unique_id_1',
    value: null,
    state: 'held',
    // A write or a read that crosses the edge of a second shows one more or less.
    ttlSeconds: expect.toBeOneOf([179, 180, 181]),
  })
  const refused = await console.api('PUT', '/v1/locks/foo', { owner: 'other' })
  expect([refused.status, refused.body.holder.owner]).toEqual([409, 'client_unique_id_1'])
  expect((await console.api('DELETE', '/v1/locks/foo?owner=other')).status).toBe(412)
  // The renewal, and the read at SERIAL.
  const update = `UPDATE ${keyspace}.leases SET owner = 'client_unique_id_1', value = 'working' WHERE name = 'foo' IF owner = 'client_unique_id_1'`
  expect((await run(update))[0]?.['[applied]']).toBe(true)
  const [row] = await run(
    `SELECT writetime(owner), value, owner FROM ${keyspace}.leases WHERE name = 'foo'`,
    cassandra.types.consistencies.serial,
  )
  const renewed = await console.api('GET', '/v1/leases/foo')
  expect(renewed.body).toMatchObject({
    owner: row?.owner,
    value: 'working',
    version: String(row?.['writetime(owner)']),
  })
  expect(BigInt(renewed.body.version)).toBeGreaterThan(BigInt(seen.body.version))
  // The conditional DELETE frees it for the console, and the console's lease is respected in turn.
  const remove = `DELETE FROM ${keyspace}.leases WHERE name = 'foo' IF owner = 'client_unique_id_1'`
  expect((await run(remove))[0]?.['[applied]']).toBe(true)
  expect((await console.api('PUT', '/v1/locks/foo', { owner: 'other' })).status).toBe(201)
  for (const statement of [insert, update, remove])
    expect((await run(statement))[0]?.['[applied]'], statement).toBe(false)
  expect((await console.api('DELETE', '/v1/locks/foo?owner=other')).status).toBe(204)
})

it('shows a row whose value outlived its owner as a zombie, which can be acquired', async () => {
  const acquire = `INSERT INTO ${keyspace}.leases (name, owner, value) VALUES ('undead', 'mortal', 'v') IF NOT EXISTS USING TTL 6`
  const renewValue = `UPDATE ${keyspace}.leases USING TTL 60 SET value = 'v' WHERE name = 'undead' IF owner = 'mortal'`
  for (let tries = 1; ; tries++) {
    await run(acquire)
    if ((await run(renewValue))[0]?.['[applied]'] === true) break
    // The owner may expire before the second statement of a busy machine.
    expect(tries, 'renewals after the expiry').toBeLessThan(20)
  }
  await new Promise((resolve) => setTimeout(resolve, 6_200))
  const zombie = (await console.api('GET', '/v1/leases/undead')).body
  expect(zombie).toMatchObject({
    state: 'zombie',
    owner: null,
    value: 'v',
    version: null,
    expiresAt: null,
    remainingMs: null,
  })
  expect(zombie.valueRemainingMs).toBeGreaterThan(30_000)
  expect((await console.api('GET', '/v1/leases?prefix=undead')).body.leases[0].state).toBe('zombie')
  expect((await console.api('POST', '/v1/leases/undead/release-plan', {})).body.code).toBe('not-releasable')
  expect((await console.api('GET', '/v1/locks/undead')).status).toBe(404)
  expect((await console.api('PUT', '/v1/locks/undead', { owner: 'living' })).status).toBe(201)
  expect((await console.api('GET', '/v1/leases/undead')).body).toMatchObject({
    state: 'held',
    owner: 'living',
    value: null,
  })
})

it('distinguishes partial and eternal leases', async () => {
  await run(
    `INSERT INTO ${keyspace}.leases (name, owner, value) VALUES ('partial', 'o', 'v') IF NOT EXISTS USING TTL 60`,
  )
  await run(`UPDATE ${keyspace}.leases USING TTL 300 SET owner = 'o' WHERE name = 'partial' IF owner = 'o'`)
  expect((await console.api('GET', '/v1/leases/partial')).body.state).toBe('partial')
  await run(`INSERT INTO ${keyspace}.leases (name, owner) VALUES ('eternal', 'o') IF NOT EXISTS USING TTL 0`)
  expect((await console.api('GET', '/v1/leases/eternal')).body).toMatchObject({
    state: 'eternal',
    expiresAt: null,
    ttlSeconds: null,
  })
  const rival = await console.api('PUT', '/v1/locks/eternal', {})
  expect([rival.status, rival.headers.get('retry-after')]).toEqual([409, '60'])
})
