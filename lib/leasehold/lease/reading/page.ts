import { elapsedMs } from '../../time/index.ts'
import type { LeaseContext } from '../context.ts'
import { type LeaseView, readLease } from './lease-view.ts'

export interface PageRequest {
  /** Only names that begin with this. */
  readonly prefix?: string | undefined
  readonly limit: number
  /** `nextToken` of the page before; undefined: from the start. */
  readonly afterToken?: string | undefined
}

export interface LeasePage {
  /** In token order, each one read at SERIAL. Rows that this read does not show are left out. */
  readonly leases: LeaseView[]
  /** Where the next page begins; null: the scan reached the end. A short page may have a next one too. */
  readonly nextToken: string | null
  readonly scannedRows: number
  readonly scanMs: number
}

/** How many SERIAL reads of one page run at once. */
export const pageReadsAtOnce = 32

/** How many rows one call scans for a prefix before it answers with the leases found so far. */
const scanBudgetRows = 50_000

/** How many names each statement fetches while searching for a prefix. */
const searchChunkRows = 5_000

/** Scans for candidates at quorum, then reads each one at SERIAL: only that read is a fact. */
export async function readPage(context: LeaseContext, request: PageRequest): Promise<LeasePage> {
  const { store, clock, expiries } = context
  const started = clock.now()
  const { prefix = '', limit } = request
  const names: string[] = []
  let afterToken = request.afterToken
  let scannedRows = 0
  let ended = false
  // One name more than the page holds shows whether there is a next page.
  while (names.length <= limit && scannedRows < scanBudgetRows && !ended) {
    const chunk = prefix === '' ? limit + 1 - names.length : searchChunkRows
    const { rows } = await store.scan({ limit: chunk, afterToken })
    ended = rows.length < chunk
    for (const row of rows) {
      if (row.name.startsWith(prefix)) {
        if (names.length === limit) {
          names.push(row.name)
          break
        }
        names.push(row.name)
      }
      // The next page begins after the last row that belongs to this one.
      afterToken = row.token
      scannedRows++
    }
  }
  const scanMs = elapsedMs(started, clock.now())
  const more = names.length > limit || !ended
  const views = await inParallel(names.slice(0, limit), (name) => readLease(store, clock, expiries, name))
  return {
    leases: views.filter((view) => view !== null),
    nextToken: more ? (afterToken ?? null) : null,
    scannedRows,
    scanMs,
  }
}

/**
 * Runs `work` on every item, at most `pageReadsAtOnce` at once, and keeps the order. After the first failure, and once the signal aborts,
 * no more work begins. It settles when the work that was under way has, so that a bound of pages under way bounds the reads too.
 * @throws the first failure, or the signal's reason
 */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  signal?: AbortSignal,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  const failures: unknown[] = []
  let next = 0
  const worker = async () => {
    try {
      while (failures.length === 0 && next < items.length) {
        signal?.throwIfAborted()
        const index = next++
        results[index] = await work(items[index] as T)
      }
    } catch (thrown) {
      failures.push(thrown)
    }
  }
  await Promise.all(Array.from({ length: Math.min(pageReadsAtOnce, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}
