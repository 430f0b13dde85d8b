/** The last step of the router: the room's handler, and the end of what waits when its sender loses its permission. */
import type { RouteId } from '../../contract/endpoints.ts'
import type { Session } from '../../contract/people/session.ts'
import type { Route } from '../../contract/routes.ts'
import { waitSchema } from '../../contract/wait.ts'
import type { AnswerStream, ApiRequest } from './adapters/api-request.ts'
import type { Api } from './api.ts'
import { type Credentials, identify, permit, type Scoped } from './authorise.ts'
import type { Input, Reply } from './handler.ts'
import type { Access } from './log/access-log.ts'

/** A request, as the steps fill it in. */
export interface Exchange {
  readonly request: ApiRequest
  readonly requestId: string
  readonly access: Access
  readonly credentials: Credentials
}

/** A matched route, and how to check that its sender may use it. */
export interface Target {
  readonly id: RouteId
  readonly route: Route
  readonly params: Record<string, string>
  readonly query: URLSearchParams
  /** The name and the table that a token's scope applies to. */
  readonly scoped: Scoped
}

/** What the sender proves itself by; null: nothing. */
export const credentialOf = ({ bearer, sessionId }: Credentials): string | null => bearer ?? sessionId

/**
 * Calls the room's handler. A request that waits ends with the reason when its sender loses its permission: the answer
 * shows nothing that was read since then. Earlier effects of the request stay, and the answer reports them.
 */
export async function handle(
  exchange: Exchange,
  target: Target,
  input: Input<Route>,
  api: Api,
): Promise<Reply> {
  const { id, route, query, scoped } = target
  // The table ties each handler to its route's types; TypeScript cannot see that through an id that is known only at
  // run time.
  const handler = api.handlers[id] as (input: Input<Route>) => Promise<Reply>
  const session = input.session as Session | null
  const credential = credentialOf(exchange.credentials)
  if (route.isList === true)
    return api.listSlots.run(input.senderKey ?? '', () => handler(input), input.signal)
  if (session === null || credential === null) return handler(input)
  const permitted = (who: Session) => permit(route.permission, who, api.clock, scoped)
  if (route.events !== undefined) {
    // A stream is a use of the session, as the requests were that it replaces.
    const open = api.openStreams.open(
      credential,
      session,
      JSON.stringify([id, scoped]),
      () => identify(exchange.credentials, api),
      permitted,
    )
    return untilClosed(open, () =>
      handler({ ...input, signal: AbortSignal.any([input.signal, open.signal]) }),
    )
  }
  if (waitMsOf(query) === 0) return handler(input)
  using open = api.openRequests.open(
    credential,
    session,
    JSON.stringify(scoped),
    () => identify(exchange.credentials, api, { use: false }),
    permitted,
  )
  try {
    const reply = await handler({ ...input, signal: AbortSignal.any([input.signal, open.signal]) })
    if (route.method === 'GET') open.signal.throwIfAborted()
    return reply
  } catch (thrown) {
    open.signal.throwIfAborted()
    throw thrown
  }
}

/** The permission of a stream is looked at until its connection ends. */
async function untilClosed(open: Disposable, begin: () => Promise<Reply>): Promise<Reply> {
  const close = () => open[Symbol.dispose]()
  try {
    const reply = await begin()
    if (reply.stream !== undefined) return { ...reply, stream: closing(reply.stream, close) }
    close()
    return reply
  } catch (thrown) {
    close()
    throw thrown
  }
}

/** A stream that does one more thing when it has ended. */
export const closing = (stream: AnswerStream, also: () => void): AnswerStream => ({
  open: (sink) => stream.open(sink),
  drained: () => stream.drained(),
  closed: () => {
    stream.closed()
    also()
  },
})

/** For how long a request asks the server to wait, in milliseconds. 0: not at all; or the route's schema refuses what it asks for. */
export function waitMsOf(query: URLSearchParams): number {
  const asked = query.get('wait')
  return asked === null ? 0 : (waitSchema.safeParse(asked).data ?? 0)
}
