/**
 * Requests that wait are ended when their sender loses the permission: a role was changed, a user was disabled or signed
 * out, a token was revoked.
 *
 * Guarantees: a change by this process is seen at once; a change by another one within 2 s, while Cassandra answers. All
 * senders are looked up in one round, so that many are read by one statement. The clock alone times the rounds. A round leaves
 * out each session or token whose look-up of a round before has not ended: a slow look-up holds up its own sender alone. One
 * look-up serves all waiting requests of a session or token. Of one person, over all sessions, or of one token 200 requests wait
 * at most, for 100 different names at most: each name costs Cassandra about one read a second.
 * Does not guarantee: anything while Cassandra does not answer. Requests then wait on, and their sender is looked up again
 * before anything is done for them.
 */
import type { Timer } from 'leasehold/time'
import type { Session } from '../../../contract/people/session.ts'
import { HttpProblem } from '../http-problem.ts'
import type { Log } from '../log/log.ts'
import { tooManyRequests } from './request-limits.ts'
import { senderKey } from './sender-key.ts'

/** Below 2 s by as much as a read may take. */
const lookEveryMs = 1_500
/** Requests of one person or one token that may wait at the same time. */
const waitingMax = 200
/** Different names that requests of one person or one token wait for, at the same time. */
export const namesMax = 100

interface Waiting {
  /** The name that it waits for. */
  name: string
  /** @throws HttpProblem when a request of this session may not go on */
  permit(session: Session): void
  abort: AbortController
}

interface Identity {
  username: string
  /** The person in all sessions, or the token: sender-key.ts. */
  whose: string
  /** @throws HttpProblem when the session or token is not valid any more */
  identify(): Promise<Session>
  waiting: Set<Waiting>
}

/** A request that waits: its signal aborts with the problem to answer with. */
interface OpenRequest extends Disposable {
  signal: AbortSignal
}

/** How many there may be of one person or one token, and what to say of more. */
interface OpenLimits {
  /** Requests at the same time. */
  readonly requests: number
  /** Different names that they are for. */
  readonly names: number
  /** A request as a person calls it, in the plural. */
  readonly what: string
}

const waits: OpenLimits = { requests: waitingMax, names: namesMax, what: 'waiting requests' }
/** Answers that come over time. A browser with a tab for each of them has six connections. */
export const streams: OpenLimits = {
  requests: 20,
  names: Number.POSITIVE_INFINITY,
  what: 'streams',
}

export class OpenRequests {
  readonly #timer: Timer
  readonly #log: Log
  readonly #limits: OpenLimits
  readonly #identities = new Map<string, Identity>()
  /** Ends the wait for the next round; null: none is awaited. */
  #cancel: (() => void) | null = null
  /** Credentials whose look-up by a round is under way, also after their last request left. */
  readonly #looking = new Set<string>()

  constructor(timer: Timer, log: Log, limits: OpenLimits = waits) {
    this.#timer = timer
    this.#log = log
    this.#limits = limits
  }

  /** How many sessions and tokens have requests that wait. */
  get identities(): number {
    return this.#identities.size
  }

  /** How many requests wait. */
  get waiting(): number {
    let count = 0
    for (const { waiting } of this.#identities.values()) count += waiting.size
    return count
  }

  /**
   * @param credential the session id or the token: what requests of one identity have in common
   * @param session the sender as of now
   * @param name what it waits for, with its table
   * @throws HttpProblem too-many-requests
   */
  open(
    credential: string,
    session: Session,
    name: string,
    identify: Identity['identify'],
    permit: Waiting['permit'],
  ): OpenRequest {
    const { username } = session
    const who = session.via === 'token' ? `The token ${username}` : username
    const whose = senderKey(session, credential)
    const { count, names } = this.#waitingOf(whose)
    const { requests, names: namesMost, what } = this.#limits
    if (names.size >= namesMost && !names.has(name))
      throw tooManyRequests(
        `${who} has ${what} for ${namesMost} different names open already, and may have no more at the same time. End some of them first.`,
        1_000,
      )
    if (count >= requests)
      throw tooManyRequests(
        `${who} has ${requests} ${what} open already, and may have no more at the same time. End some of them first.`,
        1_000,
      )
    let identity = this.#identities.get(credential)
    if (identity === undefined) {
      identity = { username, whose, identify, waiting: new Set() }
      this.#identities.set(credential, identity)
      this.#lookLater()
    }
    const { waiting } = identity
    const request: Waiting = { name, permit, abort: new AbortController() }
    waiting.add(request)
    return {
      signal: request.abort.signal,
      [Symbol.dispose]: () => {
        waiting.delete(request)
        if (waiting.size > 0 || this.#identities.get(credential)?.waiting !== waiting) return
        this.#identities.delete(credential)
        if (this.#identities.size > 0) return
        this.#cancel?.()
        this.#cancel = null
      },
    }
  }

  /** This process changed this person, or the program of this name. */
  changed(username: string): void {
    for (const identity of this.#identities.values())
      if (identity.username === username) void this.#look(identity).catch(this.#notFoundOut)
  }

  #waitingOf(whose: string): { count: number; names: Set<string> } {
    const names = new Set<string>()
    let count = 0
    for (const identity of this.#identities.values()) {
      if (identity.whose !== whose) continue
      count += identity.waiting.size
      for (const { name } of identity.waiting) names.add(name)
    }
    return { count, names }
  }

  /** Begins the next round after its time, if there is anything to look up. */
  #lookLater(): void {
    if (this.#cancel !== null || this.#identities.size === 0) return
    this.#cancel = this.#timer.after(lookEveryMs, () => {
      this.#cancel = null
      this.#lookRound()
      this.#lookLater()
    })
  }

  #lookRound(): void {
    let isNoted = false
    for (const [credential, identity] of this.#identities) {
      if (this.#looking.has(credential)) continue
      this.#looking.add(credential)
      void this.#look(identity)
        .catch((error) => {
          // Of a round, one failure is logged: in an outage each look-up fails.
          if (!isNoted) this.#notFoundOut(error)
          isNoted = true
        })
        .finally(() => this.#looking.delete(credential))
    }
  }

  readonly #notFoundOut = (error: unknown): void =>
    this.#log.warn(
      { error },
      'sessions and tokens of open streams and waiting requests could not be looked up: they stay open, also if one of them has been ended, until Cassandra answers',
    )

  /** @throws what is no refusal */
  async #look(identity: Identity): Promise<void> {
    const end = ({ abort }: Waiting, problem: HttpProblem) => abort.abort(problem)
    try {
      const session = await identity.identify()
      for (const waiting of identity.waiting)
        try {
          waiting.permit(session)
        } catch (thrown) {
          end(waiting, thrown as HttpProblem)
        }
    } catch (thrown) {
      if (!(thrown instanceof HttpProblem)) throw thrown
      for (const waiting of identity.waiting) end(waiting, thrown)
    }
  }
}
