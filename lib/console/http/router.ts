import type { z } from 'zod'
import { type Method, type Route, type RouteId, type Routes, routes } from '../../contract/routes.ts'
import type { Session } from '../../contract/session.ts'
import { auditRefusal } from '../audit/refusal.ts'
import { campaignAgain } from '../programs/election-handlers.ts'
import type { ConsoleContext } from '../start/context.ts'
import { handlers } from '../start/handlers.ts'
import { bearerOf, identify, permit, scopedName } from './authorise.ts'
import { sessionIdIn } from './cookie.ts'
import { HttpProblem, problemOf, problemResponse } from './http-problem.ts'
import { issueText } from './issue-text.ts'
import { readJsonBody } from './json-body.ts'
import { clientAddress } from './limits/client-address.ts'
import { idempotencyKey } from './limits/idempotency.ts'
import type { OpenRequest } from './limits/open-requests.ts'
import { type Access, logAccess } from './log/access-log.ts'
import { asRequest, requestIdOf } from './log/request-id.ts'
import { checkOrigin } from './request-origin.ts'
import { undecodablePath } from './undecodable-path.ts'

type Parsed<R extends Route, Part extends 'params' | 'query' | 'body'> = R extends {
  [P in Part]: infer S extends z.ZodType
}
  ? z.output<S>
  : undefined

/** What a handler gets: everything parsed, and who asks. */
export interface Input<R extends Route> {
  params: Parsed<R, 'params'>
  query: Parsed<R, 'query'>
  body: Parsed<R, 'body'>
  /** null on public routes alone. */
  session: R['permission'] extends { people: 'anybody' } ? null : Session
  /** The session id of the cookie, where there is one. */
  sessionId: string | null
  /** All the cookies, for what keeps one of its own. */
  cookieHeader: string | null
  /** What this request is called in its answer, in the log and in the audit. */
  requestId: string
  /** Where it comes from, as far as that is known: client-address.ts. */
  address: string | null
  /** Aborted when whoever asked has gone. */
  signal: AbortSignal
  /** For whoever acts after a wait. @throws HttpProblem when whoever asked may not do this any more */
  stillAllowed(): Promise<void>
}

export interface Reply {
  status: number
  body?: unknown
  headers?: Record<string, string>
  /** `Set-Cookie`, one each. */
  cookies?: readonly string[]
}

export type Handler<R extends Route> = (input: Input<R>, context: ConsoleContext) => Promise<Reply>
export type Handlers = { [K in RouteId]: Handler<Routes[K]> }

interface Compiled {
  id: RouteId
  route: Route
  segments: string[]
}

const compiled: Compiled[] = Object.entries(routes).map(([id, route]) => ({
  id: id as RouteId,
  route,
  segments: route.path.split('/').slice(1),
}))

/** A body that took longer than this came after its sender was looked up, in milliseconds. */
const bodyAtOnceMs = 250

const isParam = (segment: string) => segment.startsWith('{')

/** All methods of the path that a request names, with the raw parameters. Names are decoded exactly once, here. */
function match(pathname: string): { found: Compiled[]; params: Record<string, string> } {
  const given = pathname.split('/').slice(1)
  const found = compiled.filter(
    ({ segments }) =>
      segments.length === given.length &&
      segments.every((segment, i) => isParam(segment) || segment === given[i]),
  )
  // `/v1/leases/x` cannot be mistaken for anything else, so that the first one tells the names of the parameters.
  const params: Record<string, string> = {}
  for (const [i, segment] of (found[0]?.segments ?? []).entries()) {
    if (!isParam(segment)) continue
    try {
      params[segment.slice(1, -1)] = decodeURIComponent(given[i] as string)
    } catch {
      throw new HttpProblem('bad-request', 'The path is not valid percent-encoded UTF-8.')
    }
  }
  return { found, params }
}

/**
 * Answers one request to the API: match, authorise, parse, call, map. Never throws.
 * @example const response = await serve(new Request('http://localhost:3000/v1/leases'), context)
 */
export async function serve(request: Request, context: ConsoleContext): Promise<Response> {
  const startedMs = performance.now()
  const requestId = requestIdOf(request.headers)
  const access: Access = {
    method: request.method,
    address: clientAddress(request.headers, context.config),
    route: null,
    params: {},
    table: null,
    session: null,
    withToken: bearerOf(request) !== null,
    waits: false,
  }
  return asRequest(requestId, async () => {
    const response = await answer(request, requestId, access, context).catch((thrown) => {
      const problem = problemOf(thrown, context, access.route ?? 'no route')
      auditRefusal(context.audit, access, requestId, problem)
      return problemResponse(problem, requestId)
    })
    logAccess(context.log, access, { status: response.status, ms: performance.now() - startedMs })
    return response
  })
}

