/** Where the clients of a run send their operations: sessions of the library, and the API of each console. */
import {
  CassandraSequenceStore,
  type CassandraSession,
  CassandraTermStore,
} from '../../lib/leasehold/cassandra/index.ts'
import { StoredTerms } from '../../lib/leasehold/election/index.ts'
import { HttpLeaseStore, HttpSequence, HttpTerms, LeaseholdServer } from '../../lib/leasehold/http/index.ts'
import { Sequence } from '../../lib/leasehold/sequence/index.ts'
import type { Backend } from '../../lib/leasehold/test/faults/clients.ts'

export function libraryBackend(session: CassandraSession, maxClockSkewMs: number): Backend {
  const store = new CassandraSequenceStore(session)
  return {
    leases: { store: session.store, maxClockSkewMs },
    terms: new StoredTerms({ store: new CassandraTermStore(session) }),
    sequence: (name) => new Sequence({ store, name, blockSize: 3 }),
  }
}

export function apiBackend(url: string, token: string, maxClockSkewMs: number): Backend {
  const server = new LeaseholdServer({ url, token })
  return {
    leases: { store: new HttpLeaseStore(server, { paxosVariant: 'v2' }), maxClockSkewMs },
    terms: new HttpTerms({ server }),
    sequence: (name) => new HttpSequence({ server, name }),
  }
}
