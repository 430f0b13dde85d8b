/**
 * What `npm run user` does, by the same code as the API: the same rules, the same hashes, the same entries in the audit
 * log. Whoever has a shell on the server may do all of it. Started by scripts/user, compiled.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import { systemClock, systemTimer } from 'leasehold/time'
import pino from 'pino'
import type { z } from 'zod'
import { newPasswordSchema, type Role, roleSchema } from '../../contract/session.ts'
import { newUserSchema, type User } from '../../contract/user.ts'
import { AnchorFile } from '../audit/anchors/anchor-file.ts'
import { auditKey, auditKeyFile } from '../audit/anchors/audit-key.ts'
import { checkKey } from '../audit/anchors/key-check.ts'
import { terminalAuthority } from '../audit/authority.ts'
import { CassandraAuditStore } from '../audit/chain/audit-store.ts'
import { StoredAuditLog } from '../audit/stored-audit-log.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { logOptions } from '../http/log/log.ts'
import { peopleStatements } from '../people/people-statements.ts'
import { changeUser, createUser, setPassword } from '../people/user-acts.ts'
import { userJson } from '../people/user-row.ts'
import { Users } from '../people/users.ts'
import { ConfigError } from '../store/config-error.ts'
import { type Config, readConfig } from './config.ts'

/** Something that the one at the terminal can mend: one sentence. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError'
  /** What was typed is wrong, rather than what is there. */
  readonly isUsage: boolean
  constructor(sentence: string, { isUsage = false, cause }: { isUsage?: boolean; cause?: unknown } = {}) {
    super(sentence, { cause })
    this.isUsage = isUsage
  }
}

/** One thing to do. */
export type UserCommand =
  | { act: 'list' }
  | { act: 'add'; username: string; role: string; password: string }
  | { act: 'passwd'; username: string; password: string }
  | { act: 'role'; username: string; role: string }
  | { act: 'disable' | 'enable'; username: string }

/** Whether what was typed can be, before anybody is asked for a password. @throws TerminalError */
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
      const users = new Users(session, peopleStatements(session.keyspace, session.serial))
      try {
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

async function run(
  context: { users: Users; audit: StoredAuditLog },
  osUser: string,
  command: UserCommand,
): Promise<User[]> {
  const by = terminalAuthority(osUser)
  switch (command.act) {
    case 'list':
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

/** A key that is made up here would put entries into the log that the console cannot verify. */
function requireAuditKey({ dataDir, auditKey }: Config): void {
  const file = join(/* turbopackIgnore: true */ dataDir, auditKeyFile)
  if (auditKey !== undefined || existsSync(file)) return
  throw new TerminalError(
    `The console’s audit key is not here (${file}): run this where the console runs, as whoever runs it, once it was started; or set LEASEHOLD_DATA_DIR or LEASEHOLD_AUDIT_KEY as it has them.`,
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
