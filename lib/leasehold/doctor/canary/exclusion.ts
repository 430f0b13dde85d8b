/**
 * The first half of the canary: while one owner holds a fresh name, no other one gets it.
 *
 * A contradiction found here is one of the table, not of a busy machine: each statement was answered, and the last answer
 * came while the first owner's lease surely still ran.
 */
import { type LeaseStore, uniqueOwner } from '../../lease/index.ts'
import { type Clock, type Deadline, deadlineOf, untilDeadlineMs } from '../../time/index.ts'
import { answered, Contradiction, Inconclusive } from './answers.ts'

/** Long enough for eight statements on a busy cluster. In seconds. */
const ttlSeconds = 60

export interface Trial {
  readonly store: LeaseStore
  readonly clock: Clock
  readonly maxClockSkewMs: number
  /** A name that no client has used. */
  readonly name: string
}

/** @throws Contradiction, Inconclusive, StoreRefusedError */
export async function exclusion({ store, clock, maxClockSkewMs, name }: Trial): Promise<void> {
  const [holder, rival] = [uniqueOwner(), uniqueOwner()]
  const value = store.columns.value ? 'canary' : null
  const write = { name, value, ttlSeconds }
  const deadline = deadlineOf(clock.now(), ttlSeconds, maxClockSkewMs)
  const unsafe = (found: string) => {
    if (untilDeadlineMs(deadline, clock.now()) <= 0)
      throw new Inconclusive(`The answers took longer than the lease of ${ttlSeconds} s.`)
    return new Contradiction(found, { isUnsafe: true })
  }

  const first = await answered(store.acquire({ ...write, owner: holder }))
  // A write that lost its round and found itself applied by another answers "not applied" too.
  if (!first.applied) throw new Inconclusive('Cassandra refused a fresh name.')
  const second = await answered(store.acquire({ ...write, owner: rival }))
  if (second.applied) throw unsafe('The same lease was granted to two owners.')
  const shown = await answered(store.read(name))
  if (shown.cells === null)
    throw unsafe('A lease of 60 s was granted, and a SERIAL read right after it shows no row.')
  if (store.columns.owner) {
    if (shown.cells.owner !== holder)
      throw unsafe(
        'A lease of 60 s was granted, and a SERIAL read right after it shows another owner, or none.',
      )
    const foreign = { ...write, owner: rival, knownValue: value }
    if ((await answered(store.renew(foreign))).applied)
      throw unsafe('A renewal was applied for an owner that does not hold the lease.')
    if ((await answered(store.release({ name, owner: rival }))).applied)
      throw unsafe('A release was applied for an owner that does not hold the lease.')
    const renewed = await answered(store.renew({ ...write, owner: holder, knownValue: value }))
    if (!renewed.applied) throw refused(deadline, clock, 'The renewal of a lease was refused to its holder.')
    const later = await answered(store.read(name))
    if (!isLater(shown.cells.ownerWritetime, later.cells?.ownerWritetime ?? null))
      throw refused(
        deadline,
        clock,
        'A renewal did not move the version of the lease on: tokens cannot fence.',
      )
  }
  const released = await answered(store.release({ name, owner: holder }))
  if (!released.applied) throw refused(deadline, clock, 'The release of a lease was refused to its holder.')
}

const isLater = (before: bigint | null, after: bigint | null): boolean =>
  before !== null && after !== null && after > before

/** The holder is refused what it may do: leases suffer, and no two owners hold one. */
export function refused(deadline: Deadline, clock: Clock, found: string): Error {
  return untilDeadlineMs(deadline, clock.now()) <= 0
    ? new Inconclusive('The answers took longer than the lease.')
    : new Contradiction(found, { isUnsafe: false })
}
