/**
 * Sessions of signed-in users: sealed rows in Cassandra, so that every instance knows them, and a sign-out holds everywhere.
 *
 * A session ends, whichever is first:
 * 1. when it was not used for an hour. Its row lives that long, and is written again once a minute while it is used;
 * 2. twelve hours after it was opened, whatever happens;
 * 3. when it is signed out: its row is deleted, and ended for good in row-versions.ts, so that it cannot be put back;
 * 4. when all sessions of its user are: the user's epoch is another one than the session's.
 *
 * Assumes: wall clocks of instances that are about right. A clock that is off by a minute moves these ends by a minute.
 */
import type { CassandraSession } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import { type Clock, systemClock, systemTimer, type Timer } from 'leasehold/time'
import { elevationSeconds } from '../../../contract/people/rights.ts'
import type { Session } from '../../../contract/people/session.ts'
import { anyTime } from '../../http/act-window.ts'
import type { Log } from '../../http/log/log.ts'
import { BatchedReads } from '../../store/batch/batched-reads.ts'
import type { RowVersion } from '../../store/row-versions.ts'
import type { SealedRows } from '../../store/sealed-rows.ts'
import type { PeopleStatements } from '../people-statements.ts'
import type { UserRow } from '../user-row.ts'
import type { Users } from '../users.ts'
import {
  nameIn,
  newSessionId,
  type Opened,
  type OpenSession,
  readSession,
  type SessionRow,
  sessionColumns,
  sessionIdHash,
  sessionOf,
  sessionValues,
} from './session-row.ts'

export const idleLimitSeconds = 60 * 60
export const absoluteLimitSeconds = 12 * 60 * 60
const rewriteAfterMs = 60_000

interface Found {
  row: SessionRow
  user: UserRow
}

interface SessionsOptions {
  session: CassandraSession
  statements: PeopleStatements
  users: Users
  rows: SealedRows
  log: Log
  clock?: Clock
  timer?: Timer
  /** Called after each session that was ended here. */
  onEnd?: (username: string) => void
}

