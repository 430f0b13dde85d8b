/**
 * Whether a write of a user's row took effect; and, for an administrator at the server's shell, a write that does.
 *
 * The timestamp of a conditional write is its ballot: about now. Another client may give a cell or a deletion a timestamp in the
 * future. Until that time Cassandra answers each conditional write with "applied", and the row stays as it is.
 *
 * 1. The row is read at SERIAL. The write took effect if the row is as written, or has a newer version: another change came after it;
 *    but not by a version far ahead of the clock, which another client made up.
 * 2. Otherwise the timestamps of the cells are read, for the message. The timestamp of a deletion cannot be read.
 * 3. With `overwritten`, the row is then written without a condition, with a timestamp after those of its cells. Where a deletion hides
 *    that write too, it is repeated with later timestamps, each a quarter further ahead than the one before, until the row shows: a year
 *    takes some 80 writes. So the timestamp is at most a quarter further ahead than that of the deletion.
 *
 * Does not guarantee: that conditional writes have an effect after step 3. They have none until the new timestamp is past. Nor
 * anything against a client that writes the table again after the read.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import { StatementUnknownError } from 'leasehold/lease'
import type { Clock } from 'leasehold/time'
import { WithoutEffect } from '../audit/audited.ts'
import { cellTimes } from '../audit/verify/cell-times.ts'
import type { RowVersion } from '../store/row-versions.ts'
import { type PeopleStatements, userCells } from './people-statements.ts'
import { isMadeUp, readUser, type UserRow, userValues } from './user-row.ts'

export interface UserEffectOptions {
  session: CassandraSession
  statements: PeopleStatements
  clock: Clock
  /** Lets a row be written without a condition; called with the timestamp that it has then. */
  overwritten?: ((username: string, micros: number) => void) | undefined
}

/** The latest of Cassandra's timestamps: no write comes after a deletion with this one. */
const latestMicros = 2n ** 63n - 1n

export class UserEffect {
  readonly #options: UserEffectOptions

  constructor(options: UserEffectOptions) {
    this.#options = options
  }

  /**
   * @param user the row as it was written
   * @param outdated versions that the row as it was is older than, if the write had no effect: it gives no right from then on
   * @throws WithoutEffect; StatementUnknownError: the row, or the timestamps of its cells, could not be read
   */
  async confirm(user: UserRow, outdated: readonly RowVersion[]): Promise<void> {
    if (await this.isThere(user)) return
    const { clock, overwritten } = this.#options
    const micros = await this.#newestMicros(user.username)
    if (overwritten !== undefined && (await this.#overwrite(user, micros))) return
    const sentences = [
      `The row of ${user.username} was not written, although Cassandra answered that it was.`,
      causeText(micros, clock.now().wallMs),
      ...(outdated.length === 0 ? [] : ['The row as it was gives no right any more.']),
      overwritten === undefined
        ? 'On the server, `npm run user` with --repair writes it: docs/operations.md, “Rows dated in the future”.'
        : 'The row does not appear with any later timestamp. Take another user name, or empty the table: docs/operations.md, “Rows dated in the future”.',
    ]
    throw new WithoutEffect(sentences.join(' '), outdated)
  }

  /** @returns false: the row does not show with any timestamp */
  async #overwrite(user: UserRow, newestMicros: number | null): Promise<boolean> {
    const { session, statements, clock, overwritten } = this.#options
    const from = BigInt(Math.max(newestMicros ?? 0, Math.trunc(clock.now().wallMs) * 1000)) + 1n
    for (
      let ahead = 0n;
      from + ahead <= latestMicros;
      ahead = ahead === 0n ? 1_000_000n : (ahead * 5n) / 4n
    ) {
      await session.execute(statements.overwriteUser, [...userValues(user), from + ahead])
      if (!(await this.isThere(user))) continue
      overwritten?.(user.username, Number(from + ahead))
      return true
    }
    return false
  }

  /** Whether the row is as it was written, or newer. @throws StatementUnknownError: it could not be read */
  async isThere(user: UserRow): Promise<boolean> {
    const stored = await this.#read(this.#options.statements.confirmUser, user.username)
    if (stored === undefined) return false
    const { columns, row } = readUser(stored)
    if (columns === null) return false
    const latestMs = Math.max(user.version, this.#options.clock.now().wallMs)
    const isLater = row.version > user.version && !isMadeUp(row.version, latestMs)
    return isLater || isDeepStrictEqual(row, user)
  }

  /** null: the row has no cells. */
  async #newestMicros(username: string): Promise<number | null> {
    const stored = await this.#read(this.#options.statements.userTimes, username)
    return stored === undefined ? null : (cellTimes(stored, userCells)?.newestMicros ?? null)
  }

  /** After the write was answered as applied: no error may say that it was not sent. @throws StatementUnknownError */
  async #read(statement: Statement, username: string): Promise<Record<string, unknown> | undefined> {
    const answer = await this.#options.session.execute(statement, [username]).catch((cause) => {
      const said = `The row of ${username} could not be read after the write: look before you try again.`
      throw new StatementUnknownError(said, 'never', { cause })
    })
    return answer.rows[0]
  }
}

function causeText(newestMicros: number | null, nowMs: number): string {
  if (newestMicros !== null && newestMicros / 1000 > nowMs)
    return `Something other than this console gave the row a timestamp in the future: until ${dateText(newestMicros)} the console cannot change it.`
  return 'Something other than this console deleted the row, or a part of it, with a timestamp in the future: until then the console cannot write it. That timestamp cannot be read.'
}

/** Also of what no date holds. */
export function dateText(micros: number): string {
  const at = new Date(micros / 1000)
  return Number.isNaN(at.getTime()) ? 'the end of all timestamps' : at.toISOString()
}
