import { randomUUID } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { CassandraSession } from 'leasehold/cassandra'
import { StoreUnavailableError } from 'leasehold/lease'
import { type Clock, systemClock, systemTimer, type Timer } from 'leasehold/time'
import type { Role } from '../../contract/people/rights.ts'
import { WithoutEffect } from '../audit/audited.ts'
import { anyTime, type BeforeSend } from '../http/act-window.ts'
import type { RowVersion } from '../store/row-versions.ts'
import type { SealedRows } from '../store/sealed-rows.ts'
import { AdminGuard } from './admin-guard.ts'
import type { PeopleStatements } from './people-statements.ts'
import { type Asker, PasswordWork } from './sign-in/password-work.ts'
import { accountsOf } from './sso/same-person.ts'
import type { Changed, Decision, PasswordChange, Refusal } from './user-decision.ts'
import { changedRow } from './user-decision.ts'
import { userDeleted } from './user-deleted.ts'
import { isAdmin, type NewRow, readUser, type UserRow, userColumns, userVersion } from './user-row.ts'
import { type StoredUserRow, UserStore } from './user-store.ts'

const tries = 60

interface UsersOptions {
  session: CassandraSession
  statements: PeopleStatements
  rows: SealedRows
  clock?: Clock
  timer?: Timer
  store?: UserStore
  /** Called after each change that was made here. */
  onChange?: (username: string) => void
}

/** Users of the console. Passwords are kept as argon2id hashes; a row that does not hold is no user. */
export class Users {
  readonly #store: UserStore
  readonly #rows: SealedRows
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #guard: AdminGuard
  /** Verified against when there is no such user, so that the answer takes as long. */
  readonly #decoy = hash('the password of no user')
  readonly #passwords = new PasswordWork()
  readonly #onChange: (username: string) => void

  constructor(options: UsersOptions) {
    const { session, statements, rows, onChange = () => {} } = options
    const { clock = systemClock, timer = systemTimer } = options
    this.#store = options.store ?? new UserStore({ session, statements, clock, timer })
    this.#rows = rows
    this.#clock = clock
    this.#timer = timer
    const renew = (user: UserRow) => this.#store.renew(user, this.#sealed(user, user.version))
    this.#guard = new AdminGuard({ list: () => this.list(), renew, timer })
    this.#onChange = onChange
  }

  async find(username: string): Promise<UserRow | null> {
    return this.#checked(await this.#store.read(username))
  }

  /** Read at SERIAL: every change that was decided is seen. @throws StoreUnavailableError */
  async confirmed(username: string): Promise<UserRow | null> {
    return this.#checked(await this.#store.confirmed(username))
  }

