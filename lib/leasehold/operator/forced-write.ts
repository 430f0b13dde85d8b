/** What the two forced writes share: the delete of a kill, and the mark of a break. */
import type { LeaseView } from '../lease/index.ts'

/**
 * For how long after its send a forced write may still take effect, in milliseconds: 25 s was the longest that was measured, and
 * 5 s are for clocks that differ. The operation goes on for as long, from its beginning.
 */
export const forcedSettleMs = 30_000

/** A statement that took effect leaves no such row: its own, and those of later holders, have later writetimes. */
export const isSameRow = (after: LeaseView, before: LeaseView): boolean =>
  after.owner === before.owner && after.version === before.version

/** A row that is dated ahead of Cassandra's clock: a statement that is dated now may have no effect on it. */
export const isAhead = (row: LeaseView): boolean =>
  row.version !== null && Number(row.version / 1_000n) > row.read.serverNowMs

/** undefined when the read fails: the write before it was answered, and no error of a read changes its outcome. */
export async function quietly(read: () => Promise<LeaseView | null>): Promise<LeaseView | null | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}
