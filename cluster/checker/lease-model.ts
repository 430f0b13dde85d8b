/** The history of each lease as operations on a register: `register.ts` says whether one lease could have given it. */
import type { Arrival, Falsehood, Operation, Report } from '../../lib/leasehold/testing/index.ts'
import { grouped } from '../../lib/leasehold/testing/laws/history.ts'
import type { ClusterHistory } from '../history/cluster-history.ts'
import { type Judgement, judge, type RegisterOperation } from './register.ts'

/** Between two readings of one clock. */
const clockSlackMs = 5
const isMark = (owner: string) => owner.startsWith('!')

interface OneLease {
  readonly operations: readonly Operation[]
  readonly arrivals: readonly Arrival[]
}

/** What an answer shows of the holder; undefined: nothing. */
function shownBy({ kind, report, owner }: Operation): string | null | undefined {
  if (kind === 'loss') return undefined
  if (report.kind === 'renewed') return owner ?? undefined
  if (
    report.kind === 'held' ||
    report.kind === 'notHeld' ||
    report.kind === 'lost' ||
    report.kind === 'holder-changed'
  )
    return report.owner ?? undefined
  return undefined
}

const isReleased = (report: Report) => report.kind === 'released' && report.certain

function operationsOf(lease: OneLease, sightings: ClusterHistory['sightings']): RegisterOperation[] {
  const all: RegisterOperation[] = sightings.map((source) => ({
    action: { does: 'show', owner: source.owner },
    fromMs: source.sentMs,
    untilMs: source.answeredMs,
    happened: true,
    source,
  }))
  const sure = new Set<string>()
  for (const source of lease.operations) {
    // The renewals of keep-alive are known by their deadlines alone.
    if (source.mark.startsWith('s')) continue
    const { owner, report, calledMs: fromMs, returnedMs: untilMs } = source
    const known = { fromMs, untilMs, happened: true, source }
    const shown = shownBy(source)
    if (shown !== undefined) all.push({ ...known, action: { does: 'show', owner: shown } })
    if (owner === null) continue
    if (report.kind === 'acquired') {
      sure.add(owner)
      all.push({ ...known, action: { does: 'take', owner } })
    }
    if (isReleased(report)) all.push({ ...known, action: { does: 'drop', owner } })
  }
  const shown = new Set(all.flatMap(({ action }) => (action.does === 'show' ? (action.owner ?? []) : [])))
  const taken = new Set<string>()
  for (const source of lease.arrivals) {
    const { kind, owner, atMs: fromMs, answeredMs: untilMs } = source
    const unsure = { fromMs, untilMs, happened: false, source }
    if (kind === 'release') all.push({ ...unsure, action: { does: 'drop', owner } })
    if (kind !== 'acquire') continue
    // The first one of an acquisition that was answered stands among those that happened.
    if (sure.has(owner) && !taken.has(owner)) taken.add(owner)
    // An owner that no answer shows need not have been there.
    else if (shown.has(owner))
      all.push({ ...unsure, action: { does: isMark(owner) ? 'mark' : 'take', owner } })
  }
  return all
}

/** Until when holders were promised their rows. */
class Promises {
  readonly skewMs: number
  readonly #promises = new Map<string, { saidMs: number; untilMs: number }[]>()

  constructor(operations: readonly Operation[], skewMs: number) {
    this.skewMs = skewMs
    for (const { owner, report, returnedMs } of operations)
      if (owner !== null && (report.kind === 'acquired' || report.kind === 'renewed')) {
        const of = this.#promises.get(owner) ?? []
        of.push({ saidMs: returnedMs, untilMs: report.deadlineMs })
        this.#promises.set(owner, of)
      }
  }

  readonly mayExpire = (owner: string, fromMs: number, untilMs: number): boolean =>
    (this.#promises.get(owner) ?? []).every(
      (promise) => promise.saidMs > fromMs || promise.untilMs - clockSlackMs <= untilMs,
    )
}

interface NameJudgement {
  readonly name: string
  readonly judgement: Judgement
}

/** @param skewMs how far the nodes' clocks were apart */
export function judgements(
  { operations, sightings, arrivals }: ClusterHistory,
  skewMs: number,
): NameJudgement[] {
  const [seen, arrived] = [grouped(sightings, ({ name }) => name), grouped(arrivals, ({ name }) => name)]
  return [...grouped(operations, ({ name }) => name)].map(([name, of]) => {
    const lease = { operations: of, arrivals: arrived.get(name) ?? [] }
    return { name, judgement: judge(operationsOf(lease, seen.get(name) ?? []), new Promises(of, skewMs)) }
  })
}

export const lawsOfModel = (judged: readonly NameJudgement[]): Falsehood[] =>
  judged.flatMap(({ name, judgement }) =>
    judgement.kind === 'impossible'
      ? [{ law: 'one lease could have given it', evidence: show({ name, ...judgement }) }]
      : [],
  )

const show = (evidence: object): string =>
  JSON.stringify(evidence, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