  async list(): Promise<UserRow[]> {
    const users = await Promise.all((await this.#store.list()).map((row) => this.#checked(row)))
    return users.filter((user) => user !== null).sort((a, b) => (a.username < b.username ? -1 : 1))
  }

  /**
   * The accounts of a person of single sign-on, oldest first: the first one is the person's. There are more only where two
   * instances made one at the same moment, and the provider gave two names.
   */
  async ofSubject(subject: string): Promise<UserRow[]> {
    return accountsOf(await this.list(), subject)
  }

  /** The user, if name and password go together; else null, after the same time whatever is wrong. @throws HttpProblem too-many-attempts */
  async verify(username: string, password: string, asker: Asker): Promise<UserRow | null> {
    const user = await this.find(username)
    const known = user?.passwordHash ?? null
    const against = known ?? (await this.#decoy)
    const right = await this.#passwords.run(asker, () => verify(against, password))
    return right && known !== null && user !== null && !user.disabled ? user : null
  }

  /**
   * @param by the name of the account that makes this one
   * @param again makes the user although the row of an earlier one was deleted past the console
   * @returns null when a user has that name, in whichever case
   * @throws HttpProblem user-deleted
   */
  async create(
    username: string,
    password: string,
    role: Role,
    by: string | null = null,
    { again = false, beforeSend = anyTime } = {},
  ): Promise<UserRow | null> {
    const passwordHash = await this.#hash(username, password)
    return this.#insert({ username, role, passwordHash, subject: null, createdBy: by }, { again, beforeSend })
  }

  /** The account of a person of single sign-on, whose row was deleted outside the console. @returns null: the name is taken */
  restoreSso(
    { username, role, subject }: { username: string; role: Role; subject: string },
    by: string,
    beforeSend = anyTime,
  ): Promise<UserRow | null> {
    const row = { username, role, passwordHash: null, subject, createdBy: by }
    return this.#insert(row, { again: true, beforeSend })
  }

  /**
   * Users are never deleted: a row that is missing was deleted past the console. A row that is made again would be enabled,
   * whatever the deleted one was. The name of a person of single sign-on may be another one than that of the deleted row, so
   * that none is made while any row is missing.
   * @throws HttpProblem user-deleted, not-ready
   */
  async refuseDeleted(username: string, subject: string | null): Promise<void> {
    const missing = await this.#rows.missing('users', async () =>
      // A row that was put back does not show the subject either.
      subject === null ? this.#names() : (await this.list()).map((user) => user.username),
    )
    if (missing.includes(username)) throw userDeleted([username])
    if (subject !== null && missing.length > 0) throw userDeleted(missing)
  }

  /** Valid rows for which the log has no version: see note-users.ts. @throws HttpProblem not-ready */
  async unnoted(): Promise<RowVersion[]> {
    const read = (await this.#store.list()).map(readUser)
    return read.flatMap((each) => {
      const { why, newest } = this.#rows.inspect('users', each.key, each)
      return why === null && newest === null ? [userVersion(each.row)] : []
    })
  }

  /** Whether the name is taken, be it by a row that does not hold. */
  async exists(username: string): Promise<boolean> {
    return (await this.#store.read(username)) !== undefined
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
    beforeSend = anyTime,
  ): Promise<Changed<'not-found' | 'last-admin' | 'role-elsewhere'>> {
    return this.#make(username, beforeSend, async (user) => {
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

  /** A new password; every session ends. */
  async setPassword(
    username: string,
    password: string,
    { epoch, by = null, beforeSend = anyTime }: PasswordChange = {},
  ): Promise<Changed<'not-found' | 'no-password' | 'wrong-password'>> {
    const passwordHash = await this.#hash(username, password)
    return this.#make(username, beforeSend, async (user) => {
      if (user.passwordHash === null) return { kind: 'refused', refusal: 'no-password' }
      if (epoch !== undefined && user.epoch !== epoch) return { kind: 'refused', refusal: 'wrong-password' }
      return { kind: 'change', to: { passwordHash, epoch: randomUUID() }, by }
    })
  }

  /** Ends every session of a user, on every instance. @returns what an entry records of it */
  async endSessions(username: string, beforeSend = anyTime): Promise<readonly RowVersion[]> {
    const decide = async () => ({ kind: 'change', to: { epoch: randomUUID() } }) as const
    try {
      const changed = await this.#make<never>(username, beforeSend, decide)
      return changed.kind === 'changed' ? [userVersion(changed.after)] : []
    } catch (thrown) {
      // The row as it was gives no right any more, and its sessions none.
      if (thrown instanceof WithoutEffect) return thrown.rows
      throw thrown
    }
  }

  /**
   * A user who signed in at the provider, with the role that the provider says: made at the first sign-in, changed at later
   * ones. The provider may also take the role of the last admin.
   * @param username the name of a new user; one who is known by the subject keeps the name that the user has here
   * @returns `name-taken`: another user has that name here
   */
  async upsertFromSso(
    { subject, username, role }: { subject: string; username: string; role: Role },
    beforeSend = anyTime,
  ): Promise<UserRow | 'name-taken'> {
    const [known] = await this.ofSubject(subject)
    if (known === undefined)
      await this.#insert({ username, role, passwordHash: null, subject, createdBy: null }, { beforeSend })
    // Another instance may have made an account at the same time, even under another name.
    const user = known ?? (await this.ofSubject(subject))[0]
    if (user === undefined) return 'name-taken'
    if (user.role === role) return user
    const changed = await this.#make<never>(user.username, beforeSend, async (now) =>
      now.role === role ? { kind: 'as-is', user: now } : { kind: 'change', to: { role }, by: null },
    )
    if (changed.kind === 'refused') return 'name-taken'
    return changed.kind === 'changed' ? changed.after : changed.user
  }

  #hash(username: string, password: string): Promise<string> {
    return this.#passwords.run({ known: true, key: `new ${username}` }, () => hash(password))
  }

  async #insert(
    { username, role, passwordHash, subject, createdBy }: NewRow,
    { again = false, beforeSend = anyTime } = {},
  ): Promise<UserRow | null> {
    if (!again) await this.refuseDeleted(username, subject)
    if (await this.#isTaken(username)) return null
    const user = this.#sealed({
      username,
      role,
      passwordHash,
      subject,
      createdBy,
      disabled: false,
      createdAt: new Date(this.#clock.now().wallMs),
      epoch: randomUUID(),
      changeId: randomUUID(),
      changedAt: null,
      changedBy: null,
    })
    if (!(await this.#store.insert(user, beforeSend))) return null
    this.#rows.changed(userVersion(user))
    return user
  }

  /** New names have no capitals: two of them cannot differ in case alone. Users of earlier versions may have some. */
  async #isTaken(username: string): Promise<boolean> {
    return (await this.#names()).some(
      (name) => name !== username && name.toLowerCase() === username.toLowerCase(),
    )
  }

  async #names(): Promise<string[]> {
    return (await this.#store.list()).map((row) => String(row.username))
  }

  async #make<R extends Refusal>(
    username: string,
    beforeSend: BeforeSend,
    decide: (user: UserRow) => Promise<Decision<R>>,
  ): Promise<Changed<R | 'not-found'>> {
    for (let tried = 0; tried < tries; tried++) {
      const before = await this.confirmed(username)
      if (before === null) return { kind: 'refused', refusal: 'not-found' }
      const decision = await decide(before)
      if (decision.kind !== 'change') return decision
      const changed = changedRow(before, decision, this.#clock.now().wallMs)
      const after = this.#sealed(changed, before.version)
      const isChanged = await this.#store.change(before, after, beforeSend).catch((thrown) => {
        if (thrown instanceof WithoutEffect) this.#changed(after)
        throw thrown
      })
      if (isChanged) {
        this.#changed(after)
        return { kind: 'changed', before, after }
      }
      await this.#timer.sleep(Math.random() * 40)
    }
    throw new StoreUnavailableError(`Others change ${username} faster than this change gets its turn.`)
  }

  #changed(after: UserRow): void {
    this.#rows.changed(userVersion(after))
    this.#onChange(after.username)
  }

  #sealed(user: Omit<UserRow, 'version' | 'seal'>, before = 0): UserRow {
    return { ...user, ...this.#rows.next('users', userColumns(user), before) }
  }

  /** @param row as read; a row that does not hold is read again, then refused */
  #checked(row: StoredUserRow): Promise<UserRow | null> {
    return this.#rows.counted(row === undefined ? null : readUser(row), async () => {
      const now = await this.#store.confirmed(String(row?.username))
      return now === undefined ? null : readUser(now)
    })
  }
}
