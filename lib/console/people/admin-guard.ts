/**
 * Keeps the last admin: of the last two, two requests at the same time cannot remove both.
 *
 * Each change that takes an admin's right away is announced first, in one row that all instances share; all other changes
 * of users need no turn, as they take no such right.
 * 1. The announcements are read at SERIAL.
 * 2. All users are read. An announced admin does not count, unless the row has changed since the announcement.
 * 3. If no other admin is left, the change is refused.
 * 4. The change is announced IF the announcements are still those of step 1.
 * 5. The user's row is changed IF it is as it was when the change was announced: users.ts.
 *
 * Guarantees: removals are decided one after the other, each knowing all that were decided before.
 * Does not guarantee: that an announced change is made. After a crash between steps 4 and 5 the admin stays, and does not
 * count as the other admin until the row has changed.
 * Assumes: nothing of clocks. Ids of changes are used once.
 */
import { randomUUID } from 'node:crypto'
import type { CassandraSession } from 'leasehold/cassandra'
import { isLeaseholdError, StoreUnavailableError } from 'leasehold/lease'
import { systemTimer, type Timer } from 'leasehold/time'
import { z } from 'zod'
import type { SealedRows } from '../store/sealed-rows.ts'
import type { PeopleStatements } from './people-statements.ts'
import { isLastAdmin, type UserRow } from './user-row.ts'

const announcedSchema = z.array(
  z.object({
    username: z.string(),
    /** The user's `change_id` when this was announced. */
    follows: z.string().nullable(),
  }),
)
type Announced = z.infer<typeof announcedSchema>

/** null: nothing that this console has written. */
function announcedIn(change: unknown): Announced | null {
  if (typeof change !== 'string') return null
  try {
    return announcedSchema.safeParse(JSON.parse(change)).data ?? null
  } catch {
    return null
  }
}

const tries = 60

export class AdminGuard {
  readonly #session: CassandraSession
  readonly #statements: PeopleStatements
  readonly #refuse: SealedRows['refuse']
  readonly #timer: Timer

  constructor(
    session: CassandraSession,
    statements: PeopleStatements,
    rows: Pick<SealedRows, 'refuse'>,
    timer: Timer = systemTimer,
  ) {
    this.#session = session
    this.#statements = statements
    this.#refuse = (row) => rows.refuse(row)
    this.#timer = timer
  }

  /**
   * Announces that `user` becomes `after`.
   * @param list all users as they are now
   * @returns false: no other admin would be left
   * @throws StoreUnavailableError
   */
  async announce(user: UserRow, after: UserRow, list: () => Promise<UserRow[]>): Promise<boolean> {
    for (let tried = 0; tried < tries; tried++) {
      const { id, announced } = await this.#read()
      const users = await list()
      const open = announced.filter(({ username, follows }) =>
        users.some((other) => other.username === username && other.changeId === follows),
      )
      const counting = users.filter(({ username }) => !open.some((each) => each.username === username))
      if (isLastAdmin(counting, user, after)) return false
      const others = open.filter(({ username }) => username !== user.username)
      if (await this.#write([...others, { username: user.username, follows: user.changeId }], id)) return true
      await this.#timer.sleep(Math.random() * 40)
    }
    throw new StoreUnavailableError('Admins are changed by others faster than this change gets its turn.')
  }

  async #read(): Promise<{ id: string | null; announced: Announced }> {
    const { rows } = await this.#session.execute(this.#statements.readAnnounced, [])
    const [row] = rows
    if (row === undefined) return { id: null, announced: [] }
    const id = (row.id as string | null) ?? null
    const announced = announcedIn(row.change)
    // It has no seal: what announces nothing that can be read is passed over, and the next announcement takes its place.
    if (announced === null) this.#refuse({ table: 'user_changes', key: 'admins', why: 'seal' })
    return { id, announced: announced ?? [] }
  }

  /** @returns false: not announced, or it is unknown; an announcement twice is the same as once */
  async #write(announced: Announced, before: string | null): Promise<boolean> {
    try {
      const values = [randomUUID(), JSON.stringify(announced), before]
      const { rows } = await this.#session.execute(this.#statements.announce, values)
      return rows[0]?.['[applied]'] === true
    } catch (thrown) {
      if (isLeaseholdError(thrown, 'statement-unknown')) return false
      throw thrown
    }
  }
}
