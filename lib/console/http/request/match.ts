import type { Method, RouteId } from '../../../contract/endpoints.ts'
import { type Route, routes } from '../../../contract/routes.ts'
import { HttpProblem } from '../http-problem.ts'

interface Compiled {
  id: RouteId
  route: Route
  segments: string[]
}

/** A route of the contract, with the path's parameters decoded; or the methods that OPTIONS asks for. */
type Match =
  | { kind: 'route'; id: RouteId; route: Route; params: Record<string, string> }
  | { kind: 'options'; allow: string }

/** The routes by the first two segments of their paths and the number of segments. */
const compiled = new Map<string, Compiled[]>()
for (const [id, route] of Object.entries(routes)) {
  const segments = route.path.split('/').slice(1)
  const shape = shapeOf(segments)
  compiled.set(shape, [...(compiled.get(shape) ?? []), { id: id as RouteId, route, segments }])
}

function shapeOf(segments: string[]): string {
  return `${segments.length}/${segments[0]}/${segments[1] ?? ''}`
}

const isParam = (segment: string) => segment.startsWith('{')

/** @throws HttpProblem not-found, method-not-allowed, bad-request */
export function match(method: string, pathname: string): Match {
  const given = pathname.split('/').slice(1)
  const found = (compiled.get(shapeOf(given)) ?? []).filter(({ segments }) =>
    segments.every((segment, i) => isParam(segment) || segment === given[i]),
  )
  if (found.length === 0) throw nothingAt(pathname, given)
  const wanted = (method === 'HEAD' ? 'GET' : method) as Method
  const target = found.find(({ route }) => route.method === wanted)
  if (target !== undefined) {
    const { id, route, segments } = target
    return { kind: 'route', id, route, params: decoded(segments, given) }
  }
  const allow = [
    ...found.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method])),
    'OPTIONS',
  ].join(', ')
  if (method === 'OPTIONS') return { kind: 'options', allow }
  throw new HttpProblem(
    'method-not-allowed',
    `${method} is not allowed here. Allowed: ${allow}.`,
    {},
    { Allow: allow },
  )
}

/** A name with a slash in it is what most senders of such a path mean. */
function nothingAt(pathname: string, given: string[]): HttpProblem {
  const [version = '', what = '', ...name] = given
  const takesName = compiled
    .get(shapeOf([version, what, '']))
    ?.some(({ segments }) => isParam(segments[2] ?? ''))
  const hint =
    takesName && name.length > 1 && name.every((part) => part !== '')
      ? ` If the slashes are part of a name, send them as %2F: /${version}/${what}/${name.join('%2F')}.`
      : ''
  return new HttpProblem('not-found', `Nothing found at ${pathname}.${hint}`)
}

/** Names are decoded exactly once, here. */
function decoded(segments: string[], given: string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [i, segment] of segments.entries()) {
    if (!isParam(segment)) continue
    try {
      params[segment.slice(1, -1)] = decodeURIComponent(given[i] as string)
    } catch {
      throw new HttpProblem('bad-request', 'The path is not valid percent-encoded UTF-8.')
    }
  }
  return params
}
