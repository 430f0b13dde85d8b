import type { AuditEvent } from '../../../contract/audit.ts'
import type { AuditKey } from '../anchors/audit-key.ts'
import { entryHash } from './chain-hash.ts'
import { type AuditRow, bodyOf, type Place } from './entry-body.ts'

/** The row of an event in its place, bound to the entry before it. @param prev the hash of that entry */
export function linkedRow(
  key: AuditKey,
  place: Omit<Place, 'keyId'>,
  { prev, event }: { prev: string; event: AuditEvent },
): AuditRow {
  const body = bodyOf({ ...place, keyId: key.id }, event)
  return { seq: place.seq, id: place.entry, body, prev, hash: entryHash(key.bytes, prev, body) }
}
