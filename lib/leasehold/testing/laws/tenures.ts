/** What clients could rely on, by the library's answers: one span of time for each acquisition. */
import { grouped, type Operation, type Report } from './history.ts'

export interface Told {
  readonly acquisition: Operation
  readonly owner: string
  readonly token: bigint
  readonly fromMs: number
  /** The last deadline that was reported. */
  readonly deadlineMs: number
  /** Until when it may be relied on: the deadline, or sooner, when it was given up, killed or reported lost. */
  readonly untilMs: number
  /** Operations on this tenure, in the order of their calls. */
  readonly operations: readonly Operation[]
}

export const reported = <K extends Report['kind']>(
  operation: Operation,
  ...kinds: K[]
): operation is Operation & { report: Extract<Report, { kind: K }> } =>
  (kinds as string[]).includes(operation.report.kind)

/** Whether the tenure may have been over since this operation was called. What was refused or not sent ends nothing. */
const ends = (operation: Operation): boolean =>
  operation.kind === 'release'
    ? !reported(operation, 'store-unavailable')
    : operation.kind === 'kill' && !reported(operation, 'store-unavailable', 'holder-changed', 'not-released')

/** When the tenure was over at the latest; `without`: as if this operation had not been. */
export function overMs(told: Omit<Told, 'untilMs'>, without?: Operation): number {
  const others = told.operations.filter((operation) => operation !== without)
  return Math.min(
    told.deadlineMs,
    ...others.filter(ends).map((operation) => operation.calledMs),
    ...others.filter((operation) => reported(operation, 'lost')).map((operation) => operation.returnedMs),
  )
}

function tenuresOf(operations: readonly Operation[]): Told[] {
  const byOwner = grouped(
    operations.filter((operation) => operation.owner !== null),
    (operation) => operation.owner as string,
  )
  return operations.flatMap((acquisition) => {
    if (acquisition.kind !== 'acquire' || !reported(acquisition, 'acquired')) return []
    const owner = acquisition.owner as string
    const own = (byOwner.get(owner) ?? [])
      .filter((operation) => operation !== acquisition)
      .toSorted((a, b) => a.calledMs - b.calledMs)
    const { token } = acquisition.report
    let { deadlineMs } = acquisition.report
    // One that was called too late is a lie of its own, and prolongs nothing.
    for (const operation of own)
      if (reported(operation, 'renewed') && operation.calledMs <= deadlineMs)
        deadlineMs = Math.max(deadlineMs, operation.report.deadlineMs)
    const told = { acquisition, owner, token, fromMs: acquisition.returnedMs, deadlineMs, operations: own }
    return [{ ...told, untilMs: overMs(told) }]
  })
}

/** The tenures of one lease. */
export class Tenures {
  /** In the order in which they began. */
  readonly all: readonly Told[]
  readonly #byOwner: ReadonlyMap<string, Told[]>
  readonly #byToken: ReadonlyMap<bigint, Told[]>
  /** Of each tenure and those that began before it. */
  readonly #greatestToken: bigint[] = []
  /** Of those that began before each tenure. */
  readonly #latestEndMs = new Map<Told, number>()

  constructor(operations: readonly Operation[]) {
    this.all = tenuresOf(operations).toSorted((a, b) => a.fromMs - b.fromMs)
    this.#byOwner = grouped(this.all, ({ owner }) => owner)
    this.#byToken = grouped(this.all, ({ token }) => token)
    let [greatest, latestMs] = [-1n, Number.NEGATIVE_INFINITY]
    for (const told of this.all) {
      if (told.token > greatest) greatest = told.token
      this.#greatestToken.push(greatest)
      this.#latestEndMs.set(told, latestMs)
      latestMs = Math.max(latestMs, told.untilMs)
    }
  }

  of(owner: string): Told | undefined {
    return this.#byOwner.get(owner)?.[0]
  }

  /** The others, if any of them may overlap this one, has its token, or had a greater one before it; else none. */
  maybeAgainst(told: Told): Told[] {
    const { token, fromMs, acquisition } = told
    const overlaps = (this.#latestEndMs.get(told) as number) > fromMs
    const isTwice = (this.#byToken.get(token)?.length ?? 0) > 1
    const hadGreater = (this.#greatestToken[this.#countFrom(acquisition.calledMs) - 1] ?? -1n) > token
    return overlaps || isTwice || hadGreater ? this.all.filter((other) => other !== told) : []
  }

  /** How many began by then. */
  #countFrom(atMs: number): number {
    let [low, high] = [0, this.all.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.all[middle] as Told).fromMs <= atMs) low = middle + 1
      else high = middle
    }
    return low
  }
}
