/** Histories as files: a line of JSON for each fact, in the order in which they became known. docs/cluster-test.md */
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs'
import type { ClusterFact, ClusterHistory, RunFacts } from './cluster-history.ts'

/** Numbers beyond 2^53: decimal strings in the file. */
const long = new Set(['token', 'version', 'first', 'last', 'term', 'next'])

export const lineOf = (fact: ClusterFact): string =>
  JSON.stringify(fact, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

export function factOf(line: string): ClusterFact {
  return JSON.parse(line, (key, value: unknown) => {
    if (long.has(key) && typeof value === 'string') return BigInt(value)
    // JSON knows no Infinity: a statement that was never answered.
    return key === 'answeredMs' && value === null ? Number.POSITIVE_INFINITY : value
  })
}

export class HistoryFile {
  readonly #file: number

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600)
  }

  readonly write = (fact: ClusterFact): void => {
    appendFileSync(this.#file, `${lineOf(fact)}\n`)
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** @throws on a file that is no history */
export function historyOf(facts: Iterable<ClusterFact>): ClusterHistory {
  let run: RunFacts | undefined
  const history = {
    operations: [],
    sightings: [],
    arrivals: [],
    numbers: [],
    terms: [],
    counted: [],
    unread: [],
    faults: [],
    releases: [],
    audit: [],
    nextFree: new Map(),
    stoppedMs: Number.POSITIVE_INFINITY,
  } as { -readonly [K in keyof Omit<ClusterHistory, 'run'>]: ClusterHistory[K] }
  const add = <T>(to: readonly T[], of: T) => (to as T[]).push(of)
  for (const each of facts)
    switch (each.fact) {
      case 'run':
        run = each.of
        break
      case 'operation':
        add(history.operations, each.of)
        break
      case 'sighting':
        add(history.sightings, each.of)
        break
      case 'arrival':
        add(history.arrivals, each.of)
        break
      case 'numbers':
        add(history.numbers, each.of)
        break
      case 'term':
        add(history.terms, each.of)
        break
      case 'counted':
        add(history.counted, each.of)
        break
      case 'unread':
        add(history.unread, each.of)
        break
      case 'fault':
        add(history.faults, each.of)
        break
      case 'release':
        add(history.releases, each.of)
        break
      case 'audit':
        add(history.audit, each.of)
        break
      case 'stop':
        history.stoppedMs = each.of.atMs
        break
      case 'next-free':
        ;(history.nextFree as Map<string, bigint>).set(each.of.sequence, each.of.next)
    }
  if (run === undefined || run.format !== 1) throw new Error('This is no history of a cluster run.')
  return { ...history, run }
}

/** @throws on a file that is no history */
export const readHistory = (path: string): ClusterHistory =>
  historyOf(readFileSync(path, 'utf8').trim().split('\n').map(factOf))
