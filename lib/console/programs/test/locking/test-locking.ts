/** Requests to acquire or to renew, on a store in memory. */
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import type { AuditEvent } from '../../../../contract/audit.ts'
import type { Session } from '../../../../contract/people/session.ts'
import type { LockRequest } from '../../../../contract/programs/lock.ts'
import { ActWindow } from '../../../http/act-window.ts'
import { acquireOrRenew } from '../../locking.ts'

export const program = {
  username: 'jobs',
  role: 'client',
  via: 'token',
  elevatedUntil: null,
  expiresAt: null,
  scope: { role: 'client', prefixes: [''], tables: ['*'] },
} as Session

interface LockingOptions {
  session?: Session
  /** Of the lease. */
  name?: string
  /** Beginnings of names. */
  secondPersonFor?: string[]
}

export function locking({ session = program, name = 'job', secondPersonFor = [] }: LockingOptions = {}) {
  const clock = new FakeClock(Date.UTC(2026, 10, 21, 12) + 460)
  const store = new MemoryLeaseStore(clock)
  const leases = new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
  const written: AuditEvent[] = []
  const append = async (event: AuditEvent) => void written.push(event)
  const services = {
    clock,
    session: { keyspace: 'k' },
    config: { secondPersonFor, adminActions: true },
    audit: { append, appendUntilWritten: append },
    actLimit: { take: () => {} },
  }
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = { id: 'leases', leases, defaultTtlSeconds: 60, mapping }
  return {
    clock,
    store,
    leases,
    /** What the audit log got. */
    written,
    audit: services.audit,
    /** @param stoppedMs for how long the process is suspended after the sender was looked up */
    put: (request: LockRequest, as = session, stoppedMs = 0) => {
      const sender = { session: as, address: null, requestId: 'r', window: new ActWindow(clock) }
      clock.suspend(stoppedMs)
      return acquireOrRenew(services as never, sender as never, table as never, name, request)
    },
  }
}
