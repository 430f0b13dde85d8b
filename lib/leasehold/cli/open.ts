import type { LeaseStore } from '../lease/index.ts'
import type { Connection } from './connection.ts'

/** What the commands need of a cluster, or of a server in front of one. */
export interface Opened {
  readonly store: LeaseStore
  close(): Promise<void>
}

/** @throws StoreUnavailableError, StoreRefusedError, InvalidArgumentError */
export async function open(connection: Connection): Promise<Opened> {
  // The driver is loaded by those who need it: `--help` and `--server` are quick.
  const { CassandraLeaseStore, connect, defaultMapping } = await import('../cassandra/index.ts')
  if (connection.kind === 'server') throw new Error('not yet')
  const session = await connect(connection.connect)
  return {
    store: new CassandraLeaseStore(session, connection.mapping ?? defaultMapping),
    close: () => session.close(),
  }
}
