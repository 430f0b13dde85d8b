/** A session with a second role for reading: which statements go over which connection. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testConnect, testContactPoint, testCredentials, testSession } from '../../test/node-session.ts'
import { CassandraLeaseStore } from '../leases/lease-store.ts'
import { tables } from '../schema/tables.ts'
import { connect } from './connect.ts'
import type { CassandraSession } from './session.ts'

const keyspace = 'reader_session_test'
const [reader, writer] = [`${keyspace}_reader`, `${keyspace}_writer`]
const password = 'of a test'

describe.runIf('username' in testCredentials())('a session with a reader', () => {
  let admin: CassandraSession
  let session: CassandraSession
  const where = { contactPoints: [''], localDataCenter: 'datacenter1', keyspace }

  beforeAll(async () => {
    where.contactPoints = [testContactPoint()]
    admin = await testSession(keyspace)
    await admin.client.execute(tables.leases.replace('$k', keyspace))
    for (const role of [reader, writer])
      await admin.client.execute(
        `CREATE ROLE IF NOT EXISTS ${role} WITH PASSWORD = '${password}' AND LOGIN = true`,
      )
    // The writer has SELECT only where its conditions need it, so that each statement shows its connection.
    await admin.client.execute(`GRANT SELECT ON TABLE ${keyspace}.leases TO ${reader}`)
    for (const permission of ['SELECT', 'MODIFY'])
      await admin.client.execute(`GRANT ${permission} ON TABLE ${keyspace}.leases TO ${writer}`)
    session = await testConnect({
      ...where,
      username: writer,
      password,
      reader: { username: reader, password },
    })
  })
  afterAll(async () => {
    await session?.close()
    await admin?.close()
  })

  it('reads as the reader, and writes as the writer', async () => {
    const store = new CassandraLeaseStore(session)
    const seen = new Map<string, string[]>()
    for (const who of ['client', 'reader'] as const) {
      const client = session[who]
      const execute = client.execute.bind(client) as (...args: unknown[]) => unknown
      client.execute = ((cql: string, ...rest: unknown[]) => {
        seen.set(who, [...(seen.get(who) ?? []), cql.slice(0, 6)])
        return execute(cql, ...rest)
      }) as never
    }
    const name = `n-${Date.now()}`
    await store.acquire({ name, owner: 'o', value: null, ttlSeconds: 5 })
    await store.read(name)
    await store.release({ name, owner: 'o' })
    // A write that a busy machine did not send is called again.
    expect(new Set(seen.get('client'))).toEqual(new Set(['UPDATE', 'DELETE']))
    expect(new Set(seen.get('reader'))).toEqual(new Set(['SELECT']))
    expect(session.nodes()).toEqual({ nodes: 1, nodesUp: 1 })
  })

  it('does not connect, and leaves nothing open, when Cassandra refuses the reader', async () => {
    const wrong = connect({
      ...where,
      username: writer,
      password,
      reader: { username: reader, password: 'x' },
    })
    await expect(wrong).rejects.toMatchObject({
      code: 'store-refused',
      message: expect.stringContaining(reader),
    })
  })

  it('closes both', async () => {
    await session.close()
    for (const client of [session.client, session.reader])
      await expect(client.execute('SELECT key FROM system.local')).rejects.toThrow(/shutdown|shutting down/i)
  })
})
