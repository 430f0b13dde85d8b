import cassandra from 'cassandra-driver'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type ContractHarness, type PlainClient, storeContract } from '../testing/index.ts'
import { CassandraLeaseStore } from './lease-store.ts'
import type { TableMapping } from './mapping.ts'
import type { CassandraSession } from './session.ts'
import { testSession } from './test-session.ts'

const keyspace = 'contract'

/** Statements as every article on leases has them, by a bare driver client. */
function plainClient(session: CassandraSession, { table, name, owner, value }: TableMapping): PlainClient {
  const run = async (cql: string, params: unknown[]) => {
    const { consistencies } = cassandra.types
    const result = await session.client.execute(cql.replaceAll('$t', `"${keyspace}"."${table}"`), params, {
      prepare: true,
      consistency: consistencies.quorum,
      serialConsistency: consistencies.serial,
    })
    return result.first()?.['[applied]'] === true
  }
  return {
    insertIfNotExists: (n, o, v, ttl) =>
      v === null
        ? run(`INSERT INTO $t ("${name}", "${owner}") VALUES (?, ?) IF NOT EXISTS USING TTL ?`, [n, o, ttl])
        : run(
            `INSERT INTO $t ("${name}", "${owner}", "${value}") VALUES (?, ?, ?) IF NOT EXISTS USING TTL ?`,
            [n, o, v, ttl],
          ),
    renewOwnerOnly: (n, o, ttl) =>
      run(`UPDATE $t USING TTL ? SET "${owner}" = ? WHERE "${name}" = ? IF "${owner}" = ?`, [ttl, o, n, o]),
    setValueOnly: (n, o, v, ttl) =>
      run(`UPDATE $t USING TTL ? SET "${value}" = ? WHERE "${name}" = ? IF "${owner}" = ?`, [ttl, v, n, o]),
    deleteIfOwner: (n, o) => run(`DELETE FROM $t WHERE "${name}" = ? IF "${owner}" = ?`, [n, o]),
  }
}

const mappings: Record<string, TableMapping> = {
  'the well-known table': { table: 'leases', name: 'name', owner: 'owner', value: 'value' },
  // Reserved words, capitals, and a value that sorts before the owner.
  'a table with names of its own': {
    table: 'Leader_Election',
    name: 'group',
    owner: 'leader_id',
    value: 'Data',
  },
}

describe.each(Object.entries(mappings))('Cassandra keeps the contract: %s', (_title, mapping) => {
  let session: CassandraSession
  let harness: ContractHarness

  beforeAll(async () => {
    session = await testSession(keyspace)
    await session.client.execute(
      `CREATE TABLE IF NOT EXISTS "${keyspace}"."${mapping.table}" ("${mapping.name}" text PRIMARY KEY, "${mapping.owner}" text, "${mapping.value}" text) WITH default_time_to_live = 180`,
    )
    harness = {
      store: new CassandraLeaseStore(session, mapping),
      plain: plainClient(session, mapping),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }
  })
  afterAll(() => session?.close())

  for (const { title, run } of storeContract) it(title, () => run(harness))
})
