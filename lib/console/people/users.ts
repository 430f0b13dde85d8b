import { randomUUID } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { CassandraSession } from 'leasehold/cassandra'
import { isLeaseholdError, StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import { systemTimer, type Timer } from 'leasehold/time'
import type { Role } from '../../contract/people/session.ts'
import type { SealedRows } from '../store/sealed-rows.ts'
import { AdminGuard } from './admin-guard.ts'
import type { PeopleStatements } from './people-statements.ts'
import { type Asker, PasswordWork } from './sign-in/password-work.ts'
import { byOther, type Changed, type Decision, type Refusal } from './user-decision.ts'
import { isAdmin, readUser, type UserRow, userColumns, userVersion } from './user-row.ts'

const tries = 60
const heardTries = 3

export interface UsersOptions {
  session: CassandraSession
  statements: PeopleStatements
  rows: SealedRows
  timer?: Timer
  /** Called after each change that was made here. */
  onChange?: (username: string) => void
}

/** Users of the console. Passwords are kept as argon2id hashes; a row that does not hold is no user. */
export class Users {
  readonly #session: CassandraSession
  readonly #statements: PeopleStatements
  readonly #rows: SealedRows
  readonly #timer: Timer
  readonly #guard: AdminGuard
  /** Verified against when there is no such user, so that the answer takes as long. */
  readonly #decoy = hash('the password of no user')
  readonly #passwords = new PasswordWork()
  readonly #onChange: (username: string) => void

  constructor({ session, statements, rows, timer = systemTimer, onChange = () => {} }: UsersOptions) {
    this.#session = session
    this.#statements = statements
    this.#rows = rows
    this.#timer = timer
    this.#guard = new AdminGuard({ list: () => this.list(), renew: (user) => this.#renew(user), timer })
    this.#onChange = onChange
  }

  async find(username: string): Promise<UserRow | null> {
    const { rows } = await this.#session.execute(this.#statements.readUser, [username])
    return this.#checked(rows[0])
  }

  /** Read at SERIAL: every change that was decided is seen. @throws StoreUnavailableError */
  async confirmed(username: string): Promise<UserRow | null> {
    const { rows } = await this.#session.execute(this.#statements.confirmUser, [username])
    return this.#checked(rows[0])
  }

  async list(): Promise<UserRow[]> {
    const { rows } = await this.#session.execute(this.#statements.listUsers, [])
    const users = await Promise.all(rows.map((row) => this.#checked(row)))
    return users.filter((user) => user !== null).sort((a, b) => (a.username < b.username ? -1 : 1))
  }

  /** The user, if name and password go together; else null, after the same time whatever is wrong. @throws HttpProblem too-many-attempts */
  async verify(username: string, password: string, asker: Asker): Promise<UserRow | null> {
    const user = await this.find(username)
    const known = user?.passwordHash ?? null
    const against = known ?? (await this.#decoy)
    const right = await this.#passwords.run(asker, () => verify(against, password))
    return right && known !== null && user !== null && !user.disabled ? user : null
  }

  /** @param by the name of the account that makes this one. @returns null when a user has that name, in whichever case */
  async create(
    username: string,
    password: string,
    role: Role,
    by: string | null = null,
  ): Promise<UserRow | null> {
    const passwordHash = await this.#hash(username, password)
    return this.#insert({ username, role, passwordHash, subject: null, createdBy: by })
  }

  /** Whether the name is taken, be it by a row that does not hold. */
  async exists(username: string): Promise<boolean> {
    const { rows } = await this.#session.execute(this.#statements.readUser, [username])
    return rows[0] !== undefined
  }

  /**
   * A new role, disabled or enabled again. Disabling ends every session.
   * @param by the name of the account that changes this one
   * @returns `role-elsewhere`: refused, as the provider's claim would undo it at the next sign-in
   */
  change(
    username: string,
    { role, disabled }: { role?: Role | undefined; disabled?: boolean | undefined },
    by: string | null = null,
  ): Promise<Changed<'not-found' | 'last-admin' | 'role-elsewhere'>> {
    return this.#make(username, async (user) => {
      const after = { ...user, role: role ?? user.role, disabled: disabled ?? user.disabled }
      if (after.role === user.role && after.disabled === user.disabled) return { kind: 'as-is', user }
      if (after.role !== user.role && user.subject !== null)
        return { kind: 'refused', refusal: 'role-elsewhere' }
      const removesAdmin = isAdmin(user) && !isAdmin(after)
      if (removesAdmin && !(await this.#guard.keepAnother(user)))
        return { kind: 'refused', refusal: 'last-admin' }
      const epoch = after.disabled && !user.disabled ? randomUUID() : user.epoch
      return { kind: 'change', to: { role: after.role, disabled: after.disabled, epoch }, by }
    })
  }

  /**
   * A new password; every session ends.
   * @param epoch where the old password was given: the epoch under which it was found right
   */
  async setPassword(
    username: string,
    password: string,
    { epoch, by = null }: { epoch?: string; by?: string | null } = {},
  ): Promise<Changed<'not-found' | 'no-password' | 'wrong-password'>> {
    const passwordHash = await this.#hash(username, password)
    return this.#make(username, async (user) => {
      if (user.passwordHash === null) return { kind: 'refused', refusal: 'no-password' }
      if (epoch !== undefined && user.epoch !== epoch) return { kind: 'refused', refusal: 'wrong-password' }
      return { kind: 'change', to: { passwordHash, epoch: randomUUID() }, by }
    })
  }

  /** Ends every session of a user, on every instance. @returns null: there is no such user */
  async endSessions(username: string): Promise<UserRow | null> {
    const changed = await this.#make<never>(username, async () => ({
      kind: 'change',
      to: { epoch: randomUUID() },
    }))
    return changed.kind === 'changed' ? changed.after : null
  }

  /**
   * A user who signed in at the provider, with the role that the provider says: made at the first sign-in, changed at later
   * ones. The provider may also take the role of the last admin.
   * @returns `name-taken`: another user has that name here
   */
  async upsertFromSso({
    subject,
    username,
    role,
  }: {
    subject: string
    username: string
    role: Role
  }): Promise<UserRow | 'name-taken'> {
    const found =
      (await this.find(username)) ??
      (await this.#insert({ username, role, passwordHash: null, subject, createdBy: null }))
    // Another instance may have made it at the same time.
    const user = found ?? (await this.find(username))
    if (user === null || user.subject !== subject) return 'name-taken'
    if (user.role === role) return user
    const changed = await this.#make<never>(username, async (now) =>
      now.role === role ? { kind: 'as-is', user: now } : { kind: 'change', to: { role }, by: null },
    )
    if (changed.kind === 'refused') return 'name-taken'
    return changed.kind === 'changed' ? changed.after : changed.user
  }

  #hash(username: string, password: string): Promise<string> {
    return this.#passwords.run({ known: true, key: `new ${username}` }, () => hash(password))
  }

  /** New names have no capitals: two of them cannot differ in case alone. Users of earlier versions may have some. */
  async #isTaken(username: string): Promise<boolean> {
    const { rows } = await this.#session.execute(this.#statements.listUsers, [])
    return rows.some(
      (row) => row.username !== username && String(row.username).toLowerCase() === username.toLowerCase(),
    )
  }

  async #insert({
    username,
    role,
    passwordHash,
    subject,
    createdBy,
  }: Pick<UserRow, 'username' | 'role' | 'passwordHash' | 'subject' | 'createdBy'>): Promise<UserRow | null> {
    if (await this.#isTaken(username)) return null
    const user = this.#sealed({
      username,
      role,
      passwordHash,
      subject,
      createdBy,
      disabled: false,
      createdAt: new Date(),
      epoch: randomUUID(),
      changeId: randomUUID(),
      changedAt: null,
      changedBy: null,
    })
    const { createdAt, epoch, changeId, version, seal } = user
    const values = [username, passwordHash, role, false, createdAt, createdBy, epoch, subject, changeId]
    try {
      const { rows } = await this.#session.execute(this.#statements.insertUser, [
        ...values,
        null,
        null,
        BigInt(version),
        seal,
      ])
      if (rows[0]?.['[applied]'] !== true && rows[0]?.change_id !== changeId) return null
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'statement-unknown')) throw thrown
      const said = `Whether the user ${username} was made is not known; look at the list.`
      const unknown = new StatementUnknownError(said, thrown.finality, { cause: thrown })
      const read = this.#session.execute(this.#statements.confirmUser, [username])
      const { rows } = await read.catch(() => Promise.reject(unknown))
      if (rows[0] === undefined) throw unknown
      if (rows[0].change_id !== changeId) return null
    }
    this.#rows.changed(userVersion(user))
    return user
  }

  async #make<R extends Refusal>(
    username: string,
    decide: (user: UserRow) => Promise<Decision<R>>,
  ): Promise<Changed<R | 'not-found'>> {
    for (let tried = 0; tried < tries; tried++) {
      const before = await this.confirmed(username)
      if (before === null) return { kind: 'refused', refusal: 'not-found' }
      const decision = await decide(before)
      if (decision.kind !== 'change') return decision
      const { to, by } = decision
      const { changedAt, changedBy } = byOther(username, by)
        ? { changedAt: new Date(), changedBy: by }
        : before
      const changed = { ...before, ...to, changedAt, changedBy, changeId: randomUUID() }
      const after = this.#sealed(changed, before.version)
      if (await this.#write(before, after)) {
        this.#rows.changed(userVersion(after))
        this.#onChange(username)
        return { kind: 'changed', before, after }
      }
      await this.#timer.sleep(Math.random() * 40)
    }
    throw new StoreUnavailableError(`Others change ${username} faster than this change gets its turn.`)
  }

  /**
   * @returns false: the row is not as it was read any more
   * @throws StatementUnknownError when it is not known whether the change was made; StoreUnavailableError
   */
  async #write(before: UserRow, after: UserRow): Promise<boolean> {
    const { role, disabled, passwordHash, epoch, changeId, changedAt, changedBy, version, seal } = after
    const rights = [role, disabled, passwordHash, epoch, changeId, changedAt, changedBy]
    const values = [...rights, BigInt(version), seal]
    let cause: unknown
    for (let sent = 1; ; sent++) {
      try {
        const { rows } = await this.#session.execute(this.#statements.changeUser, [
          ...values,
          before.username,
          before.changeId,
          BigInt(before.version),
        ])
        if (rows[0]?.['[applied]'] === true || rows[0]?.change_id === changeId) return true
        if (sent === 1) return false
      } catch (thrown) {
        const isUnheard = isLeaseholdError(thrown, 'statement-unknown')
        if (sent === 1 && !isUnheard) throw thrown
        cause = thrown
        if (isUnheard && sent < heardTries) continue
      }
      // What was sent before may have taken effect, whatever became of the last try.
      const said = 'Whether the user was changed is not known: look before you try again.'
      throw new StatementUnknownError(said, 'never', { cause })
    }
  }

  /** A new version of the row as it is. The one before it gives no other right, and goes on counting. */
  async #renew(user: UserRow): Promise<boolean> {
    const { version, seal } = this.#sealed(user, user.version)
    const values = [BigInt(version), seal, user.username, BigInt(user.version)]
    try {
      const { rows } = await this.#session.execute(this.#statements.renewUser, values)
      return rows[0]?.['[applied]'] === true
    } catch (thrown) {
      if (isLeaseholdError(thrown, 'statement-unknown')) return false
      throw thrown
    }
  }

  #sealed(user: Omit<UserRow, 'version' | 'seal'>, before = 0): UserRow {
    return { ...user, ...this.#rows.next('users', userColumns(user), before) }
  }

  /** @param row as read; a row that does not hold is read again, then refused */
  #checked(row: Record<string, unknown> | undefined): Promise<UserRow | null> {
    return this.#rows.counted(row === undefined ? null : readUser(row), async () => {
      const { rows } = await this.#session.execute(this.#statements.confirmUser, [row?.username])
      return rows[0] === undefined ? null : readUser(rows[0])
    })
  }
}
