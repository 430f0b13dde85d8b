import { serverActor } from '../audit/actor.ts'
import type { AuditLog } from '../audit/audit-entry.ts'
import { auditEvent } from '../audit/audited.ts'
import type { Log } from '../http/log/log.ts'
import type { RefusedRow } from '../store/sealed-rows.ts'

const sentences: Record<RefusedRow['why'], string> = {
  seal: 'The row has no seal that holds. Something other than this console wrote it, an earlier version perhaps, or the audit key was changed. It gives no right.',
  older: 'An older version of the row was put back. It gives no right.',
  missing:
    'The row is missing: something other than this console deleted or replaced it. The user is not made again by single sign-on or at a start: docs/operations.md, “Rows past the console”.',
}

/** Reports a refused row to the operators: in the log, and in the audit, on the chain of refusals. */
export const reportRow =
  (log: Log, audit: Pick<AuditLog, 'appendUntilWritten'>) =>
  ({ table, key, why }: RefusedRow): void => {
    log.error({ act: 'row-refused', table, key, why }, sentences[why])
    const on = table === 'users' ? ({ kind: 'user', username: key } as const) : ({ kind: 'console' } as const)
    const event = auditEvent('refusal', serverActor, on, 'refused', { row: { table, key }, why })
    audit.appendUntilWritten({ ...event, reason: sentences[why] })
  }
