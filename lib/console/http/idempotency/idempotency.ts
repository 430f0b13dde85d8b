/**
 * `Idempotency-Key`: a POST that is sent again under its key is not carried out again.
 *
 * 1. A row is claimed for the key, by a conditional insert that names this attempt.
 * 2. Another attempt's row is there: the answer that is kept in it is given again; without one, the request is under way (409). Another
 *    request under the same key is refused (422).
 * 3. Ours: the request is carried out, unless more than 30 s have passed since it was permitted (`ActWindow`): a process that was stopped
 *    could act under a claim that has lapsed. What the request answered is kept for a day. A request that failed keeps nothing, so that it
 *    may be tried again under its key.
 *
 * Guarantees: of any number of requests under one key, one at a time is carried out, and none after one that succeeded
 * and could keep its answer.
 * Does not guarantee: once and only once. A server that dies, or loses Cassandra, between the act and its keeping
 * leaves a claim that lapses after three minutes; then the same request is carried out again.
 * Assumes: that no request takes longer than what is left of its claim, 150 s, stops of the process included: the longest wait and the
 * longest pursuit together do not.
 */

import { createHash, randomUUID } from 'node:crypto'
import { isLeaseholdError, StoreUnavailableError } from 'leasehold/lease'
import { z } from 'zod'
import type { ActWindow } from '../act-window.ts'
import type { Reply } from '../handler.ts'
import { HttpProblem } from '../http-problem.ts'
import type { Log } from '../log/log.ts'

const claimSeconds = 180
const keptSeconds = 24 * 60 * 60

interface KeyedRequest {
  key: string
  /** The sender that the key belongs to: no other sender gets its answers. */
  sender: string
  /** The route, the path's parameters, the query and the body: what makes it the same request. */
  request: unknown
  /** Opened before the claim is sent: the claim is no older. */
  window: ActWindow
  /** For the log. */
  requestId: string
}

/** Where claims and answers are kept. Each write is conditional, and each read is SERIAL. */
export interface AnswerStore {
  /** @returns the row: the new one of this attempt, or the one that is there. @throws StatementUnknownError, StoreUnavailableError */
  claim(id: string, requestHash: string, attempt: string, ttlSeconds: number): Promise<AnswerRow>
  read(id: string): Promise<AnswerRow | null>
  /** Keeps an answer in the row of this attempt. @returns false: this attempt has no row any more */
  keep(id: string, attempt: string, answer: KeptAnswer, ttlSeconds: number): Promise<boolean>
  /** Removes the row of this attempt. @returns false: this attempt has no row any more */
  drop(id: string, attempt: string): Promise<boolean>
}

export interface AnswerRow {
  attempt: string | null
  requestHash: string | null
  /** null: the request is being carried out. */
  status: number | null
  body: string | null
}

export interface KeptAnswer {
  requestHash: string
  status: number
  body: string
}

const hash = (...parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

export class Idempotency {
  readonly #store: AnswerStore
  readonly #log: Log

  constructor(store: AnswerStore, log: Log) {
    this.#store = store
    this.#log = log
  }

  /**
   * @param again makes the answer to a repetition from the one that was kept
   * @throws HttpProblem too-late: nothing was done; idempotency-key-reused, request-in-progress; StoreUnavailableError; else what `act` throws
   */
  async once(
    { key, sender, request, window, requestId }: KeyedRequest,
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
      window.throwIfOver()
      reply = await act()
    } catch (thrown) {
      await this.#kept(requestId, this.#store.drop(id, attempt))
      throw thrown
    }
    const { status, body, kept = body } = reply
    const answer = { requestHash, status, body: JSON.stringify(kept ?? null) }
    await this.#kept(requestId, this.#store.keep(id, attempt, answer, keptSeconds))
    return reply
  }

  /** @returns null: the key was free, and is this attempt's now. Else the row that is there. */
  async #claim(id: string, requestHash: string, attempt: string): Promise<AnswerRow | null> {
    try {
      const row = await this.#store.claim(id, requestHash, attempt, claimSeconds)
      return row.attempt === attempt ? null : row
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'statement-unknown')) throw thrown
      // A SERIAL read that shows this attempt proves the claim. One that does not show it proves nothing: the claim may
      // still land. Nothing was done, and the claim lapses by itself.
      const row = await this.#store.read(id)
      if (row?.attempt === attempt) return null
      if (row !== null) return row
      throw new StoreUnavailableError('The claim on the Idempotency-Key was not answered; nothing was done.')
    }
  }

  /** An answer that cannot be kept does not change what was done. */
  async #kept(requestId: string, write: Promise<boolean>): Promise<void> {
    try {
      const applied = await write
      if (!applied)
        this.#log.warn({ requestId }, 'the claim on an Idempotency-Key lapsed before its request ended')
    } catch (error) {
      this.#log.warn({ requestId, error }, 'the answer to an Idempotency-Key could not be kept')
    }
  }
}

function replay({ requestHash, status, body }: AnswerRow, wanted: string): Reply {
  if (requestHash !== wanted && requestHash !== null)
    throw new HttpProblem(
      'idempotency-key-reused',
      'This Idempotency-Key was sent with another request. Use a new key for a new request.',
    )
  if (status === null)
    throw new HttpProblem(
      'request-in-progress',
      'A request with this Idempotency-Key is still running. Send it again for its answer.',
      {},
      { 'Retry-After': '1' },
    )
  const kept = keptSchema.safeParse({ status, body })
  if (!kept.success)
    throw new HttpProblem(
      'outcome-unknown',
      'The answer that was kept under this Idempotency-Key cannot be read: another client of Cassandra changed it. Look whether the request took effect; send it again under a new key if it did not.',
    )
  return { status: kept.data.status, body: kept.data.body ?? undefined }
}

/** An answer as `once` keeps it: the request had succeeded. */
const keptSchema = z.object({
  status: z.int().min(200).max(299),
  body: z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'no JSON' })
      return z.NEVER
    }
  }),
})

/** The key of a request: the text of the header, with or without the quotes of a structured field. */
export function idempotencyKey(header: string | null): string | null {
  if (header === null) return null
  const key = header.trim().replace(/^"(.*)"$/, '$1')
  if (key === '' || key.length > 255)
    throw new HttpProblem('bad-request', 'The Idempotency-Key is empty or longer than 255 characters.')
  return key
}
