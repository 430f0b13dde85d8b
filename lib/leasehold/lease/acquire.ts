/**
 * Acquiring a lease, answers lost included.
 *
 * Guarantees: whoever is told *acquired* is the owner that Cassandra shows, until the deadline in the tenure.
 * *held* is said only when the store answered that somebody else holds the lease and no earlier try of this call is
 * still under way.
 * Does not guarantee: that an acquisition which ended in OutcomeUnknownError never appears. It may, up to half a
 * minute later, and then lives for one TTL.
 * Assumes: `lease-time.ts`'s assumptions on clocks; that the owner id is used for this acquisition alone. With an
 * owner chosen by the caller, an id that was used before may be matched by a statement sent before.
 */
import { type Deadline, deadlineOf, type Moment, untilDeadlineMs } from '../time/index.ts'
import type { LeaseContext } from './context.ts'
import { isLeaseholdError, OutcomeUnknownError } from './errors.ts'
import { type LeaseView, readLease } from './lease-view.ts'
import { attempt, Pursuit } from './pursuit.ts'
import { renew } from './renew.ts'
import type { Tenure } from './tenure.ts'

export interface Acquisition {
  readonly name: string
  readonly owner: string
  /** The caller chose the owner, who may hold the lease already: seeing that owner proves nothing. */
  readonly chosen: boolean
  readonly value: string | null
  readonly ttlSeconds: number
}

export type AcquireOutcome =
  /** `seen`: the row as read right after, for showing. null: the table has no owner column. */
  | { kind: 'acquired'; tenure: Tenure; seen: LeaseView | null }
  /** `owner` as the store answered; null in a table without an owner column. */
  | { kind: 'held'; owner: string | null }

export async function acquire(context: LeaseContext, wanted: Acquisition): Promise<AcquireOutcome> {
  const { store, clock, expiries } = context
  const { name, owner, ttlSeconds } = wanted
  const pursuit = new Pursuit(context, context.settleMs)
  let firstSent: Moment | undefined
  let lostAnswers = 0
  /** A try of which nothing final can be heard any more: it may still be applied, behind every negative read. */
  let open = false

  const readBack = async () => {
    try {
      return await readLease(store, clock, expiries, name)
    } catch {
      // Whatever it was: it does not say what became of the write.
      return undefined
    }
  }
  const unknown = (why: string, cause?: unknown) =>
    new OutcomeUnknownError(
      `Whether ${JSON.stringify(name)} was acquired is unknown: ${why} It may still appear for at most ${ttlSeconds} s.`,
      name,
      owner,
      { cause },
    )

  /** Our id is there. One that the caller chose may have been there before, so that it proves nothing of this call. */
  const ours = async (deadlineFrom: Moment): Promise<AcquireOutcome> =>
    wanted.chosen ? { kind: 'held', owner } : handOut(context, wanted, { deadlineFrom, late: true })

  for (;;) {
    // 1. The deadline counts from before the request is sent.
    const sent = clock.now()
    firstSent ??= sent
    // 2. One conditional write: applied only where no owner is shown.
    let answer: Awaited<ReturnType<typeof attempt>>
    try {
      answer = await attempt(() => store.acquire(wanted))
    } catch (thrown) {
      if (lostAnswers === 0) throw thrown
      // Not even sent: a connection that broke takes a while to be there again. No news of the earlier tries.
      if (isLeaseholdError(thrown, 'store-unavailable') && (await pursuit.again())) continue
      throw unknown('no later answer tells.', thrown)
    }
    // 3. Answered.
    if (!(answer instanceof Error)) {
      if (answer.applied) return handOut(context, wanted, { deadlineFrom: sent })
      const found = answer.found?.owner ?? null
      // Our own id is there because an earlier try of ours took effect; the row's time runs from that one. The try may
      // have been one of whoever stands between us and Cassandra: a server that lost an answer says so like this.
      if (store.columns.owner && found === owner) return ours(firstSent)
      if (open) throw unknown('an answer was lost, and somebody else holds it by now.')
      return { kind: 'held', owner: found }
    }
    // 4. Not answered. Seeing our id is final; not seeing it is final only after the server's own time-out.
    lostAnswers++
    if (answer.finality === 'never') open = true
    if (!store.columns.owner)
      throw unknown('the answer was lost, and this table does not say whose a lock is.', answer)
    const seen = await readBack()
    if (seen?.owner === owner) return ours(firstSent)
    if (seen != null && seen.owner !== null) {
      if (open) throw unknown('an answer was lost, and somebody else holds it by now.', answer)
      return { kind: 'held', owner: seen.owner }
    }
    // 5. Nobody holds it: try again with the same id, which cannot be acquired twice.
    if (!(await pursuit.again())) throw unknown('no answer came.', answer)
  }
}

/** Reads the token, and makes sure that what is handed out can be relied on. */
async function handOut(
  context: LeaseContext,
  wanted: Acquisition,
  how: { deadlineFrom: Moment; late?: boolean },
): Promise<AcquireOutcome> {
  const { store, clock, maxClockSkewMs } = context
  const deadline = deadlineOf(how.deadlineFrom, wanted.ttlSeconds, maxClockSkewMs)
  const { name, owner, value, ttlSeconds } = wanted
  const first: Tenure = { name, owner, value, ttlSeconds, deadline, token: null }
  if (!store.columns.owner) return { kind: 'acquired', tenure: first, seen: null }
  const renewed = async (tenure: Tenure) => {
    const outcome = await renew(context, tenure, { evenIfPast: true })
    if (outcome.kind === 'lost') throw gone(wanted)
    return outcome.tenure
  }
  // 6. What was found out late has less time left than it seems: renew it before anybody relies on it.
  let tenure = how.late ? await renewed(first) : first
  let pursuit: Pursuit | undefined
  for (;;) {
    // 7. The token: the ballot of the write that is there now, read at SERIAL.
    const seen = await readToken(context, tenure)
    if (seen?.owner !== wanted.owner) throw gone(wanted)
    if (untilDeadlineMs(tenure.deadline, clock.now()) > 0)
      return { kind: 'acquired', tenure: { ...tenure, token: seen.version }, seen }
    // 8. Read too slowly: renew, and read again. Past the deadline the row may have expired, a rival come and gone,
    // and an earlier try of ours landed: the token that was read would be below the rival's.
    pursuit ??= new Pursuit(context, context.settleMs)
    if (!(await pursuit.again()))
      throw new OutcomeUnknownError(
        `${JSON.stringify(name)} was acquired, but no read came in time to rely on it; it is free again after ${ttlSeconds} s.`,
        name,
        owner,
      )
    tenure = await renewed(tenure)
  }
}

async function readToken(context: LeaseContext, tenure: Tenure): Promise<LeaseView | null> {
  const { store, clock, expiries } = context
  const pursuit = new Pursuit(
    context,
    Math.min(context.settleMs, Math.max(untilDeadlineMs(tenure.deadline, clock.now()), 1)),
  )
  for (;;) {
    try {
      return await readLease(store, clock, expiries, tenure.name)
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'store-unavailable')) throw thrown
      if (!(await pursuit.again()))
        throw new OutcomeUnknownError(
          `${JSON.stringify(tenure.name)} was acquired, but its token could not be read; it is free again after ${tenure.ttlSeconds} s.`,
          tenure.name,
          tenure.owner,
          { cause: thrown },
        )
    }
  }
}

const gone = (wanted: Acquisition) =>
  new OutcomeUnknownError(
    `${JSON.stringify(wanted.name)} was acquired and gone again before it could be handed out.`,
    wanted.name,
    wanted.owner,
  )
