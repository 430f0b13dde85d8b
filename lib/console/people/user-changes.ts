/**
 * Changes of users take turns, over all instances: each one is decided on all users as they are, and on nothing that
 * another one is about to change. So of the last two admins, two requests at the same time cannot remove both.
 *
 * 1. Which change was the last one is read at SERIAL.
 * 2. It is carried out, if whoever made it has not done so yet.
 * 3. All users are read, and what is to be changed is decided.
 * 4. The turn is taken: the change is written down IF the last one is still the one of step 1. From here on it is made,
 *    whoever carries it out.
 * 5. It is carried out, IF the user's row is still as the one before left it.
 *
 * Guarantees: decisions happen one after the other. A crash after step 4 loses nothing: the next change begins with it.
 * Ids of changes are used once, so that a statement which arrives late matches nothing.
 * Does not guarantee: that between a crash and the next change, or `settle`, the row is what was decided.
 * Assumes: nothing of clocks. Rows are only added meanwhile (new users), which takes nobody's right away.
 */
import { randomUUID } from 'node:crypto'
import type { CassandraSession } from 'leasehold/cassandra'
import { isLeaseholdError, StoreUnavailableError } from 'leasehold/lease'
import { systemTimer, type Timer } from 'leasehold/time'
import { z } from 'zod'
import { roleSchema } from '../../contract/session.ts'
import type { PeopleStatements } from './people-statements.ts'
import { type UserRow, userRowSchema } from './user-row.ts'

const changeSchema = z.object({
  id: z.string(),
  username: z.string(),
  /** What the row's `change_id` was. */
  follows: z.string().nullable(),
  role: roleSchema,
  disabled: z.boolean(),
  passwordHash: z.string().nullable(),
  epoch: z.string(),
})
type UserChange = z.infer<typeof changeSchema>

/** What a decision comes to. `as-is`: the user is what is wanted already. */
export type Decision<Refusal> =
  | {
      kind: 'change'
      user: UserRow
      to: Partial<Pick<UserRow, 'role' | 'disabled' | 'passwordHash' | 'epoch'>>
    }
  | { kind: 'as-is'; user: UserRow }
  | { kind: 'refused'; refusal: Refusal }

export type Changed<Refusal> =
  | { kind: 'changed'; before: UserRow; after: UserRow }
  | { kind: 'as-is'; user: UserRow }
  | { kind: 'refused'; refusal: Refusal }

const tries = 60

export class UserChanges {
  readonly #session: CassandraSession
  readonly #statements: PeopleStatements
  readonly #timer: Timer

  constructor(session: CassandraSession, statements: PeopleStatements, timer: Timer = systemTimer) {
    this.#session = session
    this.#statements = statements
    this.#timer = timer
  }

  /**
   * @param decide may be asked several times, each time with all users as they are then
   * @throws StoreUnavailableError when it is not known whether it was made
   */
  async make<Refusal>(decide: (users: readonly UserRow[]) => Decision<Refusal>): Promise<Changed<Refusal>> {
    /** Ours that may be made: by id. */
    const ours = new Map<string | null, Changed<Refusal>>()
    /** The turn that ours wanted to follow. */
    let triedAfter: string | null = null
    /** Ours, when that was answered. */
    let taken: Changed<Refusal> | null = null
    for (let tried = 0; tried < tries; tried++) {
      const last = await this.#last()
      if (last !== null) await this.#carryOut(last)
      // Carried out by now: by us, or by whoever took the next turn.
      if (taken !== null) return taken
      const users = await this.list()
      const made = ours.get(last?.id ?? null) ?? users.map(({ changeId }) => ours.get(changeId)).find(Boolean)
      if (made !== undefined) return made
      // Ours may have been made, and somebody else's after it, which has taken its traces along: made again, it could
      // undo what came in between.
      if (ours.size > 0 && (last?.id ?? null) !== triedAfter)
        throw new StoreUnavailableError(
          'Whether the user was changed is not known: look before you try again.',
        )
      const decision = decide(users)
      if (decision.kind !== 'change') return decision
      const { user, to } = decision
      const id = randomUUID()
      const after: UserRow = { ...user, ...to, changeId: id }
      const { username, role, disabled, passwordHash, epoch } = after
      const change = { id, username, follows: user.changeId, role, disabled, passwordHash, epoch }
      triedAfter = last?.id ?? null
      const answer = await this.#take(change, triedAfter)
      const changed: Changed<Refusal> = { kind: 'changed', before: user, after }
      if (answer === 'yes') taken = changed
      if (answer === 'unknown') ours.set(id, changed)
      // Once more from the beginning: the next turn begins with carrying out the last one.
      if (answer === 'no') await this.#timer.sleep(Math.random() * 40)
    }
    throw new StoreUnavailableError('Users are changed by others faster than this change gets its turn.')
  }

  /**
   * When this resolves, every change that was decided before is carried out.
   * @throws StoreUnavailableError: it may not be
   */
  async settle(): Promise<void> {
    try {
      const last = await this.#last()
      if (last !== null) await this.#carryOut(last)
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'statement-unknown')) throw thrown
      throw new StoreUnavailableError('Whether the last change of a user is carried out is not known.', {
        cause: thrown,
      })
    }
  }

  async list(): Promise<UserRow[]> {
    const { rows } = await this.#session.execute(this.#statements.listUsers, [])
    return rows.map((row) => userRowSchema.parse(row))
  }

  async #last(): Promise<UserChange | null> {
    const { rows } = await this.#session.execute(this.#statements.readUserChange, [])
    const change = rows[0]?.change
    return typeof change === 'string' ? changeSchema.parse(JSON.parse(change)) : null
  }

  async #take(change: UserChange, last: string | null): Promise<'yes' | 'no' | 'unknown'> {
    try {
      const { rows } = await this.#session.execute(this.#statements.takeUserChange, [
        change.id,
        JSON.stringify(change),
        last,
      ])
      return rows[0]?.['[applied]'] === true ? 'yes' : 'no'
    } catch (thrown) {
      if (isLeaseholdError(thrown, 'statement-unknown')) return 'unknown'
      throw thrown
    }
  }

  /** When this throws, the next one to change a user carries it out. */
  async #carryOut(change: UserChange): Promise<void> {
    const { rows } = await this.#session.execute(this.#statements.confirmUser, [change.username])
    // Carried out already, or a row that is not there any more: nothing of it may come back.
    if (rows[0] === undefined || userRowSchema.parse(rows[0]).changeId !== change.follows) return
    await this.#session.execute(this.#statements.changeUser, [
      change.role,
      change.disabled,
      change.passwordHash,
      change.epoch,
      change.id,
      change.username,
      change.follows,
    ])
  }
}
