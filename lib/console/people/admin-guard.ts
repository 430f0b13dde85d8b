/**
 * Keeps the last admin: two requests at the same time cannot remove the last two.
 *
 * 1. The user to be removed is read.
 * 2. All users are read. The first other admin by name is the witness. If there is none, the removal is refused.
 * 3. The witness's row gets a new version IF it has the version of step 2; else step 2 again. The row is read back: where a timestamp
 *    in the future hides the new version, that user is no witness, and step 2 takes the next one.
 * 4. The user's row is changed IF it has the version of step 1: users.ts.
 *
 * Guarantees: while a removal is made, its witness is an enabled admin. A removal of that witness which was read before
 * step 3 fails at its own step 4, as the version is a newer one. One that is read after step 3 needs a witness too: it
 * cannot be this user, whose row would change between steps 1 and 4. So the removals of a circle, where each has the next
 * one's user as its witness, cannot all be made.
 * Does not guarantee: anything against a client that writes the table past the console.
 * Assumes: nothing of clocks. Each change of a user raises the version. It reads sealed rows alone: a row that was
 * forged is no admin, and keeps no admin from being removed.
 */
import { StoreUnavailableError } from 'leasehold/lease'
import { systemTimer, type Timer } from 'leasehold/time'
import { WithoutEffect } from '../audit/audited.ts'
import { type UserRow, witnessOf } from './user-row.ts'

const tries = 60

/** `hidden`: Cassandra answered that the version was written, and the row does not have it. */
export type Renewed = 'renewed' | 'not-renewed' | 'hidden'

interface AdminGuardOptions {
  /** All users as they are now. */
  list: () => Promise<UserRow[]>
  /** Gives a row a new version. @returns `not-renewed`: it is not as it was read, or an answer was lost; twice is the same as once */
  renew: (user: UserRow) => Promise<Renewed>
  timer?: Timer | undefined
}

export class AdminGuard {
  readonly #options: AdminGuardOptions

  constructor(options: AdminGuardOptions) {
    this.#options = options
  }

  /**
   * Makes sure that another admin is left; to be called before this admin is removed, on condition of the version that
   * `user` has.
   * @returns false: no other admin would be left
   * @throws WithoutEffect: the rows of all others have a timestamp in the future; StoreUnavailableError
   */
  async keepAnother(user: UserRow): Promise<boolean> {
    const { list, renew, timer = systemTimer } = this.#options
    const hidden = new Set<string>()
    for (let tried = 0; tried < tries; tried++) {
      const others = (await list()).filter(({ username }) => !hidden.has(username))
      const witness = witnessOf(others, user)
      if (witness === null && hidden.size > 0) throw noWitness([...hidden])
      if (witness === null) return false
      const renewed = await renew(witness)
      if (renewed === 'renewed') return true
      if (renewed === 'hidden') hidden.add(witness.username)
      else await timer.sleep(Math.random() * 40)
    }
    throw new StoreUnavailableError('Admins are changed by others faster than this change gets its turn.')
  }
}

const noWitness = (names: readonly string[]): WithoutEffect =>
  new WithoutEffect(
    `Nothing was changed: it is not certain that another admin would be left. Something other than this console gave the row of ${names.join(', ')} a timestamp in the future. Make another user an admin first, and see docs/operations.md, “Rows dated in the future”.`,
    [],
  )
