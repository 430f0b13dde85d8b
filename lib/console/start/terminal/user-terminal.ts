/**
 * What `npm run user` does, by the same code as the API: the same rules, the same hashes, the same entries in the audit
 * log. A person with a shell on the server may do all of it. Started by scripts/user, compiled.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type CassandraSession, connect } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import { type Clock, systemClock, systemTimer } from 'leasehold/time'
import pino from 'pino'
import type { z } from 'zod'
import type { Role } from '../../../contract/people/rights.ts'
import { newPasswordSchema, roleSchema } from '../../../contract/people/session.ts'
import { newUserSchema, type User } from '../../../contract/people/user.ts'
import { AnchorFile } from '../../audit/anchors/anchor-file.ts'
import { auditKey, auditKeyFile } from '../../audit/anchors/audit-key.ts'
import { checkKey } from '../../audit/anchors/key-check.ts'
import { VersionsFile } from '../../audit/anchors/versions-file.ts'
import { audited } from '../../audit/audited.ts'
import { terminalAuthority } from '../../audit/authority.ts'
import { CassandraAuditStore } from '../../audit/chain/audit-store.ts'
import { StoredAuditLog } from '../../audit/stored-audit-log.ts'
import { ActWindow } from '../../http/act-window.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import { logOptions } from '../../http/log/log.ts'
import { peopleStatements } from '../../people/people-statements.ts'
import { firstUser } from '../../people/sign-in/first-user.ts'
import { SetupLink } from '../../people/sign-in/setup-link.ts'
import { changeUser, createUser, setPassword } from '../../people/user-acts.ts'
import { dateText, type UserEffectOptions } from '../../people/user-effect.ts'
import { UserRepair } from '../../people/user-repair.ts'
import { userJson } from '../../people/user-row.ts'
import { UserStore } from '../../people/user-store.ts'
import { Users } from '../../people/users.ts'
import { ConfigError } from '../../store/config-error.ts'
import { RowSeal } from '../../store/row-seal.ts'
import { RowVersions } from '../../store/row-versions.ts'
import { SealedRows } from '../../store/sealed-rows.ts'
import { signingKey } from '../../store/secret.ts'
import { type Config, readConfig } from '../config/config.ts'
import { reportRow } from '../row-report.ts'
import { type Sealing, type SealOptions, sealRows } from '../schema/seal-rows.ts'
import { TerminalError } from './terminal-error.ts'
import { checkNew, checkRow } from './user-rows.ts'

/** One thing to do. `repair`: with a row that does not count as well, as it is. */
export type UserCommand = { act: 'list' } | { act: 'seal' } | ChangeCommand
type ChangeCommand = { repair?: boolean } & (
  | { act: 'add'; username: string; role: string; password: string | undefined; subject?: string | undefined }
  | { act: 'passwd'; username: string; password: string }
  | { act: 'role'; username: string; role: string }
  | { act: 'disable' | 'enable'; username: string }
)

/** Checks a typed name and role, before the terminal asks for a password. @throws TerminalError */
export function checkTyped({
  username,
  role,
}: {
  username?: string | undefined
  role?: string | undefined
}): void {
  if (username !== undefined) typed(newUserSchema.shape.username, username)
  if (role !== undefined) typed(roleSchema, role, 'The role is viewer, operator or admin.')
}

/**
 * @param osUser the system user, for the audit @param warn receives sentences for the terminal
 * @returns the users, all of them or the one that was changed
 * @throws TerminalError
 */
