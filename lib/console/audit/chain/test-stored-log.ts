import { FakeClock } from 'leasehold/testing'
import { originBucket } from './bucket.ts'
import { testLog } from './test-audit.ts'
import { MemoryAuditStore } from './test-memory-audit-store.ts'

export const day = Date.UTC(2026, 10, 21, 12)

export function setUp(clock = new FakeClock(day)) {
  const store = new MemoryAuditStore()
  return { store, clock, ...testLog({ store, clock, timer: clock }) }
}

/** The entries of a chain, without its seals. */
export const bodies = (store: MemoryAuditStore, chain = 'main') =>
  [...store.buckets]
    .filter(([partition]) => partition.startsWith(chain) && !partition.endsWith(originBucket))
    .flatMap(([, { rows }]) => [...rows.values()].map(({ body }) => JSON.parse(body)))
    .filter(({ act }) => act !== 'seal')
