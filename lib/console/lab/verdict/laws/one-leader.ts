/**
 * At no time do two lead by Cassandra: from answers and SERIAL reads alone.
 *
 * An answer or a read proves that the row was its candidate’s at some instant between its sending and its answer. From the
 * answer on the row is surely there until its least possible expiry, or until a statement that may end it was sent. No
 * proof of another candidate can lie wholly within such a time, in a cluster that keeps its promise.
 */
import type { Entry, JournalEntry } from '../../../../contract/lab/journal.ts'
import type { LabVerdict } from '../../../../contract/lab/run.ts'
import { isRefused, ofKind, type SentStatement, secondsText } from '../sent-statement.ts'

type Law = LabVerdict[number]

/** The row was this candidate’s at some instant from `sentMs` to `answeredMs`, and surely is until `surelyToMs`. */
interface Proof {
  readonly candidate: string
  readonly sentMs: number
  readonly answeredMs: number
  readonly surelyToMs: number
}

/** Conversions of Cassandra’s clock differ by less. */
const clockSlackMs = 50
/** A read over a second’s edge gives an expiry that is one second high. */
const secondMs = 1_000

export function oneLeader(
  entries: readonly JournalEntry[],
  statements: readonly SentStatement[],
  ttlSeconds: number | undefined,
): Law {
  const proofs = [...ofReads(entries), ...ofWrites(statements, ttlSeconds)].toSorted(
    (a, b) => a.sentMs - b.sentMs,
  )
  const ends = statements.filter((statement) => mayEnd(statement) && !isRefused(statement))
  const marks: Law['marks'] = []
  const longestMs = Math.max(0, ...proofs.map((proof) => proof.surelyToMs - proof.sentMs))
  for (const [i, proof] of proofs.entries()) {
    const toMs = sureEnd(proof, ends)
    for (const other of after(proofs, i, proof.sentMs + longestMs)) {
      if (other.sentMs >= toMs) break
      if (other.candidate === proof.candidate || other.sentMs < proof.answeredMs || other.answeredMs > toMs)
        continue
      marks.push({ fromMs: other.answeredMs, toMs, candidates: [proof.candidate, other.candidate] })
      break
    }
  }
  const law = 'one-leader-by-cassandra' as const
  if (marks.length === 0)
    return {
      law,
      finding: 'kept',
      sentence: 'Two held the lease at once, by Cassandra’s answers: never.',
      marks,
    }
  const [first] = marks
  const sentence = `Cassandra showed two leaders at once: ${first?.candidates.join(' and ')}, at ${secondsText(first?.fromMs ?? 0)}.`
  return { law, finding: 'broken', sentence, marks }
}

function* after(proofs: readonly Proof[], index: number, untilMs: number): Generator<Proof> {
  for (let i = index + 1; i < proofs.length; i++) {
    const proof = proofs[i] as Proof
    if (proof.sentMs > untilMs) return
    yield proof
  }
}

const mayEnd = ({ purpose }: SentStatement): boolean =>
  purpose === 'release' || purpose === 'kill' || purpose === 'break'

/** An end that was answered before a read began had its effect before it. */
function sureEnd(proof: Proof, ends: readonly SentStatement[]): number {
  let toMs = proof.surelyToMs
  for (const end of ends) {
    const concerns = end.purpose !== 'release' || end.by === proof.candidate
    if (concerns && end.answeredMs > proof.sentMs)
      toMs = Math.min(toMs, Math.max(end.sentMs, proof.answeredMs))
  }
  return toMs
}

/** Of one version the least expiry counts; a single read of it may be a second high. */
function ofReads(entries: readonly JournalEntry[]): Proof[] {
  const reads = ofKind(entries, 'seen').filter((read) => read.candidate !== null && read.expiryMs !== null)
  const byVersion = new Map<string, number[]>()
  for (const read of reads)
    byVersion.set(keyOf(read), [...(byVersion.get(keyOf(read)) ?? []), read.expiryMs as number])
  return reads.map((read) => {
    const expiries = byVersion.get(keyOf(read)) ?? []
    const least = Math.min(...expiries)
    const agreed = expiries.filter((expiryMs) => expiryMs < least + clockSlackMs).length
    return {
      candidate: read.candidate as string,
      sentMs: read.sentAtMs,
      answeredMs: read.atMs,
      surelyToMs: least - clockSlackMs - (agreed > 1 ? 0 : secondMs),
    }
  })
}

const keyOf = ({ owner, version }: Entry<'seen'>): string => `${owner} ${version}`

function ofWrites(statements: readonly SentStatement[], ttlSeconds: number | undefined): Proof[] {
  return statements
    .filter(({ purpose, outcome }) => outcome === 'applied' && (purpose === 'acquire' || purpose === 'renew'))
    .map(({ by, sentMs, answeredMs }) => ({
      candidate: by,
      sentMs,
      answeredMs,
      surelyToMs: ttlSeconds === undefined ? answeredMs : sentMs + (ttlSeconds - 1) * secondMs - clockSlackMs,
    }))
}
