import type { Problem } from '../problem.ts'
import { type ProblemCode, problemStatus, problemTitle } from '../problem-codes.ts'
import { releaseCertain } from '../programs/lock.ts'
import { problemsOf, type Route, routes } from '../routes.ts'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import { problemWords } from './problem-words.ts'

const successWords: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: the outcome is not final yet.',
  204: 'Done; the answer has no body.',
  302: 'Continue at Location.',
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })
const requestId = { 'X-Request-Id': header('RequestId') }

/** `components.headers` of the document. */
export const namedHeaders = {
  RequestId: {
    description:
      'The id of this request in problems, the log and the audit; the caller’s own, if it sent one.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  RetryAfterIfKnown: {
    description: 'Seconds to wait before the next try: `lock-held` and `request-in-progress` have it.',
    schema: { type: 'integer', minimum: 1 },
  },
  Authenticate: {
    description: '`unauthenticated` has it: the scheme that the console accepts.',
    schema: { type: 'string', enum: ['Bearer realm="leasehold"'] },
  },
  Replayed: {
    description: 'The answer repeats the one that this Idempotency-Key got before.',
    schema: { type: 'string', enum: ['true'] },
  },
  SessionCookie: {
    description: 'The session cookie: HttpOnly, SameSite=Lax, Secure over https.',
    schema: { type: 'string' },
  },
  ReleaseCertain: {
    description:
      '`false`: the owner does not hold the lock, and whether this request released it is not known, because an answer of Cassandra was lost. Missing: this request released it.',
    schema: { type: 'string', enum: ['false'] },
  },
  Location: { description: 'Where to continue.', required: true, schema: { type: 'string' } },
}

const routeHeaders = {
  Location: header('Location'),
  'Set-Cookie': header('SessionCookie'),
  [releaseCertain]: header('ReleaseCertain'),
}

/** `responses` of one operation: the successes, then one answer for each status that its problems have. */
export function responsesOf(route: Route): Record<string, unknown> {
  const successes = Object.entries(route.responses).map(([status, schema]) => {
    const headers: Record<string, unknown> = { ...requestId }
    for (const name of route.headers ?? []) headers[name] = routeHeaders[name]
    if (route.idempotent) headers['Idempotency-Replayed'] = header('Replayed')
    const content = schema
      ? { [route.contentType ?? 'application/json']: { schema: jsonSchemaOf(schema, 'output') } }
      : eventsOf(route)
    return [status, { description: successWords[Number(status)], headers, content }]
  })
  const statuses = [...new Set(problemsOf(route).map((code) => problemStatus[code]))]
  const problems = statuses.map((status) => [String(status), problemResponse(status, route)])
  return Object.fromEntries([...successes, ...problems])
}

/**
 * OpenAPI 3.1 has no words for a stream of events. As its readers do, the schema is that of one event: its name, and its `data`, which
 * is JSON.
 */
function eventsOf({ events }: Route): Record<string, unknown> | undefined {
  if (events === undefined) return undefined
  const oneOf = Object.entries(events).map(([name, schema]) => ({
    type: 'object',
    title: name,
    properties: {
      event: { type: 'string', const: name },
      id: { type: 'string', description: 'For `Last-Event-ID`, where it is sent.' },
      data: {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: jsonSchemaOf(schema, 'output'),
      },
    },
    required: ['event', 'data'],
  }))
  const description = `One server-sent event: ${Object.keys(events).join(', ')}. Its \`data\` is JSON.`
  return { 'text/event-stream': { schema: { description, oneOf } } }
}

function problemResponse(status: number, route: Route): unknown {
  const codes = problemsOf(route).filter((code) => problemStatus[code] === status)
  const headers: Record<string, unknown> = { ...requestId }
  if (status === 401) headers['WWW-Authenticate'] = header('Authenticate')
  if (status === 429 || status === 503) headers['Retry-After'] = header('RetryAfter')
  if (codes.some((code) => code === 'lock-held' || code === 'request-in-progress'))
    headers['Retry-After'] = header('RetryAfterIfKnown')
  return {
    description: codes.map((code) => `\`${code}\`: ${problemWords[code]}`).join('\n\n'),
    headers,
    content: {
      'application/problem+json': {
        schema: problemSchemaFor(status, codes),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

const exampleOf = (code: ProblemCode): Problem => ({
  type: `urn:leasehold:problem:${code}`,
  title: problemTitle(code),
  status: problemStatus[code],
  code,
  detail: problemWords[code],
  requestId: '3f0c2f5e-8a57-4d0b-9a55-1f1f5d3f7c11',
})

/** `components.examples` of the document: one problem for each code that some route answers with. */
export const namedExamples = (): Record<string, { value: Problem }> => {
  const codes = new Set(Object.values<Route>(routes).flatMap(problemsOf))
  return Object.fromEntries([...codes].map((code) => [code, { value: exampleOf(code) }]))
}

const problemSchemaFor = (status: number, codes: ProblemCode[]): JsonSchema => ({
  allOf: [
    { $ref: '#/components/schemas/Problem' },
    { type: 'object', properties: { status: { const: status }, code: { enum: codes } } },
  ],
})
