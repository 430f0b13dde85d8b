/**
 * A journal as the history that the checker of the library’s own tests reads.
 *
 * What the lab knows better than those tests is used: each statement has an owner id of its own, and each answer of
 * Cassandra was noted, whether or not the candidate got it. A deadline that moved because a candidate’s clock was changed
 * is left out: it is no promise of the library, and the causes name it.
 */
import type { Arrival, History, Operation, Report, Sighting, TermBegun } from 'leasehold/testing'
import type { Entry, JournalEntry } from '../../../contract/lab/journal.ts'
import { isOwner } from '../../../contract/lab/owner-ids.ts'
import { isRefused, ofKind, type SentStatement } from './sent-statement.ts'

/** A run has one lease. */
const name = 'lease'
/** Waiters are refused again and again: of one candidate and one holder, one refusal in so long a time says it all. */
const sameRefusalMs = 5_000

interface CheckerFacts {
  readonly ttlSeconds: number
  /** Whether the candidate’s clock was changed in this time. */
  readonly isSkewed: (candidate: string, span: { fromMs: number; toMs: number }) => boolean
}

export function checkerHistory(
  entries: readonly JournalEntry[],
  statements: readonly SentStatement[],
  facts: CheckerFacts,
): History {
  const lease = statements.filter(({ purpose }) => purpose in arrivalKinds)
  return {
    operations: [
      ...acquisitions(entries, lease),
      ...renewals(entries, lease),
      ...deadlineLosses(entries, facts),
      ...lease.flatMap(ofStatement),
      ...refusals(lease),
    ].map((operation) => ({ ...operation, name, ttlSeconds: facts.ttlSeconds })),
    sightings: ofKind(entries, 'seen').map(sighting),
    arrivals: lease.flatMap(arrival),
    numbers: [],
    terms: ofKind(entries, 'leads').flatMap(termBegun),
    nextFree: new Map(),
  }
}

type Unnamed = Omit<Operation, 'name' | 'ttlSeconds'>

const arrivalKinds: Partial<Record<SentStatement['purpose'], Arrival['kind']>> = {
  acquire: 'acquire',
  renew: 'renew',
  release: 'release',
  kill: 'release',
  break: 'release',
}

const sighting = ({ owner, version, sentAtMs, atMs }: Entry<'seen'>): Sighting => ({
  name,
  owner,
  value: null,
  version: version === null ? null : BigInt(version),
  sentMs: sentAtMs,
  answeredMs: atMs,
})

function arrival({ purpose, owner, sentMs, answeredMs }: SentStatement): Arrival[] {
  const kind = arrivalKinds[purpose]
  return kind === undefined || owner === null
    ? []
    : [{ kind, name, owner, value: null, atMs: sentMs, answeredMs }]
}

const termBegun = ({ term, token }: Entry<'leads'>): TermBegun[] =>
  term === null ? [] : [{ group: name, term: BigInt(term), token: BigInt(token) }]

function operation(
  mark: string,
  by: string,
  kind: Operation['kind'],
  owner: string | null,
  [calledMs, returnedMs]: [number, number],
  report: Report,
): Unnamed {
  return { mark, client: by, kind, owner, value: null, calledMs, returnedMs, report }
}

/** An owner id is made for one acquisition: its first try is when it began. */
function acquisitions(entries: readonly JournalEntry[], statements: readonly SentStatement[]): Unnamed[] {
  const firstTryMs = new Map<string, number>()
  for (const { purpose, owner, sentMs } of statements)
    if (purpose === 'acquire' && owner !== null && !firstTryMs.has(owner)) firstTryMs.set(owner, sentMs)
  return ofKind(entries, 'leads').map(({ seq, candidate, owner, token, deadlineMs, atMs }) =>
    operation(`e${seq}`, candidate, 'acquire', owner, [firstTryMs.get(owner) ?? atMs, atMs], {
      kind: 'acquired',
      token: BigInt(token),
      deadlineMs,
    }),
  )
}

