import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import { type Clock, elapsedMs, systemClock, systemTimer, type Timer } from 'leasehold/time'
import { z } from 'zod'
import { type Session, tokenRoleSchema } from '../../../contract/session.ts'
import type { ApiToken, NewToken } from '../../../contract/token.ts'
import { iso, isoOrNull } from '../../http/instant.ts'
import type { Log } from '../../http/log/log.ts'
import type { TokenStatements } from './token-statements.ts'

const rowSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    secret_hash: z.string(),
    role: tokenRoleSchema.nullable(),
    prefixes: z.array(z.string()).nullable(),
    created_by: z.string(),
    created_at: z.date(),
  })
  .transform((row) => ({
    id: row.id,
    name: row.name,
    secretHash: row.secret_hash,
    // A token of the time before roles was good for everything; one with a role and no prefix is for nothing.
    role: row.role ?? 'client',
    prefixes: row.prefixes ?? (row.role === null ? [''] : []),
    createdBy: row.created_by,
    createdAt: row.created_at,
  }))
type TokenRow = z.infer<typeof rowSchema>

export interface DrawnToken {
  row: TokenRow
  answer: ApiToken & { token: string }
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()
const shape = /^lh_([0-9a-f]{16})_([\w-]{43})$/
const noteUseAfterMs = 60_000
/** An answer that is lost after this is not asked for again: who waits has given up by the end of another try. */
const sendAgainWithinMs = 10_000
const pauseMs = 250

export interface ApiTokensOptions {
  session: CassandraSession
  statements: TokenStatements
  log: Log
  clock?: Clock
  timer?: Timer
  /** Told of every token that was revoked here, by its name. */
  onRevoke?: (name: string) => void
}

/**
 * The tokens by which programs come in: `lh_<id>_<secret>`. The secret is random, 256 bits, and only its hash is kept;
 * so that a fast hash will do.
 */
export class ApiTokens {
  readonly #options: ApiTokensOptions
  readonly #clock: Clock
  /** When this process last wrote down that a token was used. */
  readonly #notedAtMs = new Map<string, number>()

  constructor(options: ApiTokensOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  /** Makes one up: it is good for nothing until it is kept. `answer.token` is nowhere else. */
  draw({ name, role, prefixes }: NewToken, createdBy: string): DrawnToken {
    const id = randomBytes(8).toString('hex')
    const secret = randomBytes(32).toString('base64url')
    const row: TokenRow = {
      id,
      name,
      secretHash: hashOf(secret).toString('hex'),
      role,
      prefixes: [...new Set(prefixes)],
      createdBy,
      createdAt: new Date(this.#clock.now().wallMs),
    }
    return { row, answer: { ...tokenJson(row, null), token: `lh_${id}_${secret}` } }
  }

  /** @throws StatementUnknownError when it is not known whether it was kept; StoreUnavailableError */
  async keep({ row }: DrawnToken): Promise<void> {
    const { id, name, secretHash, role, prefixes, createdBy, createdAt } = row
    const values = [id, name, secretHash, role, prefixes, createdBy, createdAt]
    await this.#settled(this.#options.statements.insertToken, values)
  }

  async list(): Promise<ApiToken[]> {
    const { session, statements } = this.#options
    const [tokens, uses] = await Promise.all([
      session.execute(statements.listTokens, []),
      session.execute(statements.listTokenUses, []),
    ])
    const usedAt = new Map(uses.rows.map(({ id, used_at }) => [id, used_at]))
    return tokens.rows
      .map((row) => rowSchema.parse(row))
      .map((row) => tokenJson(row, (usedAt.get(row.id) as Date | undefined) ?? null))
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
  }

  /**
   * Whose a token is, and what it is good for. It is read each time, so that revoking it takes effect at once.
   * @param use false: only looked at, which is no use
   */
  async find(token: string, { use = true } = {}): Promise<Session | null> {
    const [, id, secret] = token.match(shape) ?? []
    if (id === undefined || secret === undefined) return null
    const row = await this.get(id)
    if (row === null || !timingSafeEqual(hashOf(secret), Buffer.from(row.secretHash, 'hex'))) return null
    if (use) this.#noteUse(id)
    const { name, role, prefixes } = row
    return {
      username: name,
      role: 'client',
      via: 'token',
      scope: { role, prefixes },
      elevatedUntil: null,
      expiresAt: null,
    }
  }

  /** One by its id. */
  async get(id: string): Promise<TokenRow | null> {
    const { session, statements } = this.#options
    const { rows } = await session.execute(statements.readToken, [id])
    return rows[0] === undefined ? null : rowSchema.parse(rows[0])
  }

  /** @throws StatementUnknownError when it is not known whether it was revoked; StoreUnavailableError */
  async revoke({ id, name }: Pick<TokenRow, 'id' | 'name'>): Promise<void> {
    const { session, statements, onRevoke } = this.#options
    await this.#settled(statements.deleteToken, [id])
    onRevoke?.(name)
    await session.execute(statements.deleteTokenUse, [id])
  }

  /** Sent again when its answer was lost. Ids are random and used once: whoever finds it done has done it. */
  async #settled(statement: Statement, values: unknown[]): Promise<void> {
    const { session, timer = systemTimer } = this.#options
    for (const started = this.#clock.now(); ; ) {
      try {
        await session.execute(statement, values)
        return
      } catch (thrown) {
        if (!isLeaseholdError(thrown, 'statement-unknown')) throw thrown
        if (elapsedMs(started, this.#clock.now()) >= sendAgainWithinMs) throw thrown
        await timer.sleep(pauseMs)
      }
    }
  }

  /** At most once a minute, and in the background: it must neither hold up nor fail the request. */
  #noteUse(id: string): void {
    const { session, statements, log } = this.#options
    const nowMs = this.#clock.now().wallMs
    const notedAtMs = this.#notedAtMs.get(id)
    if (notedAtMs !== undefined && nowMs - notedAtMs < noteUseAfterMs) return
    this.#notedAtMs.set(id, nowMs)
    session
      .execute(statements.noteTokenUse, [id, new Date(nowMs)])
      .catch((error) => log.warn({ error }, 'that a token was used could not be written'))
  }
}

const tokenJson = (
  { id, name, role, prefixes, createdBy, createdAt }: TokenRow,
  usedAt: Date | null,
): ApiToken => ({
  id,
  name,
  role,
  prefixes,
  createdBy,
  createdAt: iso(createdAt.getTime()),
  lastUsedAt: isoOrNull(usedAt?.getTime() ?? null),
})
