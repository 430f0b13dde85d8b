import { HttpProblem } from '../http/http-problem.ts'
import { iso } from '../http/instant.ts'

/** Why a table is not written. */
interface Distrust {
  /** ISO 8601: when the canary failed first. */
  readonly since: string
  readonly found: string
}

/** Long enough that a program which obeys it does not ask while people mend the cluster. */
const retryAfterSeconds = '30'

/**
 * Whether the console writes to a table. A table whose canary showed that two owners can hold one lease is refused for every
 * write, until a canary passes.
 */
export class TableTrust {
  #distrust: Distrust | null = null

  /** null: the table is written. */
  get distrust(): Distrust | null {
    return this.#distrust
  }

  lose(found: string, nowMs: number): void {
    this.#distrust = { since: this.#distrust?.since ?? iso(nowMs), found }
  }

  regain(): void {
    this.#distrust = null
  }

  /** @throws HttpProblem canary-failed */
  throwIfLost(table: string): void {
    if (this.#distrust === null) return
    throw new HttpProblem(
      'canary-failed',
      distrustText(table, this.#distrust),
      {},
      { 'Retry-After': retryAfterSeconds },
    )
  }
}

/** The sentence of every refusal. */
export const distrustText = (table: string, { found, since }: Distrust): string =>
  `The console writes nothing to the table ${table}: its canary failed at ${since}. ${found} Nothing was done. Settings, Doctor says what to do; writes are accepted again once a canary passes.`