/** A renewal is one that Cassandra applied: other moves of a deadline come from a clock that was changed. */
function renewals(entries: readonly JournalEntry[], statements: readonly SentStatement[]): Unnamed[] {
  const byNumber = new Map(statements.map((statement) => [statement.number, statement]))
  const owners = new Map<string, string>()
  /** Of each candidate, the last that no `renewed` has spoken of. */
  const applied = new Map<string, SentStatement>()
  return entries.flatMap((entry) => {
    if (entry.kind === 'leads') owners.set(entry.candidate, entry.owner)
    if (entry.kind === 'answered' && entry.outcome === 'applied') {
      const statement = byNumber.get(entry.statement)
      if (statement?.purpose === 'renew') applied.set(statement.by, statement)
    }
    if (entry.kind !== 'renewed') return []
    const { seq, candidate, deadlineMs, atMs } = entry
    const [own, owner] = [applied.get(candidate), owners.get(candidate)]
    applied.delete(candidate)
    if (own === undefined || owner === undefined) return []
    return [
      operation(`e${seq}`, candidate, 'renew', owner, [own.sentMs, atMs], { kind: 'renewed', deadlineMs }),
    ]
  })
}

/** A candidate that its deadline stopped. Its own clock decided: if that was changed, nothing follows from it. */
function deadlineLosses(entries: readonly JournalEntry[], { isSkewed }: CheckerFacts): Unnamed[] {
  const led = new Map<string, Entry<'leads'>>()
  return entries.flatMap((entry) => {
    if (entry.kind === 'leads') led.set(entry.candidate, entry)
    if (entry.kind !== 'lost' || entry.reason !== 'deadline') return []
    const { seq, candidate, atMs } = entry
    const tenure = led.get(candidate)
    if (tenure === undefined || isSkewed(candidate, { fromMs: tenure.atMs, toMs: atMs })) return []
    const report = { kind: 'lost', why: 'deadline', owner: null } as const
    return [operation(`e${seq}`, candidate, 'loss', tenure.owner, [atMs, atMs], report)]
  })
}

/** Releases, kills, and renewals that were refused, each by its own answer. */
function ofStatement(statement: SentStatement): Unnamed[] {
  const { number, by, purpose, owner, sentMs, answeredMs } = statement
  const report = owner === null ? null : reportOf(statement, owner)
  if (owner === null || report === null) return []
  const kind = purpose === 'renew' || purpose === 'release' ? purpose : 'kill'
  return [operation(`s${number}`, by, kind, owner, [sentMs, answeredMs], report)]
}

function reportOf({ purpose, outcome, found }: SentStatement, owner: string): Report | null {
  const holder = found !== null && isOwner(found) ? found : null
  if (purpose === 'renew')
    return outcome === 'not-applied' && holder !== owner
      ? { kind: 'lost', why: 'not-holder', owner: holder }
      : null
  const isForced = purpose === 'kill' || purpose === 'break'
  if (purpose !== 'release' && !isForced) return null
  if (outcome === 'applied') return isForced ? { kind: 'killed' } : { kind: 'released', certain: true }
  if (outcome === 'unavailable' || outcome === 'refused') return { kind: 'store-unavailable' }
  if (outcome !== 'not-applied') return { kind: isForced ? 'kill-unknown' : 'outcome-unknown' }
  if (holder === owner) return null
  return { kind: isForced ? 'holder-changed' : 'notHeld', owner: holder }
}

/** A holder that a refusal names was there. The mark of a quarantine has no acquisition in the journal. */
function refusals(statements: readonly SentStatement[]): Unnamed[] {
  const lastMs = new Map<string, number>()
  return statements.flatMap((statement) => {
    const { number, by, purpose, found, sentMs, answeredMs, owner } = statement
    if (
      purpose !== 'acquire' ||
      !isRefused(statement) ||
      found === null ||
      found === owner ||
      !isOwner(found)
    )
      return []
    const key = `${by} ${found}`
    if (sentMs - (lastMs.get(key) ?? Number.NEGATIVE_INFINITY) < sameRefusalMs) return []
    lastMs.set(key, sentMs)
    const refused = operation(`s${number}`, by, 'acquire', null, [sentMs, answeredMs], {
      kind: 'held',
      owner: found,
    })
    // Nothing that this try would have written is ever shown.
    return [{ ...refused, value: `s${number}` }]
  })
}
