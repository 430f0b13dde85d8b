/** What the acts of a run broke on purpose: the only things that explain a law that was broken. */
import type { JournalEntry } from '../../../contract/lab/journal.ts'
import { ofKind, type SentStatement, secondsText } from './sent-statement.ts'

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
  readonly #skews: { candidate: string; atMs: number; backMs: number }[] = []
  readonly #maxClockSkewMs: number

  constructor(
    entries: readonly JournalEntry[],
    statements: readonly SentStatement[],
    { maxClockSkewMs }: { maxClockSkewMs: number },
  ) {
    this.#maxClockSkewMs = maxClockSkewMs
    this.#kills = statements.filter(({ purpose, outcome }) => purpose === 'kill' && outcome !== 'not-applied')
    let offSinceMs: number | null = null
    for (const { on, atMs } of ofKind(entries, 'deadline-check'))
      if (!on) offSinceMs ??= atMs
      else if (offSinceMs !== null) {
        this.#checkOff.push({ fromMs: offSinceMs, toMs: atMs })
        offSinceMs = null
      }
    if (offSinceMs !== null) this.#checkOff.push({ fromMs: offSinceMs, toMs: Number.POSITIVE_INFINITY })
    const ahead = new Map<string, number>()
    for (const { candidate, fault, on, ms, atMs } of ofKind(entries, 'fault')) {
      if (fault !== 'skewed') continue
      const before = ahead.get(candidate) ?? 0
      const after = on ? (ms ?? 0) : 0
      ahead.set(candidate, after)
      this.#skews.push({ candidate, atMs, backMs: before - after })
    }
  }

  isCheckOff({ fromMs, toMs }: Span): boolean {
    return this.#checkOff.some((off) => off.fromMs < toMs && off.toMs > fromMs)
  }

  /** The greatest step back of a candidate’s clock in this time. 0: none. */
  clockBackMs(candidate: string, { fromMs, toMs }: Span): number {
    const steps = this.#skews.filter(
      (skew) => skew.candidate === candidate && skew.atMs >= fromMs && skew.atMs <= toMs,
    )
    return Math.max(0, ...steps.map(({ backMs }) => backMs))
  }

  isSkewed(candidate: string, { fromMs, toMs }: Span): boolean {
    return this.#skews.some(
      (skew) => skew.candidate === candidate && skew.atMs >= fromMs && skew.atMs <= toMs,
    )
  }

  get allowedSkewMs(): number {
    return this.#maxClockSkewMs
  }

  /** Why a candidate may have believed to lead in this time though its row was gone. null: nothing explains it. */
  ofBelief({ candidate, owner, ledFromMs }: Tenure, span: Span): string | null {
    if (this.#kills.some((kill) => kill.owner === owner && kill.sentMs < span.toMs))
      return `the lease of ${candidate} was killed`
    const backMs = this.clockBackMs(candidate, { fromMs: ledFromMs, toMs: span.toMs })
    if (backMs > this.#maxClockSkewMs)
      return `the clock of ${candidate} went back by ${secondsText(backMs)}, and ${secondsText(this.#maxClockSkewMs)} are allowed`
    return this.isCheckOff(span) ? 'the deadline check was off' : null
  }
}
