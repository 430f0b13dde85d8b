import { randomUUID } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { CassandraSession } from 'leasehold/cassandra'
import { isLeaseholdError, StoreUnavailableError } from 'leasehold/lease'
import type { Role } from '../../contract/session.ts'
import type { PeopleStatements } from './people-statements.ts'
import { type Asker, PasswordWork } from './sign-in/password-work.ts'
import { type Changed, type Decision, UserChanges } from './user-changes.ts'
import { isLastAdmin, type UserRow, userRowSchema } from './user-row.ts'

type Refusal = 'not-found' | 'last-admin' | 'role-elsewhere' | 'no-password' | 'wrong-password'

/** Who came in by single sign-on, as kept after it. */
export interface SsoUser {
  username: string
  role: Role
  disabled: boolean
}

/** People who may sign in. Passwords are kept as argon2id hashes. */
export class Users {
  readonly #session: CassandraSession
  readonly #statements: PeopleStatements
  readonly #changes: UserChanges
  /** Verified against when there is no such user, so that the answer takes as long. */
  readonly #decoy = hash('nobody has this password')
  readonly #passwords = new PasswordWork()
  /** Told of every change that was made here. */
  readonly #onChange: (username: string) => void

  constructor(
    session: CassandraSession,
    statements: PeopleStatements,
    onChange: (username: string) => void = () => {},
  ) {
    this.#session = session
    this.#statements = statements
    this.#changes = new UserChanges(session, statements)
    this.#onChange = onChange
  }

  async find(username: string): Promise<UserRow | null> {
    const { rows } = await this.#session.execute(this.#statements.readUser, [username])
    return rows[0] === undefined ? null : userRowSchema.parse(rows[0])
  }

  /** As it is once all that was decided of users so far is carried out. @throws StoreUnavailableError */
  async settled(username: string): Promise<UserRow | null> {
    await this.#changes.settle()
    const { rows } = await this.#session.execute(this.#statements.confirmUser, [username])
    return rows[0] === undefined ? null : userRowSchema.parse(rows[0])
  }

  async list(): Promise<UserRow[]> {
    const users = await this.#changes.list()
    return users.sort((a, b) => (a.username < b.username ? -1 : 1))
  }

  /** Who this is, if name and password go together; null says nothing about why they do not, nor does the time it takes. @throws HttpProblem too-many-attempts */
  async verify(username: string, password: string, asker: Asker): Promise<UserRow | null> {
    const user = await this.find(username)
    const known = user?.passwordHash ?? null
    const against = known ?? (await this.#decoy)
    const right = await this.#passwords.run(asker, () => verify(against, password))
    return right && known !== null && user !== null && !user.disabled ? user : null
  }

  /** @returns null when a user of that name is there already */
  async create(username: string, password: string, role: Role): Promise<UserRow | null> {
    return this.#insert({ username, role, passwordHash: await this.#hash(username, password), subject: null })
  }

  async exists(username: string): Promise<boolean> {
    return (await this.find(username)) !== null
  }

  /**
   * A new role, disabled or enabled again. Disabling ends every session.
   * @returns `role-elsewhere`: refused, as the provider's claim would undo it at the next sign-in
   */
  change(
    username: string,
    { role, disabled }: { role?: Role | undefined; disabled?: boolean | undefined },
  ): Promise<Changed<'not-found' | 'last-admin' | 'role-elsewhere'>> {
    return this.#make(username, (user, users) => {
      const after = { ...user, role: role ?? user.role, disabled: disabled ?? user.disabled }
      if (after.role === user.role && after.disabled === user.disabled) return { kind: 'as-is', user }
      if (after.role !== user.role && user.subject !== null)
        return { kind: 'refused', refusal: 'role-elsewhere' }
      if (isLastAdmin(users, user, after)) return { kind: 'refused', refusal: 'last-admin' }
      const ended = after.disabled && !user.disabled
      return {
        kind: 'change',
        user,
        to: { role: after.role, disabled: after.disabled, ...(ended && { epoch: randomUUID() }) },
      }
    })
  }

  /**
   * A new password; every session ends.
   * @param epoch where the old password was given: the epoch under which it was found right
   */
  async setPassword(
    username: string,
    password: string,
    epoch?: string,
  ): Promise<Changed<'not-found' | 'no-password' | 'wrong-password'>> {
    const passwordHash = await this.#hash(username, password)
    return this.#make(username, (user) => {
      if (user.passwordHash === null) return { kind: 'refused', refusal: 'no-password' }
      if (epoch !== undefined && user.epoch !== epoch) return { kind: 'refused', refusal: 'wrong-password' }
      return { kind: 'change', user, to: { passwordHash, epoch: randomUUID() } }
    })
  }

  /** Ends every session of a user, on every instance. */
  async endSessions(username: string): Promise<void> {
    await this.#make(username, (user) => ({ kind: 'change', user, to: { epoch: randomUUID() } }))
  }

  /**
   * Somebody who signed in at the provider, with the role that it says: made at the first time, and followed at every
   * other. The provider may also take the role of the last admin, whose role it is: it decides.
   * @returns `name-taken`: somebody else has that name here
   */
  async upsertFromSso({
    subject,
    username,
    role,
  }: {
    subject: string
    username: string
    role: Role
  }): Promise<SsoUser | 'name-taken'> {
    const found =
      (await this.find(username)) ?? (await this.#insert({ username, role, passwordHash: null, subject }))
    // Somebody else made it at the same time.
    const user = found ?? (await this.find(username))
    if (user === null || user.subject !== subject) return 'name-taken'
    if (user.role === role) return user
    const changed = await this.#make<never>(username, (now) =>
      now.role === role ? { kind: 'as-is', user: now } : { kind: 'change', user: now, to: { role } },
    )
    if (changed.kind === 'refused') return 'name-taken'
    return changed.kind === 'changed' ? changed.after : changed.user
  }

  /** Asked for by somebody who was let in. */
  #hash(username: string, password: string): Promise<string> {
    return this.#passwords.run({ known: true, key: `new ${username}` }, () => hash(password))
  }

  async #insert({
    username,
    role,
    passwordHash,
    subject,
  }: Pick<UserRow, 'username' | 'role' | 'passwordHash' | 'subject'>): Promise<UserRow | null> {
    const user: UserRow = {
      username,
      role,
      passwordHash,
      subject,
      disabled: false,
      createdAt: new Date(),
      epoch: randomUUID(),
      changeId: randomUUID(),
    }
    const { createdAt, epoch, changeId } = user
    const values = [username, passwordHash, role, false, createdAt, epoch, subject, changeId]
    try {
      const { rows } = await this.#session.execute(this.#statements.insertUser, values)
      return rows[0]?.['[applied]'] === true || rows[0]?.change_id === changeId ? user : null
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'statement-unknown')) throw thrown
      const { rows } = await this.#session.execute(this.#statements.confirmUser, [username])
      if (rows[0] !== undefined) return rows[0].change_id === changeId ? user : null
      throw new StoreUnavailableError(`Whether the user ${username} was made is not known; look at the list.`)
    }
  }

  async #make<R extends Refusal>(
    username: string,
    decide: (user: UserRow, users: readonly UserRow[]) => Decision<R>,
  ): Promise<Changed<R | 'not-found'>> {
    const changed = await this.#changes.make<R | 'not-found'>((users) => {
      const user = users.find((each) => each.username === username)
      return user === undefined ? { kind: 'refused', refusal: 'not-found' } : decide(user, users)
    })
    if (changed.kind === 'changed') this.#onChange(username)
    return changed
  }
}
