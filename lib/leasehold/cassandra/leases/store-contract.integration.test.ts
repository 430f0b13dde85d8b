import { afterAll, beforeAll, describe, it } from 'vitest'
import { isLeaseholdError } from '../../lease/index.ts'
import { testSession } from '../../test/node-session.ts'
import { plainClient } from '../../test/plain-client.ts'
import { type ContractHarness, storeContract } from '../../testing/index.ts'
import type { CassandraSession } from '../session/session.ts'
import { CassandraLeaseStore } from './lease-store.ts'
import type { TableMapping } from './mapping.ts'

const keyspace = 'contract'

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
      // A node that stands still for two seconds gives up what is under way.
      hadNoAnswer: (thrown) =>
        (['outcome-unknown', 'statement-unknown', 'store-unavailable'] as const).some((code) =>
          isLeaseholdError(thrown, code),
        ),
    }
  })
  afterAll(() => session?.close())

  for (const { title, run } of storeContract()) it(title, () => run(harness))
})
