import { createHash, randomBytes } from 'node:crypto'
import type { CassandraSession } from 'leasehold/cassandra'
import type { Session } from '../contract/session.ts'
import type { ConsoleStatements } from './statements.ts'
import type { Users } from './users.ts'

export const sessionLifetimeSeconds = 12 * 60 * 60

const idHash = (id: string) => createHash('sha256').update(id).digest('hex')

/** Signed-in people: rows in Cassandra, so that every instance knows them and signing out ends them everywhere. */
export class Sessions {
  readonly #session: CassandraSession
  readonly #statements: ConsoleStatements
  readonly #users: Users

  constructor(session: CassandraSession, statements: ConsoleStatements, users: Users) {
    this.#session = session
    this.#statements = statements
    this.#users = users
  }

  /** @returns the id for the cookie: opaque and random, with the name beside it; the table holds only its hash */
  async open(username: string): Promise<string> {
    const id = `${randomBytes(32).toString('base64url')}.${Buffer.from(username).toString('base64url')}`
    await this.#session.execute(this.#statements.insertSession, [
      idHash(id),
      username,
      new Date(),
      sessionLifetimeSeconds,
    ])
    return id
  }

  /**
   * Who this is now: the role is read anew each time, so that a change takes effect at once. The name in the id only
   * lets both rows be read at the same time; it proves nothing, and is compared with the row's.
   */
  async find(id: string): Promise<Session | null> {
    const claimed = Buffer.from(id.split('.')[1] ?? '', 'base64url').toString()
    if (claimed === '') return null
    const [{ rows }, role] = await Promise.all([
      this.#session.execute(this.#statements.readSession, [idHash(id)]),
      this.#users.role(claimed),
    ])
    const username = rows[0]?.username
    return username === claimed && role !== null ? { username: claimed, role } : null
  }

  async close(id: string): Promise<void> {
    await this.#session.execute(this.#statements.deleteSession, [idHash(id)])
  }
}
