/**
 * What `npm run user` does, by the same code as the API: the same rules, the same hashes, the same entries in the audit
 * log. A person with a shell on the server may do all of it. Started by scripts/user, compiled.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import { systemClock, systemTimer } from 'leasehold/time'
import pino from 'pino'
import type { z } from 'zod'
import { newPasswordSchema, type Role, roleSchema } from '../../../contract/people/session.ts'
import { newUserSchema, type User } from '../../../contract/people/user.ts'
import { AnchorFile } from '../../audit/anchors/anchor-file.ts'
import { auditKey, auditKeyFile } from '../../audit/anchors/audit-key.ts'
import { checkKey } from '../../audit/anchors/key-check.ts'
import { audited } from '../../audit/audited.ts'
import { terminalAuthority } from '../../audit/authority.ts'
import { CassandraAuditStore } from '../../audit/chain/audit-store.ts'
import { StoredAuditLog } from '../../audit/stored-audit-log.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import { logOptions } from '../../http/log/log.ts'
import { peopleStatements } from '../../people/people-statements.ts'
import { firstUser } from '../../people/sign-in/first-user.ts'
import { SetupLink } from '../../people/sign-in/setup-link.ts'
import { changeUser, createUser, setPassword } from '../../people/user-acts.ts'
import { userJson } from '../../people/user-row.ts'
import { Users } from '../../people/users.ts'
import { ConfigError } from '../../store/config-error.ts'
import { RowSeal } from '../../store/row-seal.ts'
import { RowVersions } from '../../store/row-versions.ts'
import { type RefusedRow, SealedRows } from '../../store/sealed-rows.ts'
import { signingKey } from '../../store/secret.ts'
import { type Config, readConfig } from '../config/config.ts'
import { reportRow } from '../row-report.ts'
import { type SealOptions, sealRows } from '../seal-rows.ts'

/** An error that the person at the terminal can mend: one sentence. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError'
  /** The typed arguments are wrong, rather than the stored rows. */
  readonly isUsage: boolean
  constructor(sentence: string, { isUsage = false, cause }: { isUsage?: boolean; cause?: unknown } = {}) {
    super(sentence, { cause })
    this.isUsage = isUsage
  }
}

/** One thing to do. */
type UserCommand =
  | { act: 'list' | 'seal' }
  | { act: 'add'; username: string; role: string; password: string }
  | { act: 'passwd'; username: string; password: string }
  | { act: 'role'; username: string; role: string }
  | { act: 'disable' | 'enable'; username: string }

/** Checks a typed name and role, before the terminal asks for a password. @throws TerminalError */
export function checkTyped({ username, role }: { username?: string; role?: string }): void {
  if (username !== undefined) typed(newUserSchema.shape.username, username)
  if (role !== undefined) typed(roleSchema, role, 'The role is viewer, operator or admin.')
}

/**
 * @param osUser who is at the terminal, for the audit
 * @returns the users, all of them or the one that was changed
 * @throws TerminalError
 */
export async function runUserCommand(
  environment: Record<string, string | undefined>,
  osUser: string,
  command: UserCommand,
): Promise<User[]> {
  try {
    const config = readConfig(environment)
    requireAuditKey(config)
    const session = await connect(config.cassandra)
    try {
      const key = auditKey(config.dataDir, config.auditKey)
      const since = await checkKey(session, key)
      const log = pino({ ...logOptions, level: 'fatal' }, pino.destination(2))
      const audit = new StoredAuditLog({
        store: new CassandraAuditStore(session),
        keyspace: session.keyspace,
        key,
        since,
        anchors: new AnchorFile(config.dataDir, systemTimer),
        ...{ clock: systemClock, timer: systemTimer, log },
      })
      const statements = peopleStatements(session.keyspace, session.serial)
      const rows = sealedRows(config, reportRow(log, audit))
      const users = new Users({ session, statements, rows })
      try {
        if (command.act === 'seal') await sealAgain({ session, rows }, audit, osUser)
        return await run({ users, audit }, osUser, command)
      } finally {
        await audit.close()
      }
    } finally {
      await session.close()
    }
  } catch (thrown) {
    throw sentence(thrown)
  }
}

/**
 * A new one-time link for the first password: the running console accepts it, as both have the signing key.
 * @throws TerminalError once there is a first user
 */
