import type { z } from 'zod'
import { endpoints, type RouteId } from '../../contract/endpoints.ts'
import { fillPath } from '../../contract/path.ts'
import type { Routes } from '../../contract/routes.ts'
import { pageClock, pageNow } from '../time/page-clock.ts'
import { readAt, type ServerClock, serverTime, withReply, writtenAt } from '../time/server-clock.ts'
import { ApiError } from './api-error.ts'
import { patience } from './patience.ts'

/** For reads: a console that waits longer than this would show old rows as if they were true. */
const readTimeoutMs = 4000
/**
 * For writes: longer than the server takes to give up on Cassandra, so that its own answer arrives. An act's entry in
 * the audit log may take 40 s, and the act 20 s.
 */
const writeTimeoutMs = 65_000

/**
 * A browser has six connections to a server, and gives the next free one to what is most urgent. Reads come again and again: with the
 * priority that `fetch` has by itself, those of six windows kept a seventh from its scripts for as long as the server was slow.
 */
export const readPriority = 'low'

/** They show which of the two is silent, and must not wait behind the reads that Cassandra does not answer. */
const urgentReads: readonly RouteId[] = ['healthz', 'readyz']

/** For the script with the schemas, 60 kB: a slow telephone needs seconds for it. */
const schemasTimeoutMs = 10_000

type Part<I extends RouteId, K extends 'params' | 'query' | 'body'> = Routes[I] extends {
  [P in K]: infer S extends z.ZodType
}
  ? Record<string, never> extends z.input<S>
    ? { [P in K]?: z.input<S> }
    : { [P in K]: z.input<S> }
  : unknown

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** The parameters and the body of a route, by its schemas. */
type CallInput<I extends RouteId> = Part<I, 'params'> &
  Part<I, 'query'> &
  Part<I, 'body'> & {
    signal?: AbortSignal | undefined
    timeoutMs?: number
    /** Under a key of its own: a browser sends a request again when its connection breaks, and the server must not act twice. */
    once?: true
  }

/**
 * One of a route's answers, by status. `arrivedAtMs`, by the page's clock: its arrival; or, for an answer with the
 * server's time, an estimate of the moment at which it was written.
 */
export type Answer<I extends RouteId> = {
  [S in keyof Routes[I]['responses'] & number]: {
    status: S
    data: Parsed<Routes[I]['responses'][S]>
    arrivedAtMs: number
  }
}[keyof Routes[I]['responses'] & number]

export interface CallEvent {
  route: RouteId
  startedAtMs: number
  endedAtMs: number
  /** Absent: the answer was as the contract says. */
  error?: ApiError
}

let clock: ServerClock | null = null
const listeners = new Set<(event: CallEvent) => void>()
let actsUnderWay = 0
const awaitingActs = new Set<() => void>()

/** Waits until no act is under way: each call that is not a read has ended, and every `onCall` listener was called. */
export function actsEnd(): Promise<void> {
  return actsUnderWay === 0 ? Promise.resolve() : new Promise((done) => awaitingActs.add(done))
}

/** Epoch milliseconds by the server's clock; before its first answer, by this machine's. */
export const serverNow = (nowMs: number): number =>
  clock === null ? performance.timeOrigin + nowMs : serverTime(clock, nowMs)

/** When what came with this time of the server was read, by the page's clock; of `nowMs` at the latest. */
export const readAtServer = (now: string, nowMs: number): number => readAt(clock, now, nowMs)

/**
 * The server's time has come: `now` of an answer that was asked for at `startedAtMs` and arrived at `arrivedAtMs`.
 * @returns when the answer was written, by the page's clock, as near as can be known
 */
export function hearServer(now: string, startedAtMs: number, arrivedAtMs: number): number {
  // One that was written before a suspend may be read after it, and says nothing of the time now. The first one after it counts, whatever it
  // says: the wall clock may have been set.
  if (clock === null || !pageClock.wasSuspendedSince(startedAtMs))
    clock = withReply(
      clock !== null && pageClock.wasSuspendedSince(clock.atMs) ? null : clock,
      now,
      arrivedAtMs,
    )
  return writtenAt(clock, now, startedAtMs, arrivedAtMs)
}

