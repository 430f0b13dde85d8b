/**
 * Whether a write of a user's row took effect.
 *
 * The timestamp of a conditional write is its ballot: about now. Another client may give a cell or a deletion a timestamp in the
 * future. Until that time Cassandra answers each conditional write with "applied", and the row stays as it is.
 *
 * 1. The row is read at SERIAL. The write took effect if the row is as written, or has a newer version: another change came after it.
 * 2. Otherwise the timestamps of the cells are read, for the message. The timestamp of a deletion cannot be read.
 *
 * Does not guarantee: anything against a client that writes the table again after the read.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CassandraSession } from 'leasehold/cassandra'
import { StatementUnknownError } from 'leasehold/lease'
import type { Clock } from 'leasehold/time'
import { WithoutEffect } from '../audit/audited.ts'
import { cellTimes } from '../audit/verify/cell-times.ts'
import type { RowVersion } from '../store/row-versions.ts'
import { type PeopleStatements, userCells } from './people-statements.ts'
import { readUser, type UserRow } from './user-row.ts'

interface UserEffectOptions {
  session: CassandraSession
  statements: PeopleStatements
  clock: Clock
}

export class UserEffect {
  readonly #options: UserEffectOptions

  constructor(options: UserEffectOptions) {
    this.#options = options
  }

  /**
   * @param user the row as it was written
   * @param outdated versions that the row as it was is older than, if the write had no effect: it gives no right from then on
   * @throws WithoutEffect; StatementUnknownError: the row could not be read
   */
  async confirm(user: UserRow, outdated: readonly RowVersion[]): Promise<void> {
    if (await this.#isThere(user)) return
    const { clock } = this.#options
    const micros = await this.#newestMicros(user.username)
    const sentences = [
      `The row of ${user.username} was not written, although Cassandra answered that it was.`,
      causeText(micros, clock.now().wallMs),
      ...(outdated.length === 0 ? [] : ['The row as it was gives no right any more.']),
      'docs/operations.md, “Rows dated in the future”, says what to do.',
    ]
    throw new WithoutEffect(sentences.join(' '), outdated)
  }

  async #isThere(user: UserRow): Promise<boolean> {
    const { session, statements } = this.#options
    const answer = await session.execute(statements.confirmUser, [user.username]).catch((cause) => {
      const said = `The row of ${user.username} could not be read after the write: look before you try again.`
      throw new StatementUnknownError(said, 'never', { cause })
    })
    const [stored] = answer.rows
    if (stored === undefined) return false
    const { columns, row } = readUser(stored)
    return columns !== null && (row.version > user.version || isDeepStrictEqual(row, user))
  }

  /** null: the row has no cells. */
  async #newestMicros(username: string): Promise<number | null> {
    const { session, statements } = this.#options
    const [stored] = (await session.execute(statements.userTimes, [username])).rows
    return stored === undefined ? null : (cellTimes(stored, userCells)?.newestMicros ?? null)
  }
}

function causeText(newestMicros: number | null, nowMs: number): string {
  if (newestMicros !== null && newestMicros / 1000 > nowMs)
    return `Something other than this console gave the row a timestamp in the future: until ${dateText(newestMicros)} the console cannot change it.`
  return 'Something other than this console deleted the row, or a part of it, with a timestamp in the future: until then the console cannot write it. That timestamp cannot be read.'
}

/** Also of what no date holds. */
function dateText(micros: number): string {
  const at = new Date(micros / 1000)
  return Number.isNaN(at.getTime()) ? 'the end of all timestamps' : at.toISOString()
}