export async function newSetupLink(environment: Record<string, string | undefined>): Promise<string> {
  try {
    const config = readConfig(environment)
    requireAuditKey(config)
    const session = await connect(config.cassandra)
    try {
      const statements = peopleStatements(session.keyspace, session.serial)
      const users = new Users({ session, statements, rows: sealedRows(config, () => {}) })
      if (await users.exists(firstUser))
        throw new TerminalError(
          `The user ${firstUser} exists; to set a new password, run \`npm run user -- passwd ${firstUser}\`.`,
        )
      return await new SetupLink(signingKey(config), config.publicUrl, () => Date.now()).issue()
    } finally {
      await session.close()
    }
  } catch (thrown) {
    throw sentence(thrown)
  }
}

async function run(
  context: { users: Users; audit: StoredAuditLog },
  osUser: string,
  command: UserCommand,
): Promise<User[]> {
  const by = terminalAuthority(osUser)
  switch (command.act) {
    case 'list':
    case 'seal':
      return (await context.users.list()).map(userJson)
    case 'add': {
      const { username, password } = command
      checkTyped({ username })
      const role = roleOf(command.role)
      return [await createUser(context, by, { username, role, password: newPassword(password) })]
    }
    case 'passwd': {
      await setPassword(context, by, command.username, newPassword(command.password))
      const user = await context.users.find(command.username)
      return user === null ? [] : [userJson(user)]
    }
    case 'role':
      return [await changeUser(context, by, command.username, { role: roleOf(command.role) })]
    case 'disable':
    case 'enable':
      return [await changeUser(context, by, command.username, { disabled: command.act === 'disable' })]
  }
}

const newPassword = (password: string): string => typed(newPasswordSchema, password)
const roleOf = (role: string): Role => typed(roleSchema, role, 'The role is viewer, operator or admin.')

function typed<T>(schema: z.ZodType<T>, value: unknown, sentence?: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new TerminalError(sentence ?? (parsed.error.issues[0]?.message as string), { isUsage: true })
}

/** It knows no versions from the audit's chain: a user of the server's shell may put back anything. */
function sealedRows(
  { dataDir, auditKey: configured }: Config,
  report: (row: RefusedRow) => void,
): SealedRows {
  const nowMs = () => Date.now()
  const seal = new RowSeal(auditKey(dataDir, configured).bytes)
  return new SealedRows({ seal, versions: new RowVersions(nowMs), nowMs, report })
}

/** The way back in after the audit key was lost: users and tokens are sealed again, as they are. */
async function sealAgain(options: SealOptions, audit: StoredAuditLog, osUser: string): Promise<void> {
  const { actor } = terminalAuthority(osUser)
  const about = { act: 'user-change', actor, on: { kind: 'console' }, wanted: { sealed: 'all' } } as const
  await audited(audit, about, async () => {
    const rows = await sealRows(options)
    return { after: { sealed: rows.length }, result: undefined, rows: rows.slice(0, 16) }
  })
}

/** A key that is made up here would put entries into the log that the console cannot verify. */
function requireAuditKey({ dataDir, auditKey }: Config): void {
  const file = join(/* turbopackIgnore: true */ dataDir, auditKeyFile)
  if (auditKey !== undefined || existsSync(/* turbopackIgnore: true */ file)) return
  throw new TerminalError(
    `The console’s audit key is not here (${file}): run this where the console runs, as the same system user, after its first start; or set LEASEHOLD_DATA_DIR or LEASEHOLD_AUDIT_KEY as it has them.`,
  )
}

function sentence(thrown: unknown): unknown {
  if (thrown instanceof TerminalError) return thrown
  if (thrown instanceof ConfigError || thrown instanceof HttpProblem)
    return new TerminalError(thrown.message, { cause: thrown })
  if (isLeaseholdError(thrown, 'store-unavailable') || isLeaseholdError(thrown, 'statement-unknown'))
    return new TerminalError(`Cassandra does not answer: ${thrown.message}`, { cause: thrown })
  if (isLeaseholdError(thrown, 'store-refused'))
    return new TerminalError(
      `Cassandra refused it: ${thrown.message} The tables are made when the console is started.`,
      { cause: thrown },
    )
  return thrown
}
