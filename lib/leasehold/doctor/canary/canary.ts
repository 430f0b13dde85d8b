/**
 * The canary: does this table keep the promises that leases stand on?
 *
 * Guarantees: `failed` is never the fault of a slow or busy cluster. A try in which an answer was lost, or came later than
 * the lease lasts, is repeated under a fresh name, and after some such tries the outcome is `unknown`.
 * Does not guarantee: that a table which passed keeps its promises later, or on other partitions.
 * Assumes: no client writes names that begin with `canaryPrefix`, and no operator truncates the table meanwhile.
 * Tuned by: the number of tries.
 *
 * Why: on Cassandra 6.0-alpha2 a conditional write with a TTL on a table with `transactional_mode = 'full'` answers
 * *applied*, and its row has expired already: two owners get the same lease, and nothing else shows it.
 */
import { randomBytes } from 'node:crypto'
import { isLeaseholdError, type LeaseStore } from '../../lease/index.ts'
import { type Clock, defaultMaxClockSkewMs, systemClock, systemTimer, type Timer } from '../../time/index.ts'
import { Contradiction, Inconclusive } from './answers.ts'
import { ending } from './ending.ts'
import { exclusion } from './exclusion.ts'

/** Names of canaries begin with it, in every table. */
export const canaryPrefix = 'leasehold/canary/'

export type CanaryOutcome =
  | { readonly kind: 'passed'; readonly part: CanaryPart; readonly tookMs: number }
  /** `isUnsafe`: two owners could hold one lease. */
  | { readonly kind: 'failed'; readonly isUnsafe: boolean; readonly name: string; readonly found: string }
  | { readonly kind: 'unknown'; readonly found: string }

/**
 * `exclusion`: whether two owners can get one lease; some milliseconds. `whole`: also whether leases end, by release and by
 * themselves; some seconds.
 */
export type CanaryPart = 'exclusion' | 'whole'

export interface CanaryOptions {
  /** `whole` unless set. */
  readonly part?: CanaryPart | undefined
  /** How many fresh names are tried when answers are lost; 3 unless set. */
  readonly tries?: number | undefined
  readonly maxClockSkewMs?: number | undefined
  readonly clock?: Clock | undefined
  readonly timer?: Timer | undefined
  /** A name that no client has used, each time. */
  readonly freshName?: (() => string) | undefined
}

/**
 * Tries one table with leases of its own. It writes rows under `canaryPrefix`, and deletes them; after a lost answer a row
 * may stay for a minute.
 * @throws ClosedError
 * @example
 * const outcome = await canary(session.store)
 * if (outcome.kind === 'failed' && outcome.isUnsafe) process.exit(1)
 */
export async function canary(store: LeaseStore, options: CanaryOptions = {}): Promise<CanaryOutcome> {
  const { part = 'whole', tries = 3, maxClockSkewMs = defaultMaxClockSkewMs } = options
  const { clock = systemClock, timer = systemTimer, freshName = randomName } = options
  const started = clock.now().monotonicMs
  const halves = part === 'whole' ? [exclusion, ending] : [exclusion]
  for (const half of halves) {
    const end = await tried(half, { store, clock, timer, maxClockSkewMs, freshName, tries })
    if (end !== null) return end
  }
  return { kind: 'passed', part, tookMs: clock.now().monotonicMs - started }
}

interface Tries {
  readonly store: LeaseStore
  readonly clock: Clock
  readonly timer: Timer
  readonly maxClockSkewMs: number
  readonly freshName: () => string
  readonly tries: number
}

/** null: the table did what it must. */
async function tried(half: typeof exclusion | typeof ending, given: Tries): Promise<CanaryOutcome | null> {
  let found = ''
  for (let count = 0; count < given.tries; count++) {
    const name = given.freshName()
    try {
      await half({ ...given, name })
      return null
    } catch (thrown) {
      if (thrown instanceof Contradiction)
        return { kind: 'failed', isUnsafe: thrown.isUnsafe, name, found: thrown.message }
      // A missing permission or table: another name would be refused too.
      if (isLeaseholdError(thrown, 'store-refused')) return { kind: 'unknown', found: thrown.message }
      if (!(thrown instanceof Inconclusive)) throw thrown
      found = thrown.message
    }
  }
  return { kind: 'unknown', found: `The canary tried ${given.tries} times and could prove nothing: ${found}` }
}

const randomName = (): string => canaryPrefix + randomBytes(12).toString('hex')
