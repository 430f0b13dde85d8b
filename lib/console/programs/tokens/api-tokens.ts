import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import { type Clock, elapsedMs, systemClock, systemTimer, type Timer } from 'leasehold/time'
import { z } from 'zod'
import type { Session } from '../../../contract/people/session.ts'
import type { ApiToken, NewToken } from '../../../contract/programs/token.ts'
import { anyTime, type BeforeSend } from '../../http/act-window.ts'
import { iso, isoOrNull } from '../../http/instant.ts'
import type { Log } from '../../http/log/log.ts'
import { BatchedReads } from '../../store/batch/batched-reads.ts'
import type { ReadRow, SealedRows } from '../../store/sealed-rows.ts'
import { KnownTokens, knownForMs } from './known-tokens.ts'
import { readToken, revokedVersion, type TokenRow, tokenColumns, tokenVersion } from './token-row.ts'
import type { TokenStatements } from './token-statements.ts'

interface DrawnToken {
  row: TokenRow
  answer: ApiToken & { token: string }
}

const hashOf = (secret: string) => hash('sha256', secret, 'buffer')
const shape = /^lh_([0-9a-f]{16})_([\w-]{43})$/
const noteUseAfterMs = 60_000
/** The key of the one row of `token_revocations`. */
const allTokens = 'all'
/** After this time a lost answer leads to no further try: the caller would have given up by its end. */
const sendAgainWithinMs = 10_000
const pauseMs = 250

interface ApiTokensOptions {
  session: CassandraSession
  statements: TokenStatements
  rows: SealedRows
  log: Log
  clock?: Clock
  timer?: Timer
  /** Called after each token that was revoked here, with its name. */
  onRevoke?: (name: string) => void
}

/**
 * The tokens of programs: `lh_<id>_<secret>`. The secret has 256 random bits, so that a fast hash is enough; only the hash is
 * kept.
 */
export class ApiTokens {
  readonly #options: ApiTokensOptions
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #reads: BatchedReads
  /** Of rows in the list that did not count, one statement at a time: there may be many, and programs do not wait for them. */
  readonly #rereads: BatchedReads
  readonly #known: KnownTokens
  /** When this process last wrote the use of each token. */
  readonly #notedAt = new Map<string, ReturnType<Clock['now']>>()