export function runUserCommand(
  environment: Record<string, string | undefined>,
  osUser: string,
  command: UserCommand,
  warn: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Promise<User[]> {
  if (command.act !== 'list' && command.act !== 'seal') return changeUsers(environment, osUser, command, warn)
  return withUsers(environment, async (opened) => {
    const { users, repair, audit, versions } = opened
    if (!versions.isKnown) {
      // The way back begins with a look at the users.
      versions.known()
      warn('The audit log cannot be read to its end. The list may show older rows that were put back.')
    }
    if (command.act === 'seal')
      for (const { table, key } of await sealAgain(opened, audit, osUser))
        warn(
          `The row ${key} of ${table} was not sealed, although Cassandra answered that it was: something other than this console gave it a timestamp in the future. It gives no right: docs/operations.md, “Rows dated in the future”.`,
        )
    const list = (await users.list()).map(userJson)
    for (const username of await repair.broken())
      warn(`${username} has no valid row. npm run user -- passwd ${username} says what is wrong.`)
    return list
  })
}

async function changeUsers(
  environment: Record<string, string | undefined>,
  osUser: string,
  command: ChangeCommand,
  warn: (line: string) => void,
): Promise<User[]> {
  const dated = new Map<string, number>()
  const overwritten = (username: string, micros: number) => dated.set(username, micros)
  const users = await withUsers(
    environment,
    (opened) => run(opened, osUser, command),
    command.repair ? overwritten : undefined,
  )
  for (const [username, micros] of dated) {
    if (micros / 1000 <= Date.now()) continue
    warn(
      `The row of ${username} has the timestamp ${dateText(micros)} now, after those that another client gave it. Until then the console cannot change ${username}, and an attempt there takes all rights from the row. This command can, with --repair: docs/operations.md, “Rows dated in the future”.`,
    )
  }
  return users
}

/**
 * A new one-time link for the first password: the running console accepts it, as both have the signing key.
 * @throws TerminalError once there is a first user, or was one
 */
export function newSetupLink(environment: Record<string, string | undefined>): Promise<string> {
  return withUsers(environment, async ({ users, audit, repair, config }) => {
    if (await users.exists(firstUser))
      throw new TerminalError(
        `The user ${firstUser} exists. To set a new password, run \`npm run user -- passwd ${firstUser}\`.`,
      )
    await checkNew({ repair, audit }, firstUser)
    return new SetupLink(signingKey(config), config.publicUrl, () => Date.now()).issue()
  })
}

interface Opened {
  config: Config
  clock: Clock
  session: CassandraSession
  users: Users
  repair: UserRepair
  audit: StoredAuditLog
  versions: RowVersions
  rows: SealedRows
}

/** Opens users and the audit log as the server does, having followed the log: an older row does not count here either. */
async function withUsers<T>(
  environment: Record<string, string | undefined>,
  work: (opened: Opened) => Promise<T>,
  overwritten?: UserEffectOptions['overwritten'],
): Promise<T> {
  try {
    const config = readConfig(environment)
    requireAuditKey(config)
    const session = await connect(config.cassandra)
    try {
      const key = auditKey(config.dataDir, config.auditKey)
      const log = pino({ ...logOptions, level: 'fatal' }, pino.destination(2))
      const nowMs = () => Date.now()
      const versions = new RowVersions(nowMs)
      const audit = new StoredAuditLog({
        store: new CassandraAuditStore(session),
        keyspace: session.keyspace,
        key,
        since: await checkKey(session, key),
        anchors: new AnchorFile(config.dataDir, systemTimer),
        versions,
        kept: new VersionsFile(config.dataDir, session.keyspace, key),
        clock: systemClock,
        timer: systemTimer,
        log,
      })
      await audit.begin()
      const seal = new RowSeal(key.bytes)
      const rows = new SealedRows({ seal, versions, nowMs, report: reportRow(log, audit) })
      const statements = peopleStatements(session.keyspace, session.serial)
      const store = new UserStore({
        session,
        statements,
        clock: systemClock,
        timer: systemTimer,
        overwritten,
      })
      const users = new Users({ session, statements, rows, store })
      try {
        const repair = new UserRepair(store, rows, systemClock)
        return await work({ config, clock: systemClock, session, users, repair, audit, versions, rows })
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
  context: Pick<Opened, 'users' | 'audit' | 'repair' | 'clock'>,
  osUser: string,
  command: ChangeCommand,
): Promise<User[]> {
  const by = terminalAuthority(osUser)
  const { username, repair: isRepair = false } = command
  if (command.act !== 'add') await checkRow(context, by, username, { isRepair })
  else if (!isRepair) await checkNew(context, username)
  switch (command.act) {
    case 'add': {
      const { password, subject } = command
      checkTyped({ username })
      const role = roleOf(command.role)
      if (subject === undefined) {
        const wanted = { username, role, password: newPassword(password ?? ''), again: isRepair }
        return [await createUser(context, by, wanted)]
      }
      return [await createUser(context, by, { username, role, password: null, subject })]
    }
    case 'passwd': {
      await setPassword(context, by, username, newPassword(command.password))
      const user = await context.users.find(username)
      return user === null ? [] : [userJson(user)]
    }
    case 'role':
      return [await changeUser(context, by, username, { role: roleOf(command.role) })]
    case 'disable':
    case 'enable':
      return [await changeUser(context, by, username, { disabled: command.act === 'disable' })]
  }
}

const newPassword = (password: string): string => typed(newPasswordSchema, password)
const roleOf = (role: string): Role => typed(roleSchema, role, 'The role is viewer, operator or admin.')

function typed<T>(schema: z.ZodType<T>, value: unknown, sentence?: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new TerminalError(sentence ?? (parsed.error.issues[0]?.message as string), { isUsage: true })
}

/**
 * The way back in after the audit key was lost: users and tokens are sealed again, as they are.
 * @returns rows that did not take the seal
 */
async function sealAgain(
  options: SealOptions,
  audit: StoredAuditLog,
  osUser: string,
): Promise<Sealing['hidden']> {
  const { actor } = terminalAuthority(osUser)
  const about = { act: 'user-change', actor, on: { kind: 'console' }, wanted: { sealed: 'all' } } as const
  return audited(audit, new ActWindow(systemClock), about, async () => {
    const { sealed, hidden } = await sealRows(options)
    return {
      after: { sealed: sealed.length, hidden: hidden.length },
      result: hidden,
      rows: sealed.slice(0, 16),
    }
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
      `Cassandra refused: ${thrown.message} If a table is missing, start the console once: it makes the tables.`,
      { cause: thrown },
    )
  return thrown
}
