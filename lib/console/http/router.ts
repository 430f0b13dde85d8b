/**
 * Answers requests to the API, in these steps, each of them once:
 *
 * 1. limits: how many requests this sender may make (limits/request-limits.ts)
 * 2. match: the route of the contract (match.ts)
 * 3. origin: a request that a page of another site made a browser send is refused (request-origin.ts)
 * 4. identify and permit: the sender, and whether it may use this route (authorise.ts)
 * 5. parse: path, query and body by the contract's schemas (parse.ts, json-body.ts)
 * 6. once: a POST that comes again under its Idempotency-Key (idempotency/idempotency.ts)
 * 7. handle: the room's handler; one that waits is ended when its sender loses its permission (handling.ts)
 *
 * Whatever a step throws becomes a problem (http-problem.ts). Every answer ends in the access log, and in the metrics.
 */

import type { Session } from '../../contract/people/session.ts'
import type { Route } from '../../contract/routes.ts'
import { ActWindow } from './act-window.ts'
import type { Answer, AnswerStream, ApiRequest } from './adapters/api-request.ts'
import { toResponse } from './adapters/web.ts'
import type { Api } from './api.ts'
import { bearerOf, identify, permit, scopedTo } from './authorise.ts'
import type { Input, Reply, Unidentified } from './handler.ts'
import { closing, credentialOf, type Exchange, handle, type Target, waitMsOf } from './handling.ts'
import { HttpProblem, problemAnswer, problemOf } from './http-problem.ts'
import { idempotencyKey } from './idempotency/idempotency.ts'
import { clientAddress } from './limits/client-address.ts'
import { senderKey } from './limits/sender-key.ts'
import { type Access, logAccess } from './log/access-log.ts'
import { requestIdOf } from './log/request-id.ts'
import { sessionIdIn } from './request/cookie.ts'
import { readJsonBody } from './request/json-body.ts'
import { addressOf, match } from './request/match.ts'
import { parse, refuseRepeated } from './request/parse.ts'
import { checkOrigin } from './request/request-origin.ts'

/** The permission is checked again before a handler acts, if reading the body took longer than this. */
const bodyAtOnceMs = 250

/**
 * Answers one request of a host that speaks the web's types. Never throws.
 * @example const response = await serve(new Request('http://localhost:3000/v1/leases'), api)
 */
export const serve = async (request: Request, api: Api): Promise<Response> =>
  toResponse(await respond(request, api))

/** Answers one request to the API. Never throws. */
export async function respond(request: ApiRequest, api: Api): Promise<Answer> {
  const startedMs = performance.now()
  const requestId = requestIdOf(request.headers)
  const bearer = bearerOf(request)
  const access: Access = {
    requestId,
    method: request.method,
    address: clientAddress(request, api.config),
    route: null,
    params: {},
    table: null,
    session: null,
    withToken: bearer !== null,
    waits: false,
    streams: false,
  }
  const sessionId = sessionIdIn(request.headers.get('cookie'), api.config.publicUrl)
  const exchange = { request, requestId, access, credentials: { bearer, sessionId } }
  const answered = await answer(exchange, api).catch((thrown) => {
    const problem = problemOf(thrown, api, { where: access.route ?? 'no route', requestId })
    api.noteRefusal(access, requestId, problem)
    return problemAnswer(problem, requestId)
  })
  const log = () => {
    const ms = performance.now() - startedMs
    logAccess(api.requestLog, access, { status: answered.status, ms })
    // A stream lasts for as long as its viewer looks: that is no slow request.
    const waits = access.waits || answered.stream !== undefined
    api.meter?.answered({ ...access, waits }, answered.status, ms)
  }
  const { stream } = answered
  if (stream !== undefined) return { ...answered, stream: closing(stream, log) }
  log()
  return answered
}

async function answer(exchange: Exchange, api: Api): Promise<Answer> {
  const { request, access, credentials } = exchange
  const device = () => api.devices.known(request.headers.get('cookie'))
  await api.requestLimits.take(credentialOf(credentials), access.address, device)
  const { pathname, query } = addressOf(request.url)
  const found = match(request.method, pathname)
  if (found.kind === 'options') return { status: 204, headers: { Allow: found.allow }, text: null }
  const { id, route, params } = found
  access.route = id
  access.params = params
  access.table = query.get('table')
  // A HEAD is answered at once: its answer has no body to wait for.
  if (request.method === 'HEAD') query.delete('wait')
  access.waits = waitMsOf(query) > 0
  access.streams = route.events !== undefined && request.method === 'GET'
  if (route.isCostly === true)
    await api.requestLimits.takeCostly(credentialOf(credentials), access.address, device)
  if (credentials.bearer === null || credentials.sessionId !== null) {
    const mayAct = credentials.sessionId !== null || route.permission.people === 'anybody'
    checkOrigin(request, api.config, { mayAct })
  }
  refuseRepeated(query)
  const target: Target = { id, route, params, query, scoped: scopedTo(route, params, query) }
  const reading = readBeside(exchange, target, api)
  if (reading !== null) return answerOf(request, await reading)
  const input = await inputOf(exchange, target, api)
  return answerOf(request, await once(exchange, target, input, api))
}

