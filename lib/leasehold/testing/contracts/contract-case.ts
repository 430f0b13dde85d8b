/** The parts of a contract's cases: the store under test, and a name that no other case uses. */
import assert from 'node:assert/strict'
import { LeaseProtocol, type LeaseStore } from '../../lease/index.ts'
import { type Clock, systemClock, systemTimer, type Timer } from '../../time/index.ts'

/** A client that uses the same table through plain CQL. Each method returns whether its statement was applied. */
export interface PlainClient {
  insertIfNotExists(name: string, owner: string, value: string | null, ttlSeconds: number): Promise<boolean>
  renewOwnerOnly(name: string, owner: string, ttlSeconds: number): Promise<boolean>
  setValueOnly(name: string, owner: string, value: string, ttlSeconds: number): Promise<boolean>
  deleteIfOwner(name: string, owner: string): Promise<boolean>
}

export interface ContractHarness {
  store: LeaseStore
  plain: PlainClient
  /** Default: the system's. */
  clock?: Clock
  timer?: Timer
  /** Lets time pass. */
  wait(ms: number): Promise<void>
}

interface Setup extends ContractHarness {
  leases: LeaseProtocol
  /** A name that no other case uses. */
  name: string
}

export interface ContractCase {
  title: string
  run(harness: ContractHarness): Promise<void>
}

let cases = 0
export const it = (title: string, body: (setup: Setup) => Promise<void>): ContractCase => ({
  title,
  run: async (harness) => {
    const { store, clock = systemClock, timer = systemTimer } = harness
    const leases = new LeaseProtocol({
      store,
      clock,
      timer,
      maxClockSkewMs: 100,
      defaultTtlSeconds: 30,
    })
    await body({ ...harness, leases, name: `contract/${process.pid}/${Date.now().toString(36)}/${++cases}` })
  },
})

export const acquired = async (
  leases: LeaseProtocol,
  name: string,
  options: Parameters<LeaseProtocol['tryAcquire']>[1] = {},
) => {
  const outcome = await leases.tryAcquire(name, options)
  assert(outcome.kind === 'acquired', `expected acquired, got ${outcome.kind}`)
  return outcome.tenure
}