export class Sessions {
  readonly #options: SessionsOptions
  readonly #clock: Clock
  readonly #reads: BatchedReads
  /** Hashes of sessions whose use is being written now: one write is enough. */
  readonly #rewriting = new Map<string, Promise<void>>()

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    const { session, statements, timer = systemTimer } = options
    const { readSession: one, readSessions: many } = statements
    this.#reads = new BatchedReads({ session, one, many, keyColumn: 'id_hash', timer })
  }

  /** @param user as the credentials were checked: after a change of the password since, the session counts for nothing */
  async open(user: UserRow, { via, address }: Pick<OpenSession, 'via' | 'address'>): Promise<Opened> {
    const nowMs = this.#clock.now().wallMs
    const open = {
      username: user.username,
      via,
      address,
      epoch: user.epoch,
      createdAt: new Date(nowMs),
      endsAtMs: nowMs + absoluteLimitSeconds * 1000,
      usedAtMs: nowMs,
      elevatedUntilMs: null,
      elevatedUnder: null,
    }
    return this.#insert(open, user)
  }

  /**
   * The session of this id; null: there is none, or it has ended.
   * @param use false: only reads, which keeps no session alive
   */
  async find(id: string, { use = true } = {}): Promise<Session | null> {
    const found = await this.#find(id)
    if (found === null) return null
    if (use) this.#noteUse(id, found.row)
    return sessionOf(found.row, found.user, this.#clock.now().wallMs)
  }

  /**
   * Opens break, kill and the settings, under a new id. @returns null when the session has ended
   * @throws what `beforeSend` throws: no caller gets the new id, which is kept nowhere
   */
  async elevate(id: string, beforeSend = anyTime): Promise<Opened | null> {
    const found = await this.#find(id)
    if (found === null) return null
    const nowMs = this.#clock.now().wallMs
    beforeSend()
    const elevation = {
      elevatedUntilMs: Math.min(nowMs + elevationSeconds * 1000, found.row.endsAtMs),
      elevatedUnder: found.user.changeId ?? '',
    }
    const elevated = await this.#insert({ ...found.row, usedAtMs: nowMs, ...elevation }, found.user)
    if (await this.close(id, beforeSend)) return elevated
    // Signed out meanwhile: the person's session must not go on under another id.
    await this.close(elevated.id)
    return null
  }

  /**
   * Ends an elevation before its time. @throws StoreUnavailableError, StatementUnknownError: it may not be ended
   * @returns the version of the row that is not elevated, for the audit; null: the session has ended
   */
  async lower(id: string, beforeSend = anyTime): Promise<RowVersion | null> {
    const { rows } = this.#options
    const key = sessionIdHash(id)
    return untilAnswered(async () => {
      for (;;) {
        const found = await this.#find(id)
        if (found === null) return null
        const { version, elevatedUntilMs, endsAtMs: untilMs } = found.row
        // Lowered already, perhaps by a rewrite whose answer was lost: its version outdates the elevated row.
        if (elevatedUntilMs === null) return rows.changed({ table: 'sessions', key, version, untilMs })
        const lowered = { ...found.row, elevatedUntilMs: null, elevatedUnder: null }
        const mark = rows.next('sessions', { id_hash: key, ...sessionColumns(lowered) }, version)
        beforeSend()
        // The session was used in between, which is written at most once a minute: try again.
        if (!(await this.#rewrite(id, found.row, { ...lowered, ...mark }))) continue
        return rows.changed({ table: 'sessions', key, version: mark.version, untilMs })
      }
    })
  }

  /**
   * Ends a session. @throws StoreUnavailableError: it is not ended; StatementUnknownError: its row may be there yet, and counts
   * in this process no more
   * @returns false: it had ended before, for example by another request; true: this call ended it, or may have
   */
  async close(id: string, beforeSend = anyTime): Promise<boolean> {
    const { session, statements, rows, onEnd } = this.#options
    const noteEnd = () => {
      rows.changed(this.endedRow(id))
      onEnd?.(nameIn(id))
    }
    let tries = 0
    const isEnded = await untilAnswered(async () => {
      beforeSend()
      tries += 1
      const answer = await session.execute(statements.deleteSession, [sessionIdHash(id)])
      // After a lost answer, an earlier try may have deleted the row.
      return tries > 1 || answer.rows[0]?.['[applied]'] === true
    }).catch((thrown) => {
      // The row may be deleted: an old one must not count again when the writer's role puts it back.
      if (tries > 0 && isLeaseholdError(thrown, 'statement-unknown')) noteEnd()
      throw thrown
    })
    noteEnd()
    return isEnded
  }

  /** What the audit says of a session that has ended. */
  endedRow(id: string): RowVersion {
    return endedVersion(sessionIdHash(id), this.#clock.now().wallMs)
  }

  /** For the recovery: the version that a session has now, which outdates those before it. @param key the hash of its id */
  async versionNow(key: string): Promise<RowVersion> {
    const { session, statements, rows } = this.#options
    const read = async () => {
      const answer = await session.execute(statements.confirmSession, [key])
      return answer.rows[0] === undefined ? null : readSession(key, answer.rows[0])
    }
    const row = await rows.counted(await read(), read)
    if (row === null) return endedVersion(key, this.#clock.now().wallMs)
    return { table: 'sessions', key, version: row.version, untilMs: row.endsAtMs }
  }

  /** Ends every session of a user. @returns what an entry records of it */
  closeAll(username: string, beforeSend = anyTime): Promise<readonly RowVersion[]> {
    return this.#options.users.endSessions(username, beforeSend)
  }

  /** Resolves when no write of a use is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#rewriting.values())
  }

  async #find(id: string): Promise<Found | null> {
    const { users } = this.#options
    const username = nameIn(id)
    if (username === '') return null
    const key = sessionIdHash(id)
    const read = async () => {
      const row = await this.#reads.read(key)
      return row === undefined ? null : readSession(key, row)
    }
    const [stored, user] = await Promise.all([read(), users.find(username)])
    if (stored === null || user === null || user.disabled) return null
    const row = await this.#options.rows.counted(stored, read)
    if (row === null) return null
    const nowMs = this.#clock.now().wallMs
    const isOver = nowMs >= row.endsAtMs || nowMs >= row.usedAtMs + idleLimitSeconds * 1000
    return isOver || row.username !== username || row.epoch !== user.epoch ? null : { row, user }
  }

  async #insert(open: OpenSession, user: UserRow): Promise<Opened> {
    const id = newSessionId(open.username)
    const { session, statements, rows } = this.#options
    const key = sessionIdHash(id)
    const mark = rows.next('sessions', { id_hash: key, ...sessionColumns(open) })
    const values = [key, ...sessionValues({ ...open, ...mark }), this.#ttlSeconds(open)]
    await session.execute(statements.insertSession, values)
    return { id, session: sessionOf(open, user, this.#clock.now().wallMs) }
  }

  /** In the background: the write of a session's use must neither delay nor fail the request. */
  #noteUse(id: string, row: SessionRow): void {
    const nowMs = this.#clock.now().wallMs
    const key = sessionIdHash(id)
    if (nowMs - row.usedAtMs < rewriteAfterMs || this.#rewriting.has(key)) return
    const used = { ...row, usedAtMs: nowMs }
    const seal = this.#options.rows.again('sessions', row.version, { id_hash: key, ...sessionColumns(used) })
    const writing = this.#rewrite(id, row, { ...used, seal })
      .then(() => {})
      .catch((error) => this.#options.log.warn({ error }, 'that a session was used could not be written'))
      .finally(() => this.#rewriting.delete(key))
    this.#rewriting.set(key, writing)
  }

  /** @returns false when the row is not as it was read any more */
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
  #ttlSeconds({ endsAtMs }: Pick<SessionRow, 'endsAtMs'>): number {
    const leftSeconds = Math.ceil((endsAtMs - this.#clock.now().wallMs) / 1000)
    return Math.max(1, Math.min(idleLimitSeconds, leftSeconds))
  }
}

/** The longest time that a session can live from now. */
const endedVersion = (key: string, nowMs: number): RowVersion => ({
  table: 'sessions',
  key,
  version: null,
  untilMs: nowMs + absoluteLimitSeconds * 1000,
})

const answerTries = 3

/** Tries again after a lost answer, for what may be done twice: ending a session, or its elevation. */
async function untilAnswered<T>(end: () => Promise<T>): Promise<T> {
  let firstUnknown: unknown
  for (let tried = 1; ; tried++) {
    try {
      return await end()
    } catch (thrown) {
      // An earlier try may have taken effect, even if this one fails.
      if (!isLeaseholdError(thrown, 'statement-unknown')) throw firstUnknown ?? thrown
      if (tried === answerTries) throw thrown
      firstUnknown = thrown
    }
  }
}