/** The sender, if it may use the route. @throws HttpProblem unauthenticated, forbidden, elevation-needed */
async function authorised({ access, credentials }: Exchange, target: Target, api: Api): Promise<Session> {
  const { permission } = target.route
  const isScraper = () => 'scraper' in permission && api.scraper?.is(credentials.bearer ?? '') === true
  const session = await api.requestLimits.proving(credentialOf(credentials), async () =>
    isScraper() ? scraperSession : identify(credentials, api),
  )
  access.session = session
  permit(permission, session, api.clock, target.scoped)
  return session
}

/** Of LEASEHOLD_METRICS_TOKEN: like a viewer's token for all names. It is looked up nowhere: an outage is when metrics count. */
const scraperSession: Session = {
  username: 'metrics',
  role: 'client',
  via: 'token',
  elevatedUntil: null,
  expiresAt: null,
  scope: { role: 'viewer', prefixes: [''], tables: ['*'] },
}

/**
 * Reads while the sender is being identified, if the sender was identified before: strangers cost no read. A sender
 * that may no longer use the route gets the refusal, and nothing of what was read. null: this request takes its turn.
 */
function readBeside(exchange: Exchange, target: Target, api: Api): Promise<Reply> | null {
  const handler = api.reads[target.id] as ((input: Unidentified<Route>) => Promise<Reply>) | undefined
  const credential = credentialOf(exchange.credentials)
  if (handler === undefined || waitMsOf(target.query) > 0 || !api.requestLimits.isProven(credential))
    return null
  const identified = authorised(exchange, target, api)
  const reading = (async () => handler(unidentified(exchange, target)))()
  // The result is used only after the sender is known.
  reading.catch(() => {})
  return identified.then(() => reading)
}

const unidentified = (
  { request, requestId, access, credentials }: Exchange,
  { route, params, query }: Target,
): Unidentified<Route> =>
  ({
    params: parse(route.params, params, 'path'),
    query: parse(route.query, query.size === 0 ? {} : Object.fromEntries(query), 'query'),
    sessionId: credentials.sessionId,
    cookieHeader: request.headers.get('cookie'),
    requestId,
    address: access.address,
    lastEventId: request.headers.get('last-event-id'),
    // Made at its first use: a signal costs as much as the rest of this object.
    get signal() {
      return request.signal
    },
  }) as Unidentified<Route>

async function inputOf(exchange: Exchange, target: Target, api: Api): Promise<Input<Route>> {
  const { request } = exchange
  const { route } = target
  const isOpen = route.permission.people === 'anybody'
  const permitted = async () => (isOpen ? null : await authorised(exchange, target, api))
  const window = new ActWindow(api.clock)
  let session = await permitted()
  const parts = unidentified(exchange, target)
  const authorisedMs = performance.now()
  const body = await bodyOf(request, route)
  // A slow sender may have lost its permission meanwhile.
  if (session !== null && performance.now() - authorisedMs > bodyAtOnceMs)
    session = await window.openAgain(permitted)
  // Not a spread: that would make the signal.
  return Object.assign(parts, {
    body,
    session,
    senderKey: session === null ? null : senderKey(session, credentialOf(exchange.credentials) ?? ''),
    window,
    stillAllowed: () => window.openAgain(permitted),
  }) as Input<Route>
}

async function bodyOf(request: ApiRequest, { body, bodyMaxBytes }: Route): Promise<unknown> {
  if (body === undefined) return undefined
  return parse(body, await readJsonBody(request, { maxBytes: bodyMaxBytes }), 'body')
}

/** Carries a request out; one that comes again under its Idempotency-Key is answered as before. */
async function once(exchange: Exchange, target: Target, input: Input<Route>, api: Api): Promise<Reply> {
  const { id, route } = target
  const act = () => handle(exchange, target, input, api)
  const key = route.method === 'GET' ? null : idempotencyKey(exchange.request.headers.get('idempotency-key'))
  if (key !== null && route.idempotent === undefined)
    throw new HttpProblem('bad-request', 'This route takes no Idempotency-Key. Send the request without it.')
  const { session, params, query, body } = input as Input<Route> & { session: Session | null }
  if (key === null || session === null) return act()
  const sender = exchange.credentials.bearer ?? `user ${session.username}`
  const repeat = api.repeats[id] as ((kept: Reply, input: Input<Route>) => Promise<Reply>) | undefined
  const { requestId, window } = input
  const keyed = { key, sender, request: [id, params, query, body], window, requestId }
  return api.idempotency.once(keyed, act, async (kept) => (repeat === undefined ? kept : repeat(kept, input)))
}

function answerOf({ method }: ApiRequest, { status, body, json, stream, headers, cookies }: Reply): Answer {
  const text = json ?? (body === undefined ? null : JSON.stringify(body))
  const own: Record<string, string> = { 'Cache-Control': 'no-store' }
  if (text !== null) own['Content-Type'] = 'application/json'
  return {
    status,
    headers: { ...own, ...headers },
    cookies,
    text: method === 'HEAD' ? null : text,
    stream: method === 'HEAD' ? unopened(stream) : stream,
  }
}

/** A HEAD is answered with the headers alone. */
function unopened(stream: AnswerStream | undefined): undefined {
  stream?.closed()
}
