import { serverNow } from '../../../lib/client/call/call.ts'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'

/** A lease as a row shows it, with the moment of its last read: what a user knows who presses a button of that row. */
export const asSeen = ({ lease, reading }: LiveRow): Lease => ({
  ...lease,
  read: { ...lease.read, at: new Date(serverNow(reading.atMs)).toISOString() },
})
