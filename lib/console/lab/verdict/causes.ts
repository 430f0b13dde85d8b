/** What the acts of a run broke on purpose: the only things that explain a law that was broken. */
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import { isRefused, ofKind, type SentStatement, secondsText } from './sent-statement.ts'

interface Tenure {
  readonly candidate: string
  readonly owner: string
  readonly ledFromMs: number
}

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

export class Causes {
  readonly #checkOff: Span[] = []
  readonly #kills: readonly SentStatement[]
  /** How far each candidate’s clock runs ahead from then on. `isNew`: a new process, which knows nothing of what was before. */
  readonly #clocks: { candidate: string; atMs: number; aheadMs: number; isNew: boolean }[] = []
  readonly #maxClockSkewMs: number

  constructor(
    entries: readonly JournalEntry[],
    statements: readonly SentStatement[],
    { maxClockSkewMs }: { maxClockSkewMs: number },
  ) {
    this.#maxClockSkewMs = maxClockSkewMs
    this.#kills = statements.filter((statement) => statement.purpose === 'kill' && !isRefused(statement))
    let offSinceMs: number | null = null
    for (const { on, atMs } of ofKind(entries, 'deadline-check'))
      if (!on) offSinceMs ??= atMs
      else if (offSinceMs !== null) {
        this.#checkOff.push({ fromMs: offSinceMs, toMs: atMs })
        offSinceMs = null
      }
    if (offSinceMs !== null) this.#checkOff.push({ fromMs: offSinceMs, toMs: Number.POSITIVE_INFINITY })
    for (const entry of entries) {
      const { atMs } = entry
      if (entry.kind === 'joined')
        this.#clocks.push({ candidate: entry.candidate, atMs, aheadMs: 0, isNew: true })
      else if (entry.kind === 'fault' && entry.fault === 'skewed') {
        const aheadMs = entry.on ? (entry.ms ?? 0) : 0
        this.#clocks.push({ candidate: entry.candidate, atMs, aheadMs, isNew: false })
      }
    }
  }

  isCheckOff({ fromMs, toMs }: Span): boolean {
    return this.#checkOff.some((off) => off.fromMs < toMs && off.toMs > fromMs)
  }

  /** By how much a candidate’s clock fell behind itself in this time, in however many steps. 0: it did not. */
  clockBackMs(candidate: string, { fromMs, toMs }: Span): number {
    let greatestMs = 0
    let backMs = 0
    for (const { candidate: of, atMs, aheadMs, isNew } of this.#clocks) {
      if (of !== candidate || atMs > toMs) continue
      if (isNew || atMs < fromMs) {
        greatestMs = aheadMs
        backMs = 0
        continue
      }
      greatestMs = Math.max(greatestMs, aheadMs)
      backMs = Math.max(backMs, greatestMs - aheadMs)
    }
    return backMs
  }

  isSkewed(candidate: string, { fromMs, toMs }: Span): boolean {
    return this.#clocks.some(
      (clock) => clock.candidate === candidate && !clock.isNew && clock.atMs >= fromMs && clock.atMs <= toMs,
    )
  }

  get allowedSkewMs(): number {
    return this.#maxClockSkewMs
  }

  clockText(candidate: string, backMs: number): string {
    return `the clock of ${candidate} went back by ${secondsText(backMs)}, and a deadline here allows for ${secondsText(this.#maxClockSkewMs)}`
  }

  /** Why a candidate may have believed to lead in this time though its row was gone. null: nothing explains it. */
  ofBelief({ candidate, owner, ledFromMs }: Tenure, span: Span): string | null {
    if (this.#kills.some((kill) => kill.owner === owner && kill.sentMs < span.toMs))
      return `the lease of ${candidate} was killed`
    const backMs = this.clockBackMs(candidate, { fromMs: ledFromMs, toMs: span.toMs })
    if (backMs > this.#maxClockSkewMs) return this.clockText(candidate, backMs)
    return this.isCheckOff(span) ? 'the deadline check was off' : null
  }
}
