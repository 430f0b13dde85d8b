/**
 * The rows of users, by conditional writes alone, unless `overwritten` lets a row be written that those do not change.
 *
 * Guarantees: *false* is said on Cassandra's answer alone: the row is not as it was read. *true* is said of a row that was read
 * back after the write (user-effect.ts). After a lost answer it tries again, if `beforeSend` lets it, or throws an error that
 * says so.
 */
import type { CassandraSession } from 'leasehold/cassandra'
import { isLeaseholdError, StatementUnknownError } from 'leasehold/lease'
import type { Clock, Timer } from 'leasehold/time'
import { WithoutEffect } from '../audit/audited.ts'
import { anyTime } from '../http/act-window.ts'
import { BatchedReads } from '../store/batch/batched-reads.ts'
import type { RowMark } from '../store/sealed-rows.ts'
import type { Renewed } from './admin-guard.ts'
import type { PeopleStatements } from './people-statements.ts'
import { UserEffect, type UserEffectOptions } from './user-effect.ts'
import { type UserRow, userValues, userVersion } from './user-row.ts'

const heardTries = 3

interface UserStoreOptions {
  session: CassandraSession
  statements: PeopleStatements
  clock: Clock
  timer: Timer
  /** See user-effect.ts. */
  overwritten?: UserEffectOptions['overwritten']
}

/** A row as the driver gives it; undefined: there is none. */
export type StoredUserRow = Record<string, unknown> | undefined

export class UserStore {
  readonly #session: CassandraSession
  readonly #statements: PeopleStatements
  readonly #reads: BatchedReads
  readonly #effect: UserEffect

  constructor({ session, statements, clock, timer, overwritten }: UserStoreOptions) {
    this.#session = session
    this.#statements = statements
    const { readUser: one, readUsers: many } = statements
    this.#reads = new BatchedReads({ session, one, many, keyColumn: 'username', timer })
    this.#effect = new UserEffect({ session, statements, clock, overwritten })
  }

  read(username: string): Promise<StoredUserRow> {
    return this.#reads.read(username)
  }

  /** Read at SERIAL: every change that was decided is seen. @throws StoreUnavailableError */
  async confirmed(username: string): Promise<StoredUserRow> {
    return (await this.#session.execute(this.#statements.confirmUser, [username])).rows[0]
  }

  async list(): Promise<Record<string, unknown>[]> {
    return (await this.#session.execute(this.#statements.listUsers, [])).rows
  }

  /**
   * @returns false: the name is taken
   * @throws StatementUnknownError when it is not known whether the user was made; WithoutEffect
   */
  async insert(user: UserRow, beforeSend = anyTime): Promise<boolean> {
    const { username, changeId } = user
    beforeSend()
    try {
      const { rows } = await this.#session.execute(this.#statements.insertUser, userValues(user))
      if (rows[0]?.['[applied]'] !== true && rows[0]?.change_id !== changeId) return false
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'statement-unknown')) throw thrown
      const said = `Whether the user ${username} was made is not known; look at the list.`
      const unknown = new StatementUnknownError(said, thrown.finality, { cause: thrown })
      const row = await this.confirmed(username).catch(() => Promise.reject(unknown))
      if (row === undefined) throw unknown
      if (row.change_id !== changeId) return false
    }
    // A user who was never made is not missing.
    await this.#effect.confirm(user, [])
    return true
  }

  /**
   * @returns false: the row is not as it was read any more
   * @throws StatementUnknownError when it is not known whether the change was made; WithoutEffect; StoreUnavailableError; what
   * `beforeSend` throws
   */
  async change(before: UserRow, after: UserRow, beforeSend = anyTime): Promise<boolean> {
    const { role, disabled, passwordHash, epoch, changeId, changedAt, changedBy, version, seal } = after
    const rights = [role, disabled, passwordHash, epoch, changeId, changedAt, changedBy]
    const values = [...rights, BigInt(version), seal]
    const condition = [before.username, before.changeId, BigInt(before.version)]
    let cause: unknown
    for (let sent = 1; ; sent++) {
      beforeSend()
      try {
        const { rows } = await this.#session.execute(this.#statements.changeUser, [...values, ...condition])
        if (rows[0]?.['[applied]'] === true || rows[0]?.change_id === changeId) {
          await this.#effect.confirm(after, [userVersion(after)])
          return true
        }
        if (sent === 1) return false
      } catch (thrown) {
        if (thrown instanceof WithoutEffect) throw thrown
        const isUnheard = isLeaseholdError(thrown, 'statement-unknown')
        if (sent === 1 && !isUnheard) throw thrown
        cause = thrown
        if (isUnheard && sent < heardTries) continue
      }
      // An earlier try may have taken effect, even if the last one failed.
      const said = 'Whether the user was changed is not known: look before you try again.'
      throw new StatementUnknownError(said, 'never', { cause })
    }
  }

  /** Seals a row as it is, whether it counts or not. @returns false: it is not as it was read. @throws WithoutEffect */
  async seal(user: UserRow, { version, seal }: RowMark): Promise<boolean> {
    const { username, changeId, seal: before } = user
    const values = [BigInt(version), seal, username, changeId, before]
    const { rows } = await this.#session.execute(this.#statements.sealUser, values)
    if (rows[0]?.['[applied]'] !== true) return false
    await this.#effect.confirm({ ...user, version, seal }, [])
    return true
  }

  /**
   * A new version of the row as it is. It is not overwritten, as no change of this user was asked for.
   * @returns `not-renewed`: the row is not as it was read, or an answer was lost; twice is the same as once
   */
  async renew(user: UserRow, { version, seal }: RowMark): Promise<Renewed> {
    const values = [BigInt(version), seal, user.username, BigInt(user.version)]
    try {
      const { rows } = await this.#session.execute(this.#statements.renewUser, values)
      if (rows[0]?.['[applied]'] !== true) return 'not-renewed'
      return (await this.#effect.isThere({ ...user, version, seal })) ? 'renewed' : 'hidden'
    } catch (thrown) {
      if (isLeaseholdError(thrown, 'statement-unknown')) return 'not-renewed'
      throw thrown
    }
  }
}
