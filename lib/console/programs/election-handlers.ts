import { isLed, type Term } from 'leasehold/election'
import { type LeaseView, remainingMs } from 'leasehold/lease'
import { elapsedMs } from 'leasehold/time'
import { type Election, type Leadership, leadershipSchema } from '../../contract/programs/election.ts'
import type { Routes } from '../../contract/routes.ts'
import type { PermittedSender } from '../audit/actor.ts'
import type { Handler, Input, Reply } from '../http/handler.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { iso, isoOrNull } from '../http/instant.ts'
import { heldProblem, notHolderProblem, racedProblem } from '../leases/holder-json.ts'
import { isHeld, type LeaseTable } from '../leases/lease-table.ts'
import { tableOf, writableTableOf } from '../leases/tables.ts'
import { logLock } from './lock-log.ts'
import type { ElectionServices } from './lock-services.ts'
import { acquireOrRenew, type LockOutcome, orOutcomeUnknown } from './locking.ts'
import { releaseAs, releaseUnclaimed } from './own-lease.ts'

export const getElection: Handler<Routes['getElection'], ElectionServices> = async (
  { params: { group }, query, signal },
  services,
) => {
  const table = electionTable(tableOf(services))
  const { since = '', wait = 0 } = query
  // A quarantine is no change of leader: a caller that knows of no leader goes on waiting through it.
  const view = await services.holders.changed(
    table,
    group,
    since,
    wait,
    signal,
    (seen) => leaderIn(seen) ?? '',
  )
  const owner = leaderIn(view)
  const last = owner === null ? null : await services.terms.last(group)
  const term = last?.leader === owner ? last : null
  const now = services.clock.now()
  const left = view === null ? null : remainingMs(view, now)
  const body: Election = {
    group,
    leader: owner,
    value: owner === null ? null : (view?.value ?? null),
    term: term?.term.toString() ?? null,
    token: term?.token.toString() ?? null,
    since: isoOrNull(term?.sinceMs ?? null),
    expiresAt: owner === null ? null : isoOrNull(view?.expiresAtMs ?? null),
    remainingMs: owner === null || left === null ? null : Math.round(left),
    now: iso(now.wallMs),
  }
  return { status: 200, body }
}

/** The mark of a broken lease is no leader. */
const leaderIn = (view: LeaseView | null): string | null => (isLed(view) ? view.owner : null)

/** Terms are counted for the console's own table; a table without an owner column has no leaders. */
function electionTable(table: LeaseTable): LeaseTable {
  if (table.mapping.owner === null)
    throw new HttpProblem(
      'bad-request',
      `The table ${table.id} has no owner column, so it cannot have leaders.`,
    )
  return table
}

/** 201: elected. 200: the same owner led already, and goes on. 409: another leads, and the wait is over. */
export const campaign: Handler<Routes['campaign'], ElectionServices> = async (input, services) => {
  const { group } = input.params
  const table = electionTable(writableTableOf(services))
  const { ttlSeconds = table.defaultTtlSeconds } = input.body
  const { outcome, sender } = await acquireWaiting(input, services)
  switch (outcome.kind) {
    case 'held':
      throw heldProblem(outcome.view, table, services)
    case 'raced':
      throw racedProblem(group, outcome.holder, services)
    case 'not-holder':
      throw notHolderProblem(outcome.view, input.body.owner ?? '', services)
    case 'acquired': {
      const { owner } = outcome.tenure
      const token = outcome.tenure.token as bigint
      logLock(services, sender, 'acquire', table, { name: group, owner }, 'acquired')
      try {
        const term = await orOutcomeUnknown(owner, group, () =>
          services.terms.begin({ name: group, owner, token, ttlSeconds }),
        )
        if (input.signal.aborted)
          throw new HttpProblem(
            'bad-request',
            'The caller disconnected. The group was resigned, unless the caller chose the owner.',
          )
        return elected(201, group, owner, term, token, { ttlSeconds, expiresAtMs: outcome.expiresAtMs })
      } catch (thrown) {
        // No caller knows the owner that was made here. A caller that chose one may campaign with it again.
        if (input.body.owner === undefined) {
          const named = { name: group, owner }
          await releaseUnclaimed(services, sender, table, named, (resending) =>
            table.leases.release(named, resending),
          )
        }
        throw thrown
      }
    }
    case 'renewed': {
      const { version, expiresAtMs } = outcome.view
      const owner = outcome.view.owner as string
      const term = await orOutcomeUnknown(owner, group, () =>
        termOf(input, services, { owner, version, ttlSeconds }),
      )
      return elected(200, group, owner, term, version, { ttlSeconds, expiresAtMs })
    }
  }
}

