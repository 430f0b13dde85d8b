/**
 * What is recorded of a run under faults. All times in milliseconds of one monotonic clock: clients, proxies and the
 * observer live in one process. Each operation has a mark, unique in the run; acquisitions and renewals write it as
 * the lease's value, so that a row shows which operation wrote it.
 */
export interface Operation {
  readonly mark: string
  readonly client: string
  readonly kind: 'acquire' | 'renew' | 'release' | 'kill' | 'loss'
  readonly name: string
  /** Whose tenure it is about. null: an acquisition that handed none out, and did not say. */
  readonly owner: string | null
  readonly ttlSeconds: number
  /** What it is to write; null: it writes nothing. */
  readonly value: string | null
  readonly calledMs: number
  readonly returnedMs: number
  readonly report: Report
}

/** What the library said of one operation. */
export type Report =
  | { kind: 'acquired'; token: bigint; deadlineMs: number }
  | { kind: 'held'; owner: string | null }
  | { kind: 'renewed'; deadlineMs: number }
  | { kind: 'lost'; why: string; owner: string | null }
  | { kind: 'released'; certain: boolean }
  | { kind: 'notHeld'; owner: string | null }
  | { kind: 'killed' | 'superseded' | 'not-released' | 'kill-unknown' }
  | { kind: 'holder-changed'; owner: string | null }
  /** `words`: the error's own. */
  | { kind: 'outcome-unknown' | 'store-unavailable'; words?: string | undefined }
  /** Anything that has no place in a report. */
  | { kind: 'error'; words: string }

/** One row, read at SERIAL by the observer, past all proxies. */
export interface Sighting {
  readonly name: string
  readonly owner: string | null
  readonly value: string | null
  readonly version: bigint | null
  readonly sentMs: number
  readonly answeredMs: number
}

/** A conditional write of ours that a proxy handed to the node. */
export interface Arrival {
  readonly kind: 'acquire' | 'renew' | 'release'
  readonly name: string
  readonly owner: string
  /** What it writes; null of a release. */
  readonly value: string | null
  readonly atMs: number
  /** When the node had answered, whether the answer arrived or not: the node had finished by then. */
  readonly answeredMs: number
  /** Where no operation of the history says it. */
  readonly ttlSeconds?: number | undefined
}

/** Numbers from `first` to `last`, handed out by one call. */
export interface Numbers {
  readonly sequence: string
  readonly client: string
  readonly first: bigint
  readonly last: bigint
  /** By `next`, which may hand out a number that was allocated before the call: grows within its process alone. */
  readonly single: boolean
  readonly calledMs: number
  readonly returnedMs: number
}

/** A term that an election handed out. */
export interface TermBegun {
  readonly group: string
  readonly term: bigint
  readonly token: bigint
}

export interface History {
  readonly operations: readonly Operation[]
  readonly sightings: readonly Sighting[]
  readonly arrivals: readonly Arrival[]
  readonly numbers: readonly Numbers[]
  readonly terms: readonly TermBegun[]
  /** The next free number of each sequence, as the observer read it when all was quiet. */
  readonly nextFree: ReadonlyMap<string, bigint>
}

/** As `Map.groupBy`, which the oldest Node that we support does not have. */
export function grouped<K, T>(all: Iterable<T>, keyOf: (each: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const each of all) {
    const group = groups.get(keyOf(each))
    if (group === undefined) groups.set(keyOf(each), [each])
    else group.push(each)
  }
  return groups
}

/** A law that a history breaks. */
export interface Falsehood {
  readonly law: string
  readonly evidence: string
}
