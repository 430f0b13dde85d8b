/**
 * Signed-in people: rows in Cassandra, so that every instance knows them and signing out ends them everywhere.
 *
 * A session ends, whichever is first:
 * 1. when it was not used for an hour. Its row lives that long, and is written anew while it is used, once a minute;
 * 2. twelve hours after it was opened, whatever happens;
 * 3. when it is signed out: its row is deleted, on condition that a later rewriting brings nothing back;
 * 4. when all sessions of its user are: the user's epoch is another one than the session's.
 *
 * Assumes: wall clocks of instances that are about right. A clock that is off by a minute moves these ends by a minute.
 */
import type { CassandraSession } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import { type Clock, systemClock } from 'leasehold/time'
import { elevationSeconds, type Session } from '../../contract/session.ts'
import type { Log } from '../http/log/log.ts'
import type { PeopleStatements } from './people-statements.ts'
import {
  nameIn,
  newSessionId,
  type SessionRow,
  sessionIdHash,
  sessionOf,
  sessionRowSchema,
  sessionValues,
} from './session-row.ts'
import type { UserRow } from './user-row.ts'
import type { Users } from './users.ts'

export const idleLimitSeconds = 60 * 60
export const absoluteLimitSeconds = 12 * 60 * 60
const rewriteAfterMs = 60_000

interface Found {
  row: SessionRow
  user: UserRow
}

export interface SessionsOptions {
  session: CassandraSession
  statements: PeopleStatements
  users: Users
  log: Log
  clock?: Clock
  /** Told of every session that was ended here. */
  onEnd?: (username: string) => void
}

export class Sessions {
  readonly #options: SessionsOptions
  readonly #clock: Clock
  /** Being rewritten now, by hash: once is enough. */
  readonly #rewriting = new Map<string, Promise<void>>()

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  /**
   * @param epoch the user's when the credentials were checked: a password that was changed since opens nothing
   * @returns the id for the cookie, which is kept nowhere else
   */
  async open({
    username,
    via,
    address,
    epoch,
  }: Pick<SessionRow, 'username' | 'via' | 'address'> & { epoch?: string }): Promise<string> {
    const nowMs = this.#clock.now().wallMs
    return this.#insert({
      username,
      via,
      address,
      epoch: epoch ?? (await this.#options.users.find(username))?.epoch ?? '',
      createdAt: new Date(nowMs),
      endsAtMs: nowMs + absoluteLimitSeconds * 1000,
      usedAtMs: nowMs,
      elevatedUntilMs: null,
      elevatedUnder: null,
    })
  }

  /**
   * Who this is now; null: nobody, or not any more.
   * @param use false: only looked at, which keeps no session alive
   */
  async find(id: string, { use = true } = {}): Promise<Session | null> {
    const found = await this.#find(id)
    if (found === null) return null
    if (use) this.#noteUse(id, found.row)
    return sessionOf(found.row, found.user, this.#clock.now().wallMs)
  }

  /** Opens break, kill and the settings, under a new id. @returns null when the session has ended */
  async elevate(id: string): Promise<string | null> {
    const found = await this.#find(id)
    if (found === null) return null
    const nowMs = this.#clock.now().wallMs
    const elevated = await this.#insert({
      ...found.row,
      usedAtMs: nowMs,
      elevatedUntilMs: Math.min(nowMs + elevationSeconds * 1000, found.row.endsAtMs),
      elevatedUnder: found.user.changeId ?? '',
    })
    await this.close(id)
    return elevated
  }

  /** Ends an elevation before its time. @throws StoreUnavailableError, StatementUnknownError: it may not be ended */
  async lower(id: string): Promise<void> {
    await untilHeard(async () => {
      for (;;) {
        const found = await this.#find(id)
        if (found === null || found.row.elevatedUntilMs === null) return
        const lowered = { ...found.row, elevatedUntilMs: null, elevatedUnder: null }
        // Not: it was used meanwhile, which is written down at most once a minute.
        if (await this.#rewrite(id, found.row, lowered)) return
      }
    })
  }

  /** @throws StoreUnavailableError, StatementUnknownError: it may not be ended */
  async close(id: string): Promise<void> {
    const { session, statements, onEnd } = this.#options
    await untilHeard(() => session.execute(statements.deleteSession, [sessionIdHash(id)]))
    onEnd?.(nameIn(id))
  }

  /** Ends every session of a user. */
  async closeAll(username: string): Promise<void> {
    await this.#options.users.endSessions(username)
  }

  /** Resolves when no use is being written down any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#rewriting.values())
  }

  async #find(id: string): Promise<Found | null> {
    const { session, statements, users } = this.#options
    const username = nameIn(id)
    if (username === '') return null
    const [{ rows }, user] = await Promise.all([
      session.execute(statements.readSession, [sessionIdHash(id)]),
      users.find(username),
    ])
    const parsed = sessionRowSchema.safeParse(rows[0])
    if (!parsed.success || user === null || user.disabled) return null
    const row = parsed.data
    const nowMs = this.#clock.now().wallMs
    const isOver = nowMs >= row.endsAtMs || nowMs >= row.usedAtMs + idleLimitSeconds * 1000
    return isOver || row.username !== username || row.epoch !== user.epoch ? null : { row, user }
  }

  async #insert(row: SessionRow): Promise<string> {
    const id = newSessionId(row.username)
    const { session, statements } = this.#options
    await session.execute(statements.insertSession, [
      sessionIdHash(id),
      ...sessionValues(row),
      this.#ttlSeconds(row),
    ])
    return id
  }

  /** In the background: that a session was used must not hold up, nor fail, the request that uses it. */
  #noteUse(id: string, row: SessionRow): void {
    const nowMs = this.#clock.now().wallMs
    const key = sessionIdHash(id)
    if (nowMs - row.usedAtMs < rewriteAfterMs || this.#rewriting.has(key)) return
    const writing = this.#rewrite(id, row, { ...row, usedAtMs: nowMs })
      .then(() => {})
      .catch((error) => this.#options.log.warn({ error }, 'that a session was used could not be written'))
      .finally(() => this.#rewriting.delete(key))
    this.#rewriting.set(key, writing)
  }

  /** @returns false when it is not as it was read any more */
  async #rewrite(id: string, before: SessionRow, after: SessionRow): Promise<boolean> {
    const { session, statements } = this.#options
    const { rows } = await session.execute(statements.rewriteSession, [
      this.#ttlSeconds(after),
      ...sessionValues(after),
      sessionIdHash(id),
      new Date(before.usedAtMs),
      before.elevatedUntilMs === null ? null : new Date(before.elevatedUntilMs),
    ])
    return rows[0]?.['[applied]'] === true
  }

  /** The idle limit, never beyond the absolute end. */
  #ttlSeconds({ endsAtMs }: SessionRow): number {
    const leftSeconds = Math.ceil((endsAtMs - this.#clock.now().wallMs) / 1000)
    return Math.max(1, Math.min(idleLimitSeconds, leftSeconds))
  }
}

const heardTries = 3

/** For what may be done twice: ending something is tried again when nobody knows what became of the try before. */
async function untilHeard(end: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await end()
      return
    } catch (thrown) {
      if (tried === heardTries || !isLeaseholdError(thrown, 'statement-unknown')) throw thrown
    }
  }
}
