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
import type { PaxosVariant } from '../../lib/leasehold/time/index.ts'

export function libraryBackend(session: CassandraSession, maxClockSkewMs: number): Backend {
  const store = new CassandraSequenceStore(session)
  return {
    leases: { store: session.store, maxClockSkewMs },
    terms: new StoredTerms({ store: new CassandraTermStore(session) }),
    sequence: (name) => new Sequence({ store, name, blockSize: 3 }),
  }
}

/** @param paxosVariant the nodes': holders allow for the time for which a write may be in contention there */
export function apiBackend(
  url: string,
  token: string,
  { maxClockSkewMs, paxosVariant }: { maxClockSkewMs: number; paxosVariant: PaxosVariant },
): Backend {
  const server = new LeaseholdServer({ url, token })
  return {
    leases: { store: new HttpLeaseStore(server, { paxosVariant }), maxClockSkewMs },
    terms: new HttpTerms({ server }),
    sequence: (name) => new HttpSequence({ server, name }),
  }
}
