/**
 * Writes down the rows of users that count and that the audit log does not know: those from before rows were sealed, which
 * were not changed since. Without it nothing would tell that such a row was deleted, and single sign-on or a start would
 * make the person again, enabled.
 */
import { serverActor } from '../audit/actor.ts'
import type { AuditLog } from '../audit/audit-entry.ts'
import { auditEvent } from '../audit/audited.ts'
import type { RowVersions } from '../store/row-versions.ts'
import type { Users } from './users.ts'

/** As many rows as one entry names (contract/audit.ts). */
const rowsAnEntry = 16

interface Noting {
  users: Pick<Users, 'unnoted'>
  versions: Pick<RowVersions, 'isKnown'>
  audit: Pick<AuditLog, 'appendUntilWritten'>
}

/** One entry for all; of more than 16 users, several with one id. A start does not wait for it. @throws StoreUnavailableError */
export async function noteUsers({ users, versions, audit }: Noting): Promise<void> {
  // What the log knows is not known itself, while it is damaged: the next start looks again.
  if (!versions.isKnown) return
  const rows = await users.unnoted()
  const event = auditEvent('user-change', serverActor, { kind: 'console' }, 'ok', { noted: rows.length })
  const reason = 'Users of whom the log named no row yet: from now on the deletion of one is found'
  for (let from = 0; from < rows.length; from += rowsAnEntry)
    void audit.appendUntilWritten({
      ...event,
      reason,
      rows: rows.slice(from, from + rowsAnEntry),
    })
}