/** The same campaign, sent again under its key: it is renewed and still leads, or it no longer leads. */
export const campaignAgain =
  (services: ElectionServices) =>
  async (kept: Reply, input: Input<Routes['campaign']>): Promise<Reply> => {
    const first = leadershipSchema.parse(kept.body)
    // Its term stands in the first answer, whatever token was named then.
    const { acquireOnly: _acquire, token: _token, ...asked } = input.body
    const body = { ...asked, owner: first.owner, renewOnly: true }
    const { status: _, ...renewed } = await campaign({ ...input, body }, services)
    return { status: 201, ...renewed }
  }

function elected(
  status: number,
  group: string,
  owner: string,
  term: Term,
  version: bigint,
  { ttlSeconds, expiresAtMs }: { ttlSeconds: number; expiresAtMs: number },
): Reply {
  const body: Leadership = {
    group,
    owner,
    token: term.token.toString(),
    term: term.term.toString(),
    since: iso(term.sinceMs),
    version: version.toString(),
    ttlSeconds,
    expiresAt: iso(expiresAtMs),
  }
  return { status, body }
}

/**
 * Tries, and waits for the leader to go, until the wait is over.
 * @returns `sender`: with the session of the last try. A person may have lost a role or the elevation during the wait
 */
async function acquireWaiting(
  input: Input<Routes['campaign']>,
  services: ElectionServices,
): Promise<{ outcome: LockOutcome; sender: PermittedSender }> {
  const {
    params: { group },
    query,
    body,
    signal,
    stillAllowed,
  } = input
  const table = writableTableOf(services)
  const { wait = 0 } = query
  const started = services.clock.now()
  const { token: _, ...request } = body
  for (let sender: PermittedSender = input; ; sender = { ...input, session: await stillAllowed() }) {
    const outcome = await acquireOrRenew(services, sender, table, group, request)
    const leftMs = wait - elapsedMs(started, services.clock.now())
    const isOthers = outcome.kind === 'held' || outcome.kind === 'raced'
    if (!isOthers || leftMs <= 0 || signal.aborted) return { outcome, sender }
    // Free a moment ago.
    if (outcome.kind === 'raced') continue
    const { owner } = outcome.view
    const view = await services.holders.changed(table, group, owner ?? '', leftMs, signal)
    // Still the same: the wait is over, or the server is about to end.
    if (isHeld(view, table) && view.owner === owner) return { outcome: { kind: 'held', view }, sender }
    if (signal.aborted) return { outcome, sender }
  }
}

/**
 * The term of a leader that goes on. One that acquired the group as a lock, or whose answer was lost, has none yet: it
 * begins with the token that it got, or else with the version as of now, which is above every earlier leader's too.
 * The lease does not show the token of its tenure, so that a caller may name another one. That gains nothing: an owner
 * has one term as long as no other leader's comes in between, and the token lies above every earlier leader's.
 */
async function termOf(
  { params: { group }, body }: Input<Routes['campaign']>,
  { terms }: ElectionServices,
  { owner, version, ttlSeconds }: { owner: string; version: bigint; ttlSeconds: number },
): Promise<Term> {
  const token = body.token === undefined ? null : BigInt(body.token)
  const isNone = (why: string) =>
    new HttpProblem('bad-request', `The token ${token} is not of this tenure: ${why}`)
  if (token !== null && token > version) throw isNone('it is yet to come.')
  const last = await terms.last(group)
  // The last leader's tenure is over where its token is below the version of this one. Else this one is over by now.
  if (token !== null && last !== null && last.leader !== owner && last.token >= token && last.token < version)
    throw isNone(`the leader before this one had the token ${last.token}.`)
  const term =
    last?.leader === owner
      ? last
      : await terms.begin(
          { name: group, owner, token: token ?? version, ttlSeconds },
          { ownerIsUnique: true },
        )
  if (token !== null && term.token !== token)
    throw isNone(
      `term ${term.term} of ${owner} has the token ${term.token}. Leave the token out to go on with that term; for a term of its own, a tenure needs an owner that was not used before.`,
    )
  return term
}

export const resign: Handler<Routes['resign'], ElectionServices> = async (input, services) => {
  const {
    params: { group },
    query: { owner },
  } = input
  const table = electionTable(writableTableOf(services))
  const outcome = await releaseAs(services, input, table, { name: group, owner }, (resending) =>
    table.leases.release({ name: group, owner }, resending),
  )
  if (outcome.kind === 'released') return { status: 204 }
  throw notHolderProblem(outcome.owner === null ? null : await table.leases.read(group), owner, services)
}
