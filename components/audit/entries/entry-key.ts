import type { AuditEntry, AuditEvent } from '../../../lib/contract/audit.ts'

/** Which entry of a chain: its bucket and its number there. */
export const entryKey = ({ bucket, seq }: Pick<AuditEntry, 'bucket' | 'seq'>): string => `${bucket}.${seq}`

/** An event without a place in the log: intent and outcome of an act carry the same id. */
export const pendingKey = ({ id, phase }: Pick<AuditEvent, 'id' | 'phase'>): string =>
  `pending.${phase}.${id}`
