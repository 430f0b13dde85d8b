/** Which faults come in a run, in which order, on which node: the same for the same seed. */
import { seeded } from '../../lib/leasehold/test/faults/faulty-node.ts'

export const faultKinds = [
  'kill',
  'stop',
  'restart',
  'quorum',
  'clock',
  'slow',
  'cut',
  'half-open',
  'console',
] as const
export type FaultKind = (typeof faultKinds)[number]

export interface PlannedFault {
  readonly kind: FaultKind
  /** A node, or of `console` an instance; `quorum`: the node that stays. */
  readonly target: number
  /** How long it lasts, without the time that processes need to start. */
  readonly lastsMs: number
  /** The calm before it. */
  readonly afterMs: number
}

const lasting: Record<FaultKind, readonly [leastMs: number, moreMs: number]> = {
  kill: [5_000, 10_000],
  stop: [20_000, 0],
  restart: [0, 0],
  quorum: [30_000, 0],
  clock: [45_000, 0],
  slow: [15_000, 0],
  cut: [10_000, 5_000],
  'half-open': [20_000, 0],
  console: [5_000, 5_000],
}
/** A node's start on a busy machine, and the calm after it. */
const startMs = 27_000
const starts: Partial<Record<FaultKind, number>> = { kill: 1, restart: 5, quorum: 2, clock: 4, console: 0.5 }

/** About how long a fault takes, with the calm before it and the starts in it, in milliseconds. */
export const needsMs = ({ kind, lastsMs, afterMs }: PlannedFault): number =>
  afterMs + lastsMs + (starts[kind] ?? 0) * startMs

/** Each kind once, in a random order; then again, for ever. */
export function* planOf(seed: number, kinds: readonly FaultKind[]): Generator<PlannedFault, never> {
  const random = seeded(seed)
  const below = (count: number) => Math.floor(count * random())
  if (kinds.length === 0) throw new Error('A plan needs a kind of fault.')
  for (;;) {
    const left = [...kinds]
    while (left.length > 0) {
      const [kind] = left.splice(below(left.length), 1) as [FaultKind]
      const [leastMs, moreMs] = lasting[kind]
      yield {
        kind,
        target: below(kind === 'console' ? 2 : 3),
        lastsMs: leastMs + below(moreMs + 1),
        afterMs: 5_000 + below(5_000),
      }
    }
  }
}

/**
 * The plan as far as it fits: a fault that needs more than `leftMs` is passed over, until that is so of every kind.
 * @param leftMs how much is left of the run, asked before each fault
 */
export function* planWithin(
  seed: number,
  kinds: readonly FaultKind[],
  leftMs: () => number,
): Generator<PlannedFault, void> {
  const passedOver = new Set<FaultKind>()
  for (const fault of planOf(seed, kinds)) {
    if (passedOver.size === new Set(kinds).size) return
    if (needsMs(fault) > leftMs()) passedOver.add(fault.kind)
    else yield fault
  }
}
