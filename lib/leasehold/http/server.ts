/**
 * A client of a Leasehold server's REST API `/v1`: one request, one answer, and the errors of the lease protocol.
 *
 * Guarantees: a request is sent once; nothing here retries. A write throws `StoreUnavailableError` only when the server
 * surely did not carry it out: there was no connection, or the server says so. Redirects are not followed: the token
 * and the write reach the given URL only.
 * Does not guarantee: that a proxy on the way is honest. A write whose answer does not look like a Leasehold server's is
 * unknown: the proxy may have passed it on. A read ends in an error that names the status.
 */
import {
  InvalidArgumentError,
  StatementUnknownError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../lease/index.ts'
import { systemTimer, type Timer } from '../time/index.ts'
import { fields, type Json, problemOf } from './json.ts'

export interface ServerOptions {
  /** The server's URL; `/v1` is appended to its path. */
  url: URL | string
  /** An API token, sent as a bearer token. */
  token?: string | undefined
  timer?: Timer | undefined
  fetch?: typeof fetch | undefined
}

export interface ServerRequest {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Parts of the path after `/v1`, unencoded. */
  path: readonly string[]
  query?: Record<string, string | undefined>
  body?: unknown
  headers?: Record<string, string> | undefined
  timeoutMs: number
}

export interface ServerAnswer {
  readonly status: number
  /** The body's fields; none unless the body is a JSON object. */
  readonly body: Json
  /** The `code` of the problem (RFC 9457) in a Leasehold answer. */
  readonly code: string | null
  /** The server lost an answer of Cassandra on the way to this one: `Release-Certain: false`. */
  readonly isUncertain: boolean
  /** Every answer of a Leasehold server has a request id: without a body, that is all to know it by. */
  readonly hasRequestId: boolean
}

/** Errors before there is a connection, by their codes: nothing was sent. */
const notSent = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** The same by their system calls: EHOSTUNREACH, say, also ends a read on a connection that has carried the request. */
const beforeConnection = new Set(['connect', 'getaddrinfo'])

interface FetchCause {
  readonly code?: string
  readonly syscall?: string
  readonly message?: string
  /** One for each address of the host. */
  readonly errors?: readonly FetchCause[]
}

/** Problems of a request that was not carried out. */
const notDone = new Set(['request-in-progress', 'body-too-slow', 'too-late', 'audit-unavailable'])

/**
 * @example
 * const server = new LeaseholdServer({ url: 'https://leasehold.example', token: process.env.LEASEHOLD_API_TOKEN })
 * const leases = new Leases({ store: new HttpLeaseStore(server) })
 */
export class LeaseholdServer {
  readonly host: string
  readonly #base: string
  readonly #headers: Record<string, string>
  readonly #sendsToken: boolean
  readonly #timer: Timer
  readonly #fetch: typeof fetch

  constructor({ url, token, timer = systemTimer, fetch: send = fetch }: ServerOptions) {
    const base = new URL(url)
    this.host = base.host
    this.#base = `${base.origin}${base.pathname.replace(/\/+$/, '')}/v1`
    this.#headers = { Accept: 'application/json, application/problem+json' }
    if (token !== undefined) this.#headers.Authorization = `Bearer ${token}`
    this.#sendsToken = token !== undefined
    this.#timer = timer
    this.#fetch = send
  }

  /**
   * @throws StoreUnavailableError when nothing was sent, or a read failed; StatementUnknownError when a write failed
   */
  async ask(request: ServerRequest): Promise<ServerAnswer> {
    const { method, body, headers, timeoutMs } = request
    const giveUp = new AbortController()
    const answered = new AbortController()
    void this.#timer.sleep(timeoutMs, answered.signal).then(() => giveUp.abort())
    try {
      const usual = { ...this.#headers }
      if (body !== undefined) usual['Content-Type'] = 'application/json'
      const init: RequestInit = {
        method,
        redirect: 'manual',
        signal: giveUp.signal,
        headers: { ...usual, ...headers },
      }
      if (body !== undefined) init.body = JSON.stringify(body)
      const response = await this.#fetch(this.#url(request), init)
      const json = fields(await response.text())
      return {
        status: response.status,
        body: json,
        code: problemOf(response, json),
        isUncertain: response.headers.get('Release-Certain') === 'false',
        hasRequestId: response.headers.has('X-Request-Id'),
      }
    } catch (thrown) {
      throw this.#noAnswer(method, thrown, giveUp.signal.aborted)
    } finally {
      answered.abort()
    }
  }

  /** The error for an unexpected answer. The only table of its kind. */
  refusal(method: ServerRequest['method'], { status, body, code }: ServerAnswer): Error {
    if (code === null) return this.#foreign(method, status)
    const says = typeof body.detail === 'string' ? body.detail : null
    const sentence = `The server ${this.host} answers ${status}${says === null ? ' and no more.' : `: ${says}`}`
    if (code === 'cassandra-unavailable' || code === 'not-ready')
      return new StoreUnavailableError(says ?? sentence)
    if (code === 'cassandra-refused' || code === 'canary-failed')
      return new StoreRefusedError(says ?? sentence, { problem: code })
    // Nothing was done: the same may be sent again.
    if (notDone.has(code)) return new StoreUnavailableError(says ?? sentence)
    if (status === 400 || status === 413 || status === 422) return new InvalidArgumentError(says ?? sentence)
    if (status === 429) return new StoreUnavailableError(sentence)
    if (code === 'unauthenticated')
      return new StoreRefusedError(
        this.#sendsToken
          ? `The server ${this.host} refuses the API token: it is not valid, or was revoked.`
          : `The server ${this.host} asks for an API token, and none was sent.`,
        { problem: code },
      )
    if (status >= 300 && status < 500) return new StoreRefusedError(sentence, { problem: code })
    return method === 'GET'
      ? new StoreUnavailableError(sentence)
      : new StatementUnknownError(says ?? sentence, 'never')
  }

  /** A proxy's answer, or another program's at a wrong URL. A write may have been passed on before it. */
  #foreign(method: ServerRequest['method'], status: number): Error {
    const sentence = `The answer ${status} of ${this.host} did not come from a Leasehold server. Check the URL, and any proxy on the way.`
    if (method !== 'GET') return new StatementUnknownError(sentence, 'never')
    const passes = status < 300 || status === 408 || status === 429 || status >= 500
    return passes ? new StoreUnavailableError(sentence) : new StoreRefusedError(sentence)
  }

  #url({ path, query = {} }: ServerRequest): string {
    const encoded = path.map((part) => {
      // A URL parser takes dots alone for a step in the path, even when they are encoded.
      if (part === '.' || part === '..')
        throw new InvalidArgumentError(`${JSON.stringify(part)} cannot be part of a URL's path.`)
      return encodeURIComponent(part)
    })
    const search = new URLSearchParams()
    for (const [key, text] of Object.entries(query)) if (text !== undefined) search.set(key, text)
    return `${this.#base}/${encoded.join('/')}${search.size === 0 ? '' : `?${search}`}`
  }

  #noAnswer(method: ServerRequest['method'], thrown: unknown, gaveUp: boolean): Error {
    if (thrown instanceof InvalidArgumentError) return thrown
    const { cause } = thrown as { cause?: FetchCause }
    const code = cause?.code ?? cause?.errors?.[0]?.code
    const why = gaveUp ? 'it did not answer in time' : (code ?? cause?.message ?? (thrown as Error).message)
    if (cause?.message === 'bad port')
      return new InvalidArgumentError(
        `fetch blocks requests to the port of the server ${this.host}. Run the server on another port.`,
      )
    if (wasNotSent(cause ?? {}))
      return new StoreUnavailableError(`The server ${this.host} cannot be reached (${why}).`, {
        cause: thrown,
      })
    return method === 'GET'
      ? new StoreUnavailableError(`The server ${this.host} gives no answer (${why}).`, { cause: thrown })
      : new StatementUnknownError(`No answer came from the server ${this.host} (${why}).`, 'never', {
          cause: thrown,
        })
  }
}

function wasNotSent(cause: FetchCause): boolean {
  const causes = cause.errors?.length ? cause.errors : [cause]
  return causes.every(({ code = '', syscall = '' }) => notSent.has(code) || beforeConnection.has(syscall))
}