async function answer(
  request: Request,
  requestId: string,
  access: Access,
  context: ConsoleContext,
): Promise<Response> {
  const { address } = access
  const { requestLimits, config } = context
  const bearer = bearerOf(request)
  const sessionId = sessionIdIn(request.headers.get('cookie'), config.publicUrl)
  const credential = bearer ?? sessionId
  await requestLimits.take(credential, address)
  const url = new URL(request.url)
  if (url.pathname === undecodablePath)
    throw new HttpProblem('bad-request', 'The path is not valid percent-encoded UTF-8.')
  const { found, params } = match(url.pathname)
  if (found.length === 0) throw new HttpProblem('not-found', `There is nothing at ${url.pathname}.`)
  const allow = [
    ...found.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method])),
    'OPTIONS',
  ].join(', ')
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allow } })
  const method: Method = request.method === 'HEAD' ? 'GET' : (request.method as Method)
  const target = found.find(({ route }) => route.method === method)
  if (target === undefined)
    throw new HttpProblem(
      'method-not-allowed',
      `${request.method} is not possible here; ${allow} are.`,
      {},
      { Allow: allow },
    )

  const { id, route } = target
  access.route = id
  access.params = params
  access.table = url.searchParams.get('table')
  access.waits = url.searchParams.has('wait')
  if (bearer === null || sessionId !== null) checkOrigin(request, config)
  // A HEAD is answered at once: nobody waits for the headers of an answer.
  if (request.method === 'HEAD') url.searchParams.delete('wait')
  const credentials = { bearer, sessionId }
  refuseRepeated(url.searchParams)
  const name = scopedName(route, params, url.searchParams)
  const authorise = async () => {
    const who = await requestLimits.proving(credential, () => identify(credentials, context))
    access.session = who
    permit(route.permission, who, name)
    return who
  }
  const isOpen = route.permission.people === 'anybody'
  let session = isOpen ? null : await authorise()
  const query = parse(route.query, Object.fromEntries(url.searchParams), 'query')
  const authorisedMs = performance.now()
  const body = route.body === undefined ? undefined : parse(route.body, await readJsonBody(request), 'body')
  // Whoever sends slowly may have lost the right to meanwhile.
  if (session !== null && performance.now() - authorisedMs > bodyAtOnceMs) session = await authorise()
  const input = {
    params: parse(route.params, params, 'path'),
    query,
    body,
    session,
    sessionId,
    cookieHeader: request.headers.get('cookie'),
    requestId,
    address,
    signal: request.signal,
    stillAllowed: async () => {
      if (!isOpen) await authorise()
    },
  }
  // The table ties each handler to its route's types; through an id that is known only now, the tie cannot be seen.
  const handler = handlers[id] as unknown as Handler<Route>
  const act = async () => {
    if (session === null || credential === null || !isWaiting(query))
      return handler(input as Input<Route>, context)
    const open = context.openRequests.open(
      credential,
      session,
      () => identify(credentials, context, { use: false }),
      (who) => permit(route.permission, who, name),
    )
    const signal = AbortSignal.any([request.signal, open.signal])
    return whilePermitted(open, method, () => handler({ ...input, signal } as Input<Route>, context))
  }
  const key = route.method === 'POST' ? idempotencyKey(request.headers.get('idempotency-key')) : null
  if (key !== null && route.idempotent === undefined)
    throw new HttpProblem(
      'bad-request',
      'An Idempotency-Key is not possible here; send the request without it.',
    )
  const reply =
    key === null || session === null
      ? await act()
      : await context.idempotency.once(
          {
            key,
            sender: bearer ?? `user ${session.username}`,
            request: [id, input.params, input.query, input.body],
          },
          act,
          (kept) => repeated(id, kept, input as Input<Route>, context),
        )
  const response = new Response(
    reply.body === undefined || request.method === 'HEAD' ? null : JSON.stringify(reply.body),
    {
      status: reply.status,
      headers: {
        'Cache-Control': 'no-store',
        ...(reply.body !== undefined && { 'Content-Type': 'application/json' }),
        ...reply.headers,
      },
    },
  )
  for (const cookie of reply.cookies ?? []) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Whether a query asks for an answer that comes later. */
const isWaiting = (query: unknown): boolean => Number((query as { wait?: number } | undefined)?.wait ?? 0) > 0

/**
 * Answers with the reason when whoever asked may wait no longer: they are told nothing of what was read since. What was
 * done before that is done, and is said.
 */
async function whilePermitted(open: OpenRequest, method: Method, work: () => Promise<Reply>): Promise<Reply> {
  try {
    const reply = await work()
    if (method === 'GET') open.signal.throwIfAborted()
    return reply
  } catch (thrown) {
    open.signal.throwIfAborted()
    throw thrown
  } finally {
    open[Symbol.dispose]()
  }
}

/** What a request that was carried out before is answered with, when it comes again under its key. */
async function repeated(
  id: RouteId,
  kept: Reply,
  input: Input<Route>,
  context: ConsoleContext,
): Promise<Reply> {
  // An old campaign must not look like a new one: its client counts from this request.
  if (id === 'campaign') return campaignAgain(kept.body, input as Input<Routes['campaign']>, context)
  return kept
}

/** Of two values under one key, one would be authorised, and the other one used. */
function refuseRepeated(query: URLSearchParams): void {
  const keys = [...query.keys()]
  const repeated = keys.find((key, i) => keys.indexOf(key) !== i)
  if (repeated !== undefined)
    throw new HttpProblem('bad-request', `The query parameter ${repeated} is given more than once.`)
}

function parse(schema: z.ZodType | undefined, data: unknown, place: string): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.') || place,
    message: issueText(issue, schema),
  }))
  throw new HttpProblem('bad-request', issues.map(({ message }) => message).join(' '), { issues })
}
