import type { Moment } from '../../time/index.ts'
import type { LeaseContext } from '../context.ts'
import type { ScannedRow, ScanRange } from '../store.ts'

/** Rows of one quorum read, in token order. */
export interface RowScan {
  readonly rows: readonly ScannedRow[]
  /** Where the next scan goes on; null: this one reached the end of the table. */
  readonly nextToken: string | null
  /** When the statement was sent and answered, by our clock. */
  readonly sent: Moment
  readonly at: Moment
}

/** A quorum shows no less than what was committed before the scan began, and may show a row that a SERIAL read ends. */
export async function scanRows({ store, clock }: LeaseContext, range: ScanRange): Promise<RowScan> {
  const sent = clock.now()
  const { rows } = await store.scanRows(range)
  const last = rows.length < range.limit ? undefined : rows.at(-1)
  return { rows, nextToken: last?.token ?? null, sent, at: clock.now() }
}
