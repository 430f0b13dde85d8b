/** The bakery: at no time are two customers inside, each counted until its deadline. */
import type { Entry, JournalEntry } from '../../../../contract/lab/journal.ts'
import type { LabVerdict } from '../../../../contract/lab/run.ts'
import type { Causes } from '../causes.ts'
import { ofKind, secondsText } from '../sent-statement.ts'

type Law = LabVerdict[number]

interface Visit {
  readonly candidate: string
  readonly fromMs: number
  readonly toMs: number
}

/** Two notes of one instant differ by less. */
const clockSlackMs = 5

export function oneCustomer(entries: readonly JournalEntry[], causes: Causes, ttlSeconds: number): Law {
  const law = 'one-customer-inside' as const
  const visits = visitsOf(entries, causes, (ttlSeconds - 1) * 1_000 - causes.allowedSkewMs)
  const overlaps = overlapsOf(visits)
  const marks: Law['marks'] = overlaps.map(({ older, younger, fromMs, toMs }) => ({
    fromMs,
    toMs,
    candidates: [older.candidate, younger.candidate],
  }))
  const [first] = overlaps
  if (first === undefined) {
    const served = visits.length === 0 ? '' : ` ${visits.length} served.`
    return { law, finding: 'kept', sentence: `Two customers inside at once: never.${served}`, marks }
  }
  const both = `${first.older.candidate} and ${first.younger.candidate} were inside at once, at ${secondsText(first.fromMs)}`
  const backs = overlaps.map(({ older, toMs }) => causes.clockBackMs(older.candidate, { fromMs: 0, toMs }))
  const backMs = Math.min(...backs)
  if (backMs > causes.allowedSkewMs)
    return {
      law,
      finding: 'explained',
      sentence: `${both}, because a clock went back by ${secondsText(backMs)}, and a deadline here allows for ${secondsText(causes.allowedSkewMs)}.`,
      marks,
    }
  return { law, finding: 'broken', sentence: `${both}, and nothing explains it.`, marks }
}

/** @param windowMs how long a number that was written counts, from before its sending */
function visitsOf(entries: readonly JournalEntry[], causes: Causes, windowMs: number): Visit[] {
  const answered = new Map(ofKind(entries, 'answered').map((answer) => [answer.statement, answer]))
  const deadlines = new Map<string, number>()
  const inside = new Map<string, number>()
  const found: Visit[] = []
  const end = (candidate: string, atMs: number) => {
    const fromMs = inside.get(candidate)
    inside.delete(candidate)
    if (fromMs === undefined) return
    const deadlineMs = deadlines.get(candidate) ?? Number.POSITIVE_INFINITY
    // A customer whose clock went back believes for so much longer.
    const backMs = causes.clockBackMs(candidate, { fromMs: deadlineMs - windowMs, toMs: atMs })
    const toMs = Math.min(atMs, deadlineMs + backMs)
    if (toMs > fromMs) found.push({ candidate, fromMs, toMs })
  }
  for (const entry of entries) {
    if (entry.kind === 'sent' && writesNumber(entry)) {
      const answer = answered.get(entry.statement)
      const deadlineMs = deadlines.get(entry.by) ?? Number.POSITIVE_INFINITY
      // A number that is written again after its deadline does not bring the place back.
      const isInTime = answer?.outcome === 'rows' && (!inside.has(entry.by) || answer.atMs <= deadlineMs)
      if (isInTime) deadlines.set(entry.by, entry.atMs + windowMs)
      // Its work is over before it clears its number, and the next one may enter before the answer to that comes.
    } else if (entry.kind === 'sent' && clearsNumber(entry)) end(entry.by, entry.atMs)
    else if (entry.kind === 'bakery') {
      end(entry.candidate, entry.atMs)
      if (entry.step === 10 && entry.number !== null && entry.number !== '0')
        inside.set(entry.candidate, entry.atMs)
    } else if (entry.kind === 'fault' && entry.fault === 'crashed') end(entry.candidate, entry.atMs)
  }
  const lastMs = entries.at(-1)?.atMs ?? 0
  for (const candidate of [...inside.keys()]) end(candidate, lastMs)
  return found.toSorted((a, b) => a.fromMs - b.fromMs)
}

const writesNumber = ({ purpose, cql }: Entry<'sent'>): boolean =>
  purpose === 'bakery' && cql.includes(', number) VALUES')

const clearsNumber = ({ purpose, cql }: Entry<'sent'>): boolean =>
  purpose === 'bakery' && cql.startsWith('DELETE') && cql.includes('bakery_numbers')

function overlapsOf(visits: readonly Visit[]) {
  const found: { older: Visit; younger: Visit; fromMs: number; toMs: number }[] = []
  let last: Visit | undefined
  for (const visit of visits) {
    if (last !== undefined && last.candidate !== visit.candidate) {
      const toMs = Math.min(last.toMs, visit.toMs)
      if (toMs - visit.fromMs > clockSlackMs)
        found.push({ older: last, younger: visit, fromMs: visit.fromMs, toMs })
    }
    if (last === undefined || visit.toMs > last.toMs) last = visit
  }
  return found
}
