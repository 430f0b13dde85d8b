/**
 * Rows of users that do not count, for an administrator at the server's shell: what is wrong with one, and how it counts
 * again. Nothing else may use it: a row that was put back gets its rights.
 */
import type { Clock } from 'leasehold/time'
import type { Inspected, SealedRows } from '../store/sealed-rows.ts'
import { isMadeUp, readUser, type UserRow, userColumns, userVersion } from './user-row.ts'
import type { UserStore } from './user-store.ts'

export class UserRepair {
  readonly #store: UserStore
  readonly #rows: SealedRows
  readonly #clock: Clock

  constructor(store: UserStore, rows: SealedRows, clock: Clock) {
    this.#store = store
    this.#rows = rows
    this.#clock = clock
  }

  /** Why a row does not count. @returns `row` null: there is none, or none that can be read */
  async inspect(username: string): Promise<Inspected & { row: UserRow | null }> {
    const stored = await this.#store.confirmed(username)
    const read = stored === undefined ? null : readUser(stored)
    return { ...this.#rows.inspect('users', username, read), row: read?.columns ? read.row : null }
  }

  /** Names of users without a row that counts. */
  async broken(): Promise<string[]> {
    const stored = await this.#store.list()
    const names = stored.map((row) => String(row.username))
    const missing = await this.#rows.missing('users', async () => names)
    const wrong = stored
      .map(readUser)
      .filter((read) => this.#rows.inspect('users', read.key, read).why !== null)
      .map(({ key }) => key)
    return [...wrong, ...missing].sort()
  }

  /**
   * Makes a row count as it is.
   * @param newest the newest version that is known of it
   * @returns null: it was changed since it was read
   */
  async accept(row: UserRow, newest: number | null): Promise<UserRow | null> {
    const version = row.version ?? 0
    // A version that is made up is not counted on from: the one after the greatest number is none that Cassandra can store.
    const before = Math.max(isMadeUp(version, this.#clock.now().wallMs) ? 0 : version, newest ?? 0)
    const accepted = { ...row, ...this.#rows.next('users', userColumns(row), before) }
    if (!(await this.#store.seal(row, accepted))) return null
    this.#rows.changed(userVersion(accepted))
    return accepted
  }
}
