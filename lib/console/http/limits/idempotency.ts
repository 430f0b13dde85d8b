/**
 * `Idempotency-Key`: a POST that is sent again under its key is not carried out again.
 *
 * 1. A row is claimed for the key, by a conditional insert that names this attempt.
 * 2. Somebody else's: the answer that is kept there is given again; without one, the request is under way (409). Another
 *    request under the same key is refused (422).
 * 3. Ours: the request is carried out, and what it answered is kept for a day. A request that failed keeps nothing, so
 *    that it may be tried again under its key.
 *
 * Guarantees: of any number of requests under one key, one at a time is carried out, and none after one that succeeded
 * and could keep its answer.
 * Does not guarantee: once and only once. A server that dies, or loses Cassandra, between the act and its keeping
 * leaves a claim that lapses after three minutes; then the same request is carried out anew.
 * Assumes: that no request takes longer than the claim lives: the longest wait and the longest pursuit together do not.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { CassandraSession } from 'leasehold/cassandra'
import { isLeaseholdError, StoreUnavailableError } from 'leasehold/lease'
import type { ConsoleStatements } from '../../store/statements.ts'
import { HttpProblem } from '../http-problem.ts'
import type { Log } from '../log/log.ts'
import type { Reply } from '../router.ts'

const claimSeconds = 180
const keptSeconds = 24 * 60 * 60

export interface KeyedRequest {
  key: string
  /** Whose key it is: nobody gets another's answers. */
  sender: string
  /** The route, the path's parameters, the query and the body: what makes it the same request. */
  request: unknown
}

const hash = (...parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

export class Idempotency {
  readonly #session: CassandraSession
  readonly #statements: ConsoleStatements
  readonly #log: Log

  constructor(session: CassandraSession, statements: ConsoleStatements, log: Log) {
    this.#session = session
    this.#statements = statements
    this.#log = log
  }

  /** @param again makes the answer to a repetition from the one that was kept */
  async once(
    { key, sender, request }: KeyedRequest,
    act: () => Promise<Reply>,
    again: (kept: Reply) => Promise<Reply>,
  ): Promise<Reply> {
    const id = hash(sender, key)
    const requestHash = hash(JSON.stringify(request))
    const attempt = randomUUID()
    const found = await this.#claim(id, requestHash, attempt)
    if (found !== null) {
      const { headers, ...reply } = await again(replay(found, requestHash))
      return { ...reply, headers: { ...headers, 'Idempotency-Replayed': 'true' } }
    }
    let reply: Reply
    try {
      reply = await act()
    } catch (thrown) {
      await this.#keep(this.#statements.dropRequest, [id, attempt])
      throw thrown
    }
    const body = JSON.stringify(reply.body ?? null)
    await this.#keep(this.#statements.keepRequest, [
      keptSeconds,
      requestHash,
      reply.status,
      body,
      attempt,
      id,
      attempt,
    ])
    return reply
  }

  /** @returns null: it is ours. Else the row that is there. */
  async #claim(id: string, requestHash: string, attempt: string): Promise<Record<string, unknown> | null> {
    try {
      const { rows } = await this.#session.execute(this.#statements.claimRequest, [
        id,
        requestHash,
        attempt,
        claimSeconds,
      ])
      const row = rows[0]
      return row?.['[applied]'] === true || row?.attempt === attempt ? null : (row ?? {})
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'statement-unknown')) throw thrown
      // Seen at SERIAL, it is ours. Not seen, it may still come: then nothing was done, and the claim lapses by itself.
      const { rows } = await this.#session.execute(this.#statements.readRequest, [id])
      if (rows[0]?.attempt === attempt) return null
      if (rows[0] !== undefined) return rows[0]
      throw new StoreUnavailableError('The claim on the Idempotency-Key was not answered; nothing was done.')
    }
  }

  /** What cannot be kept does not change what was done. */
  async #keep(statement: ConsoleStatements['keepRequest'], values: unknown[]): Promise<void> {
    await this.#session
      .execute(statement, values)
      .catch((error) => this.#log.warn({ error }, 'the answer to an Idempotency-Key could not be kept'))
  }
}

function replay(row: Record<string, unknown>, requestHash: string): Reply {
  if (row.request_hash !== requestHash && row.request_hash != null)
    throw new HttpProblem(
      'idempotency-key-reused',
      'This Idempotency-Key was sent with another request; a new request needs a new key.',
    )
  if (typeof row.status !== 'number')
    throw new HttpProblem(
      'request-in-progress',
      'A request with this Idempotency-Key is being carried out; ask again for its answer.',
      {},
      { 'Retry-After': '1' },
    )
  const body: unknown = JSON.parse(String(row.body))
  return { status: row.status, ...(body !== null && { body }) }
}

/** The key of a request: the text of the header, with or without the quotes of a structured field. */
export function idempotencyKey(header: string | null): string | null {
  if (header === null) return null
  const key = header.trim().replace(/^"(.*)"$/, '$1')
  if (key === '' || key.length > 255)
    throw new HttpProblem('bad-request', 'The Idempotency-Key is empty or longer than 255 characters.')
  return key
}
