import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { CassandraSession } from 'leasehold/cassandra'
import { z } from 'zod'
import type { Session } from '../contract/session.ts'
import type { ApiToken } from '../contract/token.ts'
import { iso } from './lease-json.ts'
import type { ConsoleStatements } from './statements.ts'

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  secret_hash: z.string(),
  created_by: z.string(),
  created_at: z.date(),
})

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()
const shape = /^lh_([0-9a-f]{16})_([\w-]{43})$/

/**
 * The tokens by which programs come in: `lh_<id>_<secret>`. The secret is random, 256 bits, and only its hash is kept;
 * so that a fast hash will do.
 */
export class ApiTokens {
  readonly #session: CassandraSession
  readonly #statements: ConsoleStatements

  constructor(session: CassandraSession, statements: ConsoleStatements) {
    this.#session = session
    this.#statements = statements
  }

  /** `token` is in this answer and nowhere else. */
  async create(name: string, createdBy: string): Promise<ApiToken & { token: string }> {
    const id = randomBytes(8).toString('hex')
    const secret = randomBytes(32).toString('base64url')
    const createdAt = new Date()
    const hash = hashOf(secret).toString('hex')
    await this.#session.execute(this.#statements.insertToken, [id, name, hash, createdBy, createdAt])
    return { id, name, createdBy, createdAt: iso(createdAt.getTime()), token: `lh_${id}_${secret}` }
  }

  async list(): Promise<ApiToken[]> {
    const { rows } = await this.#session.execute(this.#statements.listTokens, [])
    return rows
      .map((row) => rowSchema.parse(row))
      .map(({ id, name, created_by, created_at }) => ({
        id,
        name,
        createdBy: created_by,
        createdAt: iso(created_at.getTime()),
      }))
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
  }

  /** Whose a token is. It is read each time, so that revoking it takes effect at once. */
  async find(token: string): Promise<Session | null> {
    const [, id, secret] = token.match(shape) ?? []
    if (id === undefined || secret === undefined) return null
    const { rows } = await this.#session.execute(this.#statements.readToken, [id])
    if (rows[0] === undefined) return null
    const row = rowSchema.parse(rows[0])
    const right = timingSafeEqual(hashOf(secret), Buffer.from(row.secret_hash, 'hex'))
    return right ? { username: row.name, role: 'client' } : null
  }

  /** @returns false when there is none of that id */
  async revoke(id: string): Promise<boolean> {
    const { rows } = await this.#session.execute(this.#statements.readToken, [id])
    if (rows[0] === undefined) return false
    await this.#session.execute(this.#statements.deleteToken, [id])
    return true
  }
}
