import type { z } from 'zod'
import type { RouteId } from '../../contract/endpoints.ts'
import type { Session } from '../../contract/people/session.ts'
import type { Route, Routes } from '../../contract/routes.ts'
import type { ActWindow } from './act-window.ts'
import type { AnswerStream } from './adapters/api-request.ts'

type Parsed<R extends Route, Part extends 'params' | 'query' | 'body'> = R extends {
  [P in Part]: infer S extends z.ZodType
}
  ? z.output<S>
  : undefined

/** A parsed and permitted request. */
export interface Input<R extends Route> {
  params: Parsed<R, 'params'>
  query: Parsed<R, 'query'>
  body: Parsed<R, 'body'>
  /** null on public routes alone. */
  session: R['permission'] extends { people: 'anybody' } ? null : Session
  /** What limits count the sender by (limits/sender-key.ts). null on public routes alone. */
  senderKey: R['permission'] extends { people: 'anybody' } ? null : string
  /** The session id of the cookie, where there is one. */
  sessionId: string | null
  /** The whole Cookie header, for handlers with a cookie of their own. */
  cookieHeader: string | null
  /** The request's name in its answer, in the log and in the audit. */
  requestId: string
  /** The sender's address, as far as it is known: client-address.ts. */
  address: string | null
  /** `Last-Event-ID`: after which event a reader goes on that comes back. */
  lastEventId: string | null
  /** Aborted when the client has closed its connection. */
  signal: AbortSignal
  /** The time in which the request may act. It began when the sender was permitted. */
  window: ActWindow
  /**
   * To be called before acting after a wait; the window begins again.
   * @returns the session as it is now: the role and the elevation may have changed. Whatever is done from here on takes this one
   * @throws HttpProblem when the sender has lost its permission meanwhile
   */
  stillAllowed(): Promise<this['session']>
}

export interface Reply {
  status: number
  body?: unknown
  /** What an Idempotency-Key keeps instead of the body, where the body has a secret. */
  kept?: unknown
  /** The body as JSON text, or that text in UTF-8, where a handler keeps it; instead of `body`. With a `Content-Type` of its own, any text. */
  json?: string | Uint8Array<ArrayBuffer>
  /** The body as text that comes over time; instead of `body`. Its `Content-Type` is among the headers. */
  stream?: AnswerStream
  headers?: Record<string, string>
  /** `Set-Cookie`, one each. */
  cookies?: readonly string[]
}

/** A request whose sender is being identified while the handler reads. */
export type Unidentified<R extends Route> = Omit<
  Input<R>,
  'session' | 'senderKey' | 'body' | 'window' | 'stillAllowed'
>

/** A handler that reads alone, and answers each sender that may ask the same. */
export type ReadHandler<R extends Route, S> = (input: Unidentified<R>, services: S) => Promise<Reply>

/** A room's handler of a route. `S`: the services that the handler needs; start/ passes them in. */
export type Handler<R extends Route, S> = (input: Input<R>, services: S) => Promise<Reply>

/** One handler for every route of the contract, with its services bound. */
export type Handlers = { [K in RouteId]: (input: Input<Routes[K]>) => Promise<Reply> }

/** The handlers that may begin while the sender of a request is being identified. */
export type Reads = { [K in RouteId]?: (input: Unidentified<Routes[K]>) => Promise<Reply> }

/**
 * How a route brings an answer up to date that was kept under an Idempotency-Key; a route without an entry repeats it
 * as it was.
 */
export type Repeats = { [K in RouteId]?: (kept: Reply, input: Input<Routes[K]>) => Promise<Reply> }
