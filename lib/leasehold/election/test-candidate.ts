/** For tests alone: processes that share a lease table and a table of terms in memory. */
import { Leases } from '../lease/index.ts'
import type { FakeClock, MemoryLeaseStore, MemoryTermStore } from '../testing/index.ts'
import { Election, StoredTerms } from './index.ts'

export const group = 'billing/leader'

export interface Shared {
  clock: FakeClock
  store: MemoryLeaseStore
  terms: MemoryTermStore
}

/** A candidate; to the stores, each one is a process of its own. */
export function candidate({ clock, store, terms }: Shared) {
  const deps = { clock, timer: clock, random: () => 0.5 }
  const leases = new Leases({ store, ...deps, maxClockSkewMs: 100, defaultTtlSeconds: 10 })
  const stored = new StoredTerms({ store: terms, ...deps })
  return { leases, terms: stored, election: new Election({ leases, group, terms: stored }) }
}
