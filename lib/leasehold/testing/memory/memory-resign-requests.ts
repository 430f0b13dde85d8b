import { type ResignRequest, type ResignRequests, StoreUnavailableError } from '../../lease/index.ts'
import type { Clock } from '../../time/index.ts'

/** `default_time_to_live` of the table in Cassandra. */
const keptMs = 86_400_000
/** The LIMIT of a read there. */
const mostRequests = 1_000

/** Requests to resign in memory. They live for a day, as in Cassandra. */
export class MemoryResignRequests implements ResignRequests {
  /** Called before every statement. `lost`: the request is written, and the answer is lost. */
  fault: (kind: 'ask' | 'of') => 'unavailable' | 'lost' | undefined = () => undefined
  /** The number of reads. */
  reads = 0
  readonly #clock: Clock
  readonly #rows = new Map<string, ResignRequest & { writtenAtMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async ask(request: ResignRequest): Promise<void> {
    const fault = this.fault('ask')
    await Promise.resolve()
    if (fault !== 'unavailable') this.#write(request)
    if (fault !== undefined)
      throw new StoreUnavailableError('No answer came (by order of the test).', {
        mayHaveHappened: fault !== 'unavailable',
      })
  }

  /** As in Cassandra, the request's time is the timestamp of its row: an older one that lands later changes nothing. */
  #write(request: ResignRequest): void {
    const key = JSON.stringify([request.name, request.owner, request.id])
    const before = this.#rows.get(key)
    if (before !== undefined && before.requestedAtMs > request.requestedAtMs) return
    this.#rows.set(key, { ...request, writtenAtMs: this.#clock.now().wallMs })
  }

  async of(name: string, owner?: string): Promise<ResignRequest[]> {
    this.reads++
    const fault = this.fault('of')
    await Promise.resolve()
    if (fault !== undefined) throw new StoreUnavailableError('No node answers (by order of the test).')
    const nowMs = this.#clock.now().wallMs
    return [...this.#rows.values()]
      .filter(
        (row) =>
          row.name === name &&
          (owner === undefined || row.owner === owner) &&
          nowMs - row.writtenAtMs < keptMs,
      )
      .sort((a, b) => compare(a.owner, b.owner) || compare(a.id, b.id))
      .slice(0, mostRequests)
      .map(({ writtenAtMs: _, ...request }) => request)
  }
}

/** Compares bytes, as Cassandra does when it clusters text. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
