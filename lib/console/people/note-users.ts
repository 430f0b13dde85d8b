/**
 * What a start says of users, in the audit log.
 *
 * 1. The rows that count and that the log does not know: those from before rows were sealed, which were not changed since.
 *    Without it nothing would tell that such a row was deleted, and single sign-on or a start would make the person again,
 *    enabled.
 * 2. Persons of single sign-on with several accounts, on the chain of refusals.
 */
import { serverActor } from '../audit/actor.ts'
import type { AuditLog } from '../audit/audit-entry.ts'
import { auditEvent } from '../audit/audited.ts'
import type { Log } from '../http/log/log.ts'
import type { RowVersions } from '../store/row-versions.ts'
import { samePersonsOf } from './sso/same-person.ts'
import type { Users } from './users.ts'

/** As many rows as one entry names (contract/audit.ts). */
const rowsAnEntry = 16

interface Looking {
  users: Pick<Users, 'list' | 'unnoted'>
  versions: Pick<RowVersions, 'isKnown'>
  audit: Pick<AuditLog, 'appendUntilWritten'>
  log: Log
}

/** Waits for no entry to be written, and never rejects: the next start looks again. */
export async function lookAtUsers(looking: Looking): Promise<void> {
  // Which rows count is not known while the log is damaged.
  if (!looking.versions.isKnown) return
  try {
    await noteUsers(looking)
    await reportSamePersons(looking)
  } catch (error) {
    looking.log.warn({ error }, 'the users could not be looked at; the next start will')
  }
}

/** One entry for all; of more than 16 users, several with one id. */
async function noteUsers({ users, audit }: Looking): Promise<void> {
  const rows = await users.unnoted()
  const event = auditEvent('user-change', serverActor, { kind: 'console' }, 'ok', { noted: rows.length })
  const reason = 'Users of whom the log named no row yet: from now on the deletion of one is found'
  for (let from = 0; from < rows.length; from += rowsAnEntry)
    void audit.appendUntilWritten({ ...event, reason, rows: rows.slice(from, from + rowsAnEntry) })
}

async function reportSamePersons({ users, audit, log }: Looking): Promise<void> {
  for (const [username, accounts] of samePersonsOf(await users.list())) {
    if (accounts[0] !== username) continue
    const reason = `${accounts.join(' and ')} are accounts of one person of single sign-on. Sign-ins use ${username}; disable the others at /settings/users.`
    log.warn({ accounts }, reason)
    const event = auditEvent('refusal', serverActor, { kind: 'user', username }, 'refused', { accounts })
    void audit.appendUntilWritten({ ...event, reason })
  }
}
