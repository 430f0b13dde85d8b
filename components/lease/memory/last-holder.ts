/** The holder that a page names when a lease is broken or free: the mark of a break is no holder. Pure. */
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { quarantineOf } from '../../../lib/contract/leases/quarantine.ts'

interface LastHolder {
  owner: string | null
  /** undefined: not known, because the mark does not keep it. */
  value: string | null | undefined
  /** ISO 8601; null: not known. */
  writtenAt: string | null
  /** The holder lost the lease by a break. */
  wasBroken: boolean
}

/**
 * @param last the row as it was seen last
 * @param before the row before that, under an owner of its own; null: none was seen
 * @returns null: not known
 */
export function lastHolder(last: Lease, before: Lease | null): LastHolder | null {
  const quarantine = quarantineOf(last.owner, last.value)
  if (quarantine === null)
    return { owner: last.owner, value: last.value, writtenAt: last.writtenAt, wasBroken: false }
  const was = quarantine.note?.was
  if (before !== null && (was === undefined || before.owner === was))
    return { owner: before.owner, value: before.value, writtenAt: before.writtenAt, wasBroken: true }
  return was === undefined ? null : { owner: was, value: undefined, writtenAt: null, wasBroken: true }
}
