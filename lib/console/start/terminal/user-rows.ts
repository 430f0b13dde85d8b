/**
 * What `npm run user` does with the row of a user that does not count: it says what is wrong, and goes on only with
 * `--repair`. To change such a row seals it, and the console trusts it from then on.
 */
import type { Clock } from 'leasehold/time'
import type { AuditEntry } from '../../../contract/audit.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { audited } from '../../audit/audited.ts'
import type { Authority } from '../../audit/authority.ts'
import { ActWindow } from '../../http/act-window.ts'
import type { UserRepair } from '../../people/user-repair.ts'
import { type UserRow, userVersion } from '../../people/user-row.ts'
import { TerminalError } from './terminal-error.ts'

interface RowServices {
  repair: UserRepair
  audit: AuditLog
  clock: Clock
}

/** What an entry says of a user, as one line. */
const entryText = ({ at, act, actor, after }: AuditEntry): string =>
  `${at}: ${act} by ${actor.username}, ${JSON.stringify(after)}`

const rowText = ({ role, disabled, version, changedBy, changedAt }: UserRow): string => {
  const changed = changedAt === null ? '' : `, last changed by ${changedBy} at ${changedAt.toISOString()}`
  return `${role}, ${disabled ? 'disabled' : 'enabled'}, written at ${instantOf(version)}${changed}`
}

/** A version is the time at which it was made, unless a clock was set back, or another client made it up. */
function instantOf(version: number | null): string {
  if (version === null) return 'an unknown time'
  const at = new Date(version)
  return Number.isNaN(at.getTime()) ? `a time that is no date (version ${version})` : at.toISOString()
}

const wrong = {
  seal: 'has no valid seal: another client than a console wrote it, or the audit key was changed',
  older:
    'is older than the version in the audit log: another client put it back, or gave it a timestamp in the future',
  missing: 'is gone: another client than a console deleted it',
} as const

/**
 * Lets a command go on with a user's row. One that does not count is sealed as it is, with `isRepair`.
 * @throws TerminalError says what differs; nothing was changed
 */
export async function checkRow(
  { repair, audit, clock }: RowServices,
  by: Authority,
  username: string,
  { isRepair }: { isRepair: boolean },
): Promise<void> {
  const { window = new ActWindow(clock) } = by
  const { row, why, newest } = await repair.inspect(username)
  if (why === null) return
  const said = await differences(audit, username, row, newest)
  const wrongRow = `The row of ${username} ${wrong[why]}.${said}\nNothing was changed.`
  if (row === null)
    throw new TerminalError(
      why === 'missing'
        ? `${wrongRow} To make the user again: npm run user -- add ${username} --role ROLE --repair`
        : `${wrongRow} It cannot be read: delete it, then run npm run user -- add ${username} --role ROLE --repair`,
    )
  if (!isRepair)
    throw new TerminalError(
      `${wrongRow} Compare the two. With --repair, the command accepts the row as it is, and continues.`,
    )
  const { role, disabled } = row
  const about = {
    act: 'user-change',
    actor: by.actor,
    on: { kind: 'user', username },
    reason: `Accepted as it is, from the server’s shell (--repair): the row ${wrong[why]}.`,
    before: { version: newest },
    wanted: { role, disabled },
  } as const
  await audited(audit, window, about, async () => {
    const accepted = await repair.accept(row, newest)
    if (accepted === null)
      throw new TerminalError('The row has changed since it was read. Run the command again.')
    return { after: { role, disabled }, result: undefined, rows: [userVersion(accepted)] }
  })
}

/** @throws TerminalError: a user of that name was made before, and the row is gone */
export async function checkNew(
  { repair, audit }: Omit<RowServices, 'clock'>,
  username: string,
): Promise<void> {
  const { why, newest } = await repair.inspect(username)
  if (why !== 'missing') return
  throw new TerminalError(
    `A user ${username} was made before, and the row ${wrong.missing}.${await differences(audit, username, null, newest)}\nNothing was changed. To make the user again, give --repair; for a person of single sign-on also --subject "ISSUER SUBJECT", and no password.`,
  )
}

async function differences(
  audit: AuditLog,
  username: string,
  row: UserRow | null,
  newest: number | null,
): Promise<string> {
  const entry = await lastEntry(audit, username)
  const lines = [
    row === null ? [] : `  the row:       ${rowText(row)}`,
    newest === null ? [] : `  the newest:    written at ${instantOf(newest)}`,
    entry === null ? [] : `  the audit log: ${entryText(entry)}`,
  ].flat()
  return lines.length === 0 ? '' : `\n${lines.join('\n')}`
}

const pagesMost = 20

/** The last change of a user in the audit log; null: none in the pages that were read. */
async function lastEntry(audit: AuditLog, username: string): Promise<AuditEntry | null> {
  const acts = ['user-change', 'user-create', 'set-up', 'password']
  let cursor: string | undefined
  for (let pages = 0; pages < pagesMost; pages++) {
    const page = await audit.page(cursor === undefined ? { limit: 200 } : { limit: 200, cursor })
    const found = page.entries.find(
      ({ act, on, outcome }) =>
        acts.includes(act) && outcome === 'ok' && on.kind === 'user' && on.username === username,
    )
    if (found !== undefined) return found
    if (page.nextCursor === null) return null
    cursor = page.nextCursor
  }
  return null
}
