/** The parts of a contract's cases: the store under test, and a name that no other case uses. */
import assert from 'node:assert/strict'
import { LeaseProtocol, type LeaseStore } from '../../lease/index.ts'
import { type Clock, elapsedMs, type Moment, systemClock, systemTimer, type Timer } from '../../time/index.ts'

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
  /** Whether a case ended with a lost answer, which shows nothing: it is played again. Left out: no answer is lost. */
  hadNoAnswer?: ((thrown: unknown) => boolean) | undefined
}

interface Setup extends ContractHarness {
  clock: Clock
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
    const { store, clock = systemClock, timer = systemTimer, hadNoAnswer = () => false } = harness
    const leases = new LeaseProtocol({
      store,
      clock,
      timer,
      maxClockSkewMs: 100,
      defaultTtlSeconds: 30,
    })
    for (let tries = 1; ; tries++) {
      const name = `contract/${process.pid}/${Date.now().toString(36)}/${++cases}`
      try {
        return await body({ ...harness, clock, leases, name })
      } catch (thrown) {
        if (tries === 5 || !hadNoAnswer(thrown)) throw thrown
      }
    }
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

/**
 * Writes rows that expire soon. Where a row expired on the way, because the writes took longer than this, they are made again under
 * another name.
 * @returns the name
 */
export async function writtenWithin(
  ms: number,
  { clock, name }: { clock: Clock; name: string },
  write: (name: string) => Promise<void>,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    const began = clock.now()
    const each = `${name}/${tries}`
    try {
      await write(each)
      return each
    } catch (thrown) {
      if (tries === 20 || elapsedMs(began, clock.now()) < ms) throw thrown
    }
  }
}

/** How many edges of a second a statement may have crossed since then. */
export const edgesSince = (began: Moment, { clock }: { clock: Clock }): number =>
  1 + Math.floor(elapsedMs(began, clock.now()) / 1_000)