/** Calls `listener` at the end of every call: so the page notices a silent server and the end of its session. */
export function onCall(listener: (event: CallEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Call a route of the API. Everything is derived from the contract's table: path, types, and the schema that the
 * answer has to satisfy.
 *
 * @throws {ApiError} for every problem, and when there is no answer. A caller's own abort is thrown as it is.
 * @example const { data } = await call('getLease', { params: { name: 'billing/invoice-run' } })
 */
export async function call<I extends RouteId>(route: I, input: CallInput<I>): Promise<Answer<I>> {
  const startedAtMs = pageNow()
  const isAct = endpoints[route].method !== 'GET'
  if (isAct) actsUnderWay++
  try {
    const { now, ...answer } = await send(route, input)
    if (now !== undefined) answer.arrivedAtMs = hearServer(now, startedAtMs, answer.arrivedAtMs)
    // An answer that came after a suspend may have been read from Cassandra before it.
    const endedAtMs = pageClock.wasSuspendedSince(startedAtMs) ? startedAtMs : pageNow()
    report({ route, startedAtMs, endedAtMs })
    return answer as Answer<I>
  } catch (error) {
    if (error instanceof ApiError) report({ route, startedAtMs, endedAtMs: pageNow(), error })
    throw error
  } finally {
    if (isAct) actEnded()
  }
}

function actEnded(): void {
  actsUnderWay--
  if (actsUnderWay > 0) return
  for (const go of awaitingActs) go()
  awaitingActs.clear()
}

function report(event: CallEvent): void {
  for (const listener of listeners) listener(event)
}

interface AnyInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal | undefined
  timeoutMs?: number
  once?: true
}

/** `randomUUID` is missing where the page does not come by https. */
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].join('-')

async function send(route: RouteId, input: AnyInput) {
  const { method, path } = endpoints[route]
  const isRead = method === 'GET'
  const parts = await schemas()
  input.signal?.throwIfAborted()
  const limit = patience(input.timeoutMs ?? (isRead ? readTimeoutMs : writeTimeoutMs))
  const signal = input.signal ? AbortSignal.any([input.signal, limit.signal]) : limit.signal
  let response: Response
  let arrivedAtMs: number
  let text: string
  try {
    const hasBody = parts.hasBody(route)
    const headers: Record<string, string> = { accept: 'application/json' }
    if (hasBody) headers['content-type'] = 'application/json'
    if (input.once) headers['idempotency-key'] = newKey()
    response = await fetch(fillPath(path, input.params) + queryString(input.query), {
      method,
      headers,
      body: hasBody ? JSON.stringify(input.body ?? {}) : null,
      cache: 'no-store',
      credentials: 'same-origin',
      priority: isRead && !urgentReads.includes(route) ? readPriority : 'auto',
      signal,
    })
    // Before the body is read and parsed: countdowns start from this moment.
    arrivedAtMs = pageNow()
    text = await response.text()
  } catch (cause) {
    if (input.signal?.aborted) throw cause
    throw new ApiError({ code: limit.signal.aborted ? 'server-timeout' : 'server-unreachable', cause })
  } finally {
    limit.end()
  }

  const { parseAnswer, parseProblem } = parts
  const { status } = response
  const json = parseJson(text)
  const parsed = parseAnswer(route, status, json)
  if (parsed.kind === 'answer') return { status, data: parsed.data, now: parsed.now, arrivedAtMs }
  if (parsed.kind === 'bad') throw new ApiError({ code: 'bad-answer', status, cause: parsed.cause })
  const said = parseProblem(json)
  const retryAfterMs = retryAfter(response.headers.get('retry-after'))
  throw 'problem' in said
    ? new ApiError({ status, code: said.problem.code, problem: said.problem, retryAfterMs })
    : new ApiError({ status, code: 'bad-answer', retryAfterMs, cause: said.cause })
}

const schemas = () => lateCode(import('./answers.ts'))

/**
 * Schemas, fetched once a page, under a limit of their own. Loading them does not count as waiting for an answer; but a
 * script that never comes also means a silent server.
 * @throws {ApiError} server-unreachable
 */
export async function lateCode<T>(code: Promise<T>): Promise<T> {
  const limit = patience(schemasTimeoutMs)
  const tooLate = new Promise<never>((_, fail) =>
    limit.signal.addEventListener('abort', () => fail(limit.signal.reason)),
  )
  try {
    return await Promise.race([code, tooLate])
  } catch (cause) {
    throw new ApiError({ code: 'server-unreachable', cause })
  } finally {
    limit.end()
  }
}

/** `Retry-After` in milliseconds. Only seconds are read: a date would need the wall clocks to agree. */
export function retryAfter(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header.trim()) ? Number(header) * 1000 : undefined
}

/** A query as a URL has it, with its question mark; nothing for one that says nothing. */
export function queryString(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
