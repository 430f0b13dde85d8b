/**
 * The six statements of "Consensus on Cassandra", DataStax's article on leases by lightweight transactions, typed by a
 * plain driver client as they stand there, beside this library on the same table. Each side keeps to the other's leases.
 */
import cassandra from 'cassandra-driver'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CassandraLeaseStore, type CassandraSession } from '../../cassandra/index.ts'
import { LeaseProtocol, type LeaseView } from '../../lease/index.ts'
import { Operator } from '../../operator/index.ts'
import { testClientCredentials, testContactPoint, testSession } from '../node-session.ts'

const keyspace = 'leases_article'
const { consistencies } = cassandra.types

const statements = {
  create:
    'CREATE TABLE leases (name text PRIMARY KEY, owner text, value text) WITH default_time_to_live = 180',
  acquire: "INSERT INTO leases (name, owner) VALUES ('foo','client_unique_id_1') IF NOT EXISTS",
  acquireToo: "INSERT INTO leases (name, owner) VALUES ('foo','client_unique_id_2') IF NOT EXISTS",
  renew:
    "UPDATE leases SET owner = 'client_unique_id_1', value = 'work so far' WHERE name = 'foo' IF owner = 'client_unique_id_1'",
  release: "DELETE FROM leases WHERE name = 'foo' IF owner = 'client_unique_id_1'",
  read: "SELECT writetime(owner), value, owner FROM leases WHERE name = 'foo'",
}

let session: CassandraSession
/** A client written from the article, without this library. */
let plain: cassandra.Client
let leases: LeaseProtocol

/** The one row of the answer, as a plain object; conditional writes at QUORUM and SERIAL, the read at SERIAL. */
async function type(cql: string): Promise<Record<string, unknown> | undefined> {
  const reads = cql.startsWith('SELECT')
  const { serial, quorum } = consistencies
  const options = reads ? { consistency: serial } : { consistency: quorum, serialConsistency: serial }
  const { rows } = await plain.execute(cql, [], options)
  return rows?.[0] && Object.fromEntries(Object.entries(rows[0]))
}

/** Read a second short if the write crossed the edge of a second, and a second long if the read did. */
const tableTtl = expect.toBeOneOf([179, 180, 181])

const holder = async (): Promise<LeaseView> => {
  const view = await leases.read('foo')
  if (view === null) throw new Error('foo is free.')
  return view
}

beforeAll(async () => {
  session = await testSession(keyspace)
  plain = new cassandra.Client({
    contactPoints: [testContactPoint()],
    localDataCenter: 'datacenter1',
    keyspace,
    ...testClientCredentials(),
  })
  await plain.execute(`DROP TABLE IF EXISTS ${keyspace}.leases`)
  await plain.execute(statements.create)
  leases = new LeaseProtocol({ store: new CassandraLeaseStore(session), maxClockSkewMs: 100 })
})
afterAll(async () => {
  await plain?.shutdown()
  await session?.close()
})
beforeEach(async () => {
  const left = await leases.read('foo')
  if (left?.owner != null) await new Operator(leases).kill({ name: 'foo', owner: left.owner })
})

describe('the article’s client holds the lease', () => {
  it('acquires it, with the table’s 180 s; a second client is refused, and shown the holder', async () => {
    expect(await type(statements.acquire)).toEqual({ '[applied]': true })
    expect(await type(statements.acquireToo)).toEqual({
      '[applied]': false,
      name: 'foo',
      owner: 'client_unique_id_1',
      value: null,
    })
    // The library sees the same holder, and does not get it either.
    expect(await leases.tryAcquire('foo')).toEqual({ kind: 'held', owner: 'client_unique_id_1' })
    expect(await holder()).toMatchObject({
      owner: 'client_unique_id_1',
      value: null,
      ttlSeconds: tableTtl,
    })
  })

  it('renews it with progress, which every reader at SERIAL sees, as a newer version', async () => {
    await type(statements.acquire)
    const before = await holder()
    expect(await type(statements.renew)).toEqual({ '[applied]': true })
    const after = await holder()
    expect(after).toMatchObject({
      owner: 'client_unique_id_1',
      value: 'work so far',
      ttlSeconds: tableTtl,
    })
    expect(after.version).toBeGreaterThan(before.version as bigint)
    // What the article reads is what the library shows, to the microsecond.
    const row = await type(statements.read)
    expect(row).toMatchObject({ owner: 'client_unique_id_1', value: 'work so far' })
    expect(String(row?.['writetime(owner)'])).toBe(String(after.version))
  })

  it('releases it, and the library may have it', async () => {
    await type(statements.acquire)
    expect(await type(statements.release)).toEqual({ '[applied]': true })
    expect(await type(statements.read)).toBeUndefined()
    expect((await leases.tryAcquire('foo')).kind).toBe('acquired')
  })

  it('cannot be renewed or released by the library under another owner', async () => {
    await type(statements.acquire)
    expect(await leases.release({ name: 'foo', owner: 'client_unique_id_2' })).toEqual({
      kind: 'notHeld',
      owner: 'client_unique_id_1',
    })
    expect(await type(statements.read)).toMatchObject({ owner: 'client_unique_id_1' })
  })
})

describe('the library holds the lease', () => {
  it('refuses each of the article’s conditional statements, and names its holder', async () => {
    const outcome = await leases.tryAcquire('foo', { value: 'ours' })
    if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
    const { owner, token } = outcome.tenure
    for (const statement of [statements.acquire, statements.acquireToo])
      expect(await type(statement)).toEqual({ '[applied]': false, name: 'foo', owner, value: 'ours' })
    // The answer to a refused UPDATE or DELETE has the condition's column alone.
    for (const statement of [statements.renew, statements.release])
      expect(await type(statement)).toEqual({ '[applied]': false, owner })
    // Untouched: the very write of the acquisition.
    const row = await type(statements.read)
    expect(row).toMatchObject({ owner, value: 'ours' })
    expect(String(row?.['writetime(owner)'])).toBe(String(token))
  })

  it('releases it, and the article’s client may acquire it; a later renewal by the library is refused', async () => {
    const outcome = await leases.tryAcquire('foo')
    if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
    expect(await leases.release(outcome.tenure)).toEqual({ kind: 'released', certain: true })
    expect(await type(statements.acquire)).toEqual({ '[applied]': true })
    expect(await leases.renew(outcome.tenure)).toEqual({
      kind: 'lost',
      why: 'not-holder',
      owner: 'client_unique_id_1',
    })
  })

  it('hands over with a token that is greater than every writetime the article’s client has read', async () => {
    await type(statements.acquire)
    await type(statements.renew)
    const row = await type(statements.read)
    await type(statements.release)
    const outcome = await leases.tryAcquire('foo')
    if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
    expect(outcome.tenure.token).toBeGreaterThan(BigInt(String(row?.['writetime(owner)'])))
  })
})