  constructor(options: ApiTokensOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#timer = options.timer ?? systemTimer
    const { session, statements, rows } = options
    const shared = { session, keyColumn: 'id', timer: this.#timer }
    const ofTokens = { ...shared, one: statements.readToken, many: statements.readTokens }
    this.#reads = new BatchedReads(ofTokens)
    this.#rereads = new BatchedReads({ ...ofTokens, atOnce: 1 })
    const { readRevocation, readRevocations } = statements
    const revocations = new BatchedReads({ ...shared, one: readRevocation, many: readRevocations })
    this.#known = new KnownTokens({
      clock: this.#clock,
      read: (id) => this.#counted(() => this.#stored(id)),
      readRevocation: async () => ((await revocations.read(allTokens))?.last as string | undefined) ?? null,
      isCurrent: (row) => rows.isCurrent('api_tokens', row.id, row.version),
    })
  }

  /** Of how many tokens it remembers the last use: none of a revoked one. */
  get usesNoted(): number {
    return this.#notedAt.size
  }

  /** Makes a token, which counts only once it is stored. `answer.token` is stored nowhere. */
  draw({ name, role, prefixes, tables }: NewToken, createdBy: string): DrawnToken {
    const id = randomBytes(8).toString('hex')
    const secret = randomBytes(32).toString('base64url')
    const drawn = {
      id,
      name,
      secretHash: hashOf(secret).toString('hex'),
      role,
      prefixes: [...new Set(prefixes)],
      tables: [...new Set(tables)],
      createdBy,
      createdAt: new Date(this.#clock.now().wallMs),
    }
    const row: TokenRow = { ...drawn, ...this.#options.rows.next('api_tokens', tokenColumns(drawn)) }
    return { row, answer: { ...tokenJson(row, null), token: `lh_${id}_${secret}` } }
  }

  /** @throws StatementUnknownError when it is not known whether it was kept; StoreUnavailableError */
  async keep({ row }: DrawnToken, beforeSend = anyTime): Promise<void> {
    const { id, name, secretHash, role, prefixes, tables, createdBy, createdAt, version, seal } = row
    const values = [id, name, secretHash, role, prefixes, tables, createdBy, createdAt, BigInt(version), seal]
    await this.#settled(this.#options.statements.insertToken, () => values, beforeSend)
    this.#options.rows.changed(tokenVersion(row))
  }

  async list(): Promise<ApiToken[]> {
    const { session, statements } = this.#options
    const [tokens, uses] = await Promise.all([
      session.execute(statements.listTokens, []),
      session.execute(statements.listTokenUses, []),
    ])
    // Its rows have no seal: another client may have written one that no date holds.
    const usedAt = new Map(uses.rows.map(({ id, used_at }) => [id, z.date().safeParse(used_at).data]))
    const { rows } = this.#options
    const held = await Promise.all(
      tokens.rows.map((row) =>
        rows.counted(readToken(row), () => this.#stored(String(row.id), this.#rereads)),
      ),
    )
    return held
      .filter((row) => row !== null)
      .map((row) => tokenJson(row, usedAt.get(row.id) ?? null))
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
  }

  /**
   * The program of a token, and what the token is good for. Revoking it takes effect at once: known-tokens.ts.
   * @param use false: only reads, which does not count as a use
   */
  async find(token: string, { use = true } = {}): Promise<Session | null> {
    const [, id, secret] = token.match(shape) ?? []
    if (id === undefined || secret === undefined) return null
    const row = await this.get(id)
    if (row === null || !timingSafeEqual(hashOf(secret), Buffer.from(row.secretHash, 'hex'))) return null
    if (use) this.#noteUse(id)
    const { name, role, prefixes, tables } = row
    return {
      username: name,
      role: 'client',
      via: 'token',
      scope: { role, prefixes, tables },
      elevatedUntil: null,
      expiresAt: null,
    }
  }

  /** One by its id. */
  get(id: string): Promise<TokenRow | null> {
    return this.#known.get(id)
  }

  /** Read at SERIAL: each write that was decided is seen. @throws StoreUnavailableError */
  confirmed(id: string): Promise<TokenRow | null> {
    const { session, statements } = this.#options
    return this.#counted(async () => {
      const { rows } = await session.execute(statements.confirmToken, [id])
      return rows[0] === undefined ? null : readToken(rows[0])
    })
  }

  async #stored(id: string, reads = this.#reads): Promise<ReadRow<TokenRow> | null> {
    const row = await reads.read(id)
    return row === undefined ? null : readToken(row)
  }

  async #counted(read: () => Promise<ReadRow<TokenRow> | null>): Promise<TokenRow | null> {
    return this.#options.rows.counted(await read(), read)
  }

  /** @throws StatementUnknownError when it is not known whether it was revoked; StoreUnavailableError */
  async revoke({ id, name }: Pick<TokenRow, 'id' | 'name'>, beforeSend = anyTime): Promise<void> {
    const { rows, statements, onRevoke } = this.#options
    await this.#settled(statements.deleteToken, () => [id], beforeSend)
    rows.changed(revokedVersion(id))
    this.#known.forget(id)
    await this.#tellInstances()
    this.#notedAt.delete(id)
    onRevoke?.(name)
    this.#forgetUse(id)
  }

  /** Resolves when no instance lets the revoked token in any more. */
  async #tellInstances(): Promise<void> {
    const { session, statements, log } = this.#options
    let last: string | undefined
    const values = () => {
      last = randomBytes(16).toString('hex')
      return [last, allTokens, last]
    }
    let error: unknown
    try {
      await this.#settled(statements.noteRevocation, values, anyTime)
      const { rows } = await session.execute(statements.confirmRevocation, [allTokens])
      // Another id: of a revocation a moment later; or a row with a timestamp in the future, which no write changes.
      if (rows[0]?.last === last) return
    } catch (thrown) {
      error = thrown
    }
    log.warn(
      { error },
      'the revocation of a token could not be noted: other consoles notice it within a second',
    )
    // Twice, because their clocks are not this one.
    await this.#timer.sleep(2 * knownForMs)
  }

  /** In the background: the token is revoked, also if the deletion of its last use fails. */
  #forgetUse(id: string): void {
    const { session, statements, log } = this.#options
    session
      .execute(statements.deleteTokenUse, [id])
      .catch((error) => log.warn({ error, id }, 'the last use of a revoked token could not be cleared'))
  }

  /** Sent again when its answer was lost. Ids are random and used once: what is done was done by this call. */
  async #settled(
    statement: Statement,
    /** Of each try. */
    values: () => unknown[],
    beforeSend: BeforeSend,
  ): Promise<void> {
    const { session } = this.#options
    let firstUnknown: unknown
    for (const started = this.#clock.now(); ; ) {
      beforeSend()
      try {
        await session.execute(statement, values())
        return
      } catch (thrown) {
        // An earlier try may have taken effect, even if this one fails.
        if (!isLeaseholdError(thrown, 'statement-unknown')) throw firstUnknown ?? thrown
        firstUnknown = thrown
        if (elapsedMs(started, this.#clock.now()) >= sendAgainWithinMs) throw thrown
        await this.#timer.sleep(pauseMs)
      }
    }
  }

  /** At most once a minute, and in the background: it neither holds up nor fails the request. */
  #noteUse(id: string): void {
    const { session, statements, log } = this.#options
    const now = this.#clock.now()
    const notedAt = this.#notedAt.get(id)
    if (notedAt !== undefined && elapsedMs(notedAt, now) < noteUseAfterMs) return
    this.#notedAt.set(id, now)
    session
      .execute(statements.noteTokenUse, [id, new Date(now.wallMs)])
      .catch((error) => log.warn({ error }, 'that a token was used could not be written'))
  }
}

const tokenJson = (
  { id, name, role, prefixes, tables, createdBy, createdAt }: TokenRow,
  usedAt: Date | null,
): ApiToken => ({
  id,
  name,
  role,
  prefixes,
  tables,
  createdBy,
  createdAt: iso(createdAt.getTime()),
  lastUsedAt: isoOrNull(usedAt?.getTime() ?? null),
})
