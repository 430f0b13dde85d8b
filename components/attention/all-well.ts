import type { ClocksApart } from '../../lib/contract/leases/cluster.ts'

interface Seen {
  /** Whether the leases were read. */
  isRead: boolean
  rows: number
  /** null: they are not; undefined: not known yet, as in the page's HTML. */
  clocksApart: ClocksApart | null | undefined
}

/** Whether the page may say that nothing needs attention, or needed it when it was last read: once all that it would show was read. */
export const isAllWell = ({ isRead, rows, clocksApart }: Seen): boolean =>
  isRead && rows === 0 && clocksApart === null
