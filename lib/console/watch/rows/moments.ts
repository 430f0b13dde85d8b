/**
 * When to look at each row again: at most one moment a row, in steps of a tenth of a second. Rows that are renewed all the
 * time move their moment, and leave nothing behind.
 */
const stepMs = 100

export class Moments {
  readonly #rows = new Map<number, Set<string>>()
  readonly #stepOf = new Map<string, number>()
  #taken: number

  constructor(nowMs: number) {
    this.#taken = Math.floor(nowMs / stepMs)
  }

  /** Instead of the moment that the row has. One that is over counts as the next step. */
  set(name: string, atMs: number): void {
    const step = Math.max(Math.ceil(atMs / stepMs), this.#taken + 1)
    const before = this.#stepOf.get(name)
    if (before === step) return
    if (before !== undefined) this.#leave(before, name)
    this.#stepOf.set(name, step)
    const rows = this.#rows.get(step)
    if (rows === undefined) this.#rows.set(step, new Set([name]))
    else rows.add(name)
  }

  delete(name: string): void {
    const step = this.#stepOf.get(name)
    if (step === undefined) return
    this.#stepOf.delete(name)
    this.#leave(step, name)
  }

  /** Takes the rows whose moment has come. */
  take(nowMs: number): string[] {
    const until = Math.floor(nowMs / stepMs)
    const due: string[] = []
    // After a long stop there are fewer moments than steps.
    const steps =
      until - this.#taken > this.#rows.size
        ? [...this.#rows.keys()].filter((step) => step <= until).sort((a, b) => a - b)
        : Array.from({ length: Math.max(0, until - this.#taken) }, (_, i) => this.#taken + 1 + i)
    for (const step of steps) {
      for (const name of this.#rows.get(step) ?? []) {
        due.push(name)
        this.#stepOf.delete(name)
      }
      this.#rows.delete(step)
    }
    this.#taken = Math.max(this.#taken, until)
    return due
  }

  #leave(step: number, name: string): void {
    const rows = this.#rows.get(step)
    rows?.delete(name)
    if (rows?.size === 0) this.#rows.delete(step)
  }
}
