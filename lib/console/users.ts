import { hash, verify } from '@node-rs/argon2'
import type { CassandraSession } from 'leasehold/cassandra'
import { z } from 'zod'
import { type Role, roleSchema } from '../contract/session.ts'
import type { ConsoleStatements } from './statements.ts'

const userRowSchema = z.object({ password_hash: z.string(), role: roleSchema, disabled: z.boolean() })

/** People who may sign in. Passwords are kept as argon2id hashes. */
export class Users {
  readonly #session: CassandraSession
  readonly #statements: ConsoleStatements
  /** Verified against when there is no such user, so that the answer takes as long. */
  readonly #decoy = hash('nobody has this password')

  constructor(session: CassandraSession, statements: ConsoleStatements) {
    this.#session = session
    this.#statements = statements
  }

  /** The role of a user who may act now; null: there is none, or disabled. */
  async role(username: string): Promise<Role | null> {
    const user = await this.#find(username)
    return user === null || user.disabled ? null : user.role
  }

  /** The role, if name and password go together; null says nothing about which of the two was wrong. */
  async verify(username: string, password: string): Promise<Role | null> {
    const user = await this.#find(username)
    const right = await verify(user?.password_hash ?? (await this.#decoy), password)
    return right && user !== null && !user.disabled ? user.role : null
  }

  /** @returns false when a user of that name is there already */
  async create(username: string, password: string, role: Role): Promise<boolean> {
    const { rows } = await this.#session.execute(this.#statements.insertUser, [
      username,
      await hash(password),
      role,
      new Date(),
    ])
    return rows[0]?.['[applied]'] === true
  }

  async exists(username: string): Promise<boolean> {
    return (await this.#find(username)) !== null
  }

  async #find(username: string) {
    const { rows } = await this.#session.execute(this.#statements.readUser, [username])
    return rows[0] === undefined ? null : userRowSchema.parse(rows[0])
  }
}
