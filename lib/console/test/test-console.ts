/** For integration tests alone: a console without a server, on the node that the test run started. */
import { createHash } from 'node:crypto'
import { isLeaseholdError } from 'leasehold/lease'
import { temporaryFolder } from '../../../scripts/test/temporary-folder.mjs'
import { problemSchema } from '../../contract/problem.ts'
import { problemsOf, type Route, routes } from '../../contract/routes.ts'
import { serve } from '../http/router.ts'
import type { UserRow } from '../people/user-row.ts'
import { readConfig } from '../start/config/config.ts'
import type { ConsoleContext } from '../start/context.ts'
import { createConsole } from '../start/start.ts'
import { testRoles } from './test-roles.ts'

export const testOrigin = 'http://localhost:3000'
export const password = 'correct horse battery'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

export interface TestConsole {
  context: ConsoleContext
  /** One request, signed in as admin, elevated, unless `cookie` says otherwise. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  cookie: string
}

export function testEnvironment(
  keyspace: string,
  overrides: Record<string, string> = {},
): Record<string, string> {
  return {
    CASSANDRA_CONTACT_POINTS: process.env.LEASEHOLD_TEST_CONTACT_POINT ?? '',
    CASSANDRA_KEYSPACE: keyspace,
    CASSANDRA_REPLICATION: '1',
    LEASEHOLD_EMBEDDED: '1',
    LEASEHOLD_DATA_DIR: temporaryFolder('leasehold-console'),
    LEASEHOLD_ADMIN_PASSWORD: password,
    // Consoles of one keyspace share it, whatever their data directories.
    LEASEHOLD_AUDIT_KEY: createHash('sha256').update(keyspace).digest('hex'),
    ...overrides,
  }
}

export async function testConsole(
  keyspace: string,
  overrides: Record<string, string> = {},
): Promise<TestConsole> {
  const environment = { ...(await testRoles(keyspace)), ...testEnvironment(keyspace, overrides) }
  const context = await createConsole(readConfig(environment))
  if (!(await context.users.exists('admin'))) await context.users.create('admin', password, 'admin')
  const send = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> => {
    const usual: Record<string, string> = { origin: testOrigin }
    if (body !== undefined) usual['content-type'] = 'application/json'
    const init: RequestInit = { method, headers: { ...usual, ...headers } }
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
    const request = new Request(`${testOrigin}${path}`, init)
    const response = await serve(request, context)
    const text = await textOf(response)
    checkListed(method, path, response, text)
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : isText(response) ? text : JSON.parse(text),
    }
  }
  const signedIn = cookieOf(await send('POST', '/v1/session', { username: 'admin', password }, {}))
  const cookie = cookieOf(await send('POST', '/v1/session/elevation', { password }, { cookie: signedIn }))
  return {
    context,
    cookie,
    api: (method, path, body, headers = {}) => send(method, path, body, { cookie, ...headers }),
  }
}

/**
 * The id of a new session. A busy machine may leave open whether the row was written: then another session is opened, which
 * the first does not disturb.
 */
export async function openSession(
  { sessions, users }: Pick<ConsoleContext, 'sessions' | 'users'>,
  username: string,
  via: 'password' | 'sso' = 'password',
): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      const user = (await users.find(username)) as UserRow
      return (await sessions.open(user, { via, address: null })).id
    } catch (error) {
      if (!isLeaseholdError(error) || tries === 20) throw error
    }
  }
}

/**
 * The release that an act, or an approval, ended with. A busy machine takes more than the 2 s after which the console answers
 * that it is pending.
 */
export async function settledRelease(
  { api }: Pick<TestConsole, 'api'>,
  answer: Promise<Answer>,
): Promise<Answer> {
  const first = await answer
  if (first.status !== 202 || first.body.outcome !== 'pending') return first
  for (const endMs = performance.now() + 60_000; ; ) {
    const { status, headers, body } = await api('GET', `/v1/releases/${first.body.id}`)
    if (status === 200 && body.outcome !== 'pending') return { status, headers, body }
    if (performance.now() > endMs)
      throw new Error(`The release is ${body.outcome ?? body.code} after a minute.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A stream has no end of its own: it is left as soon as it has begun. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text()
  await response.body?.cancel()
  return ''
}

/** What a browser would send from now on. */
export const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? ''

const isText = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/plain') === true

/** An answer that the route table does not list is one that no client expects, and no reference shows. */
function checkListed(method: string, path: string, response: Response, text: string): void {
  const [pathname = ''] = path.split('?')
  const route = Object.values<Route>(routes).find(
    (each) =>
      each.method === method && new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]*')}$`).test(pathname),
  )
  if (route === undefined) return
  const { status, headers } = response
  const where = `${method} ${path} answered`
  if (headers.get('content-type')?.startsWith('application/problem+json')) {
    const problem = problemSchema.strict().safeParse(JSON.parse(text))
    if (!problem.success) throw new Error(`${where} a problem of another shape: ${problem.error.message}`)
    if (!problemsOf(route).includes(problem.data.code))
      throw new Error(`${where} ${problem.data.code}, which its route does not list`)
    return
  }
  const schema = route.responses[status]
  if (schema === undefined) throw new Error(`${where} ${status}, which its route does not list`)
  for (const header of ['location', 'set-cookie'] as const)
    if (headers.has(header) && !route.headers?.some((name) => name.toLowerCase() === header))
      throw new Error(`${where} with ${header}, which its route does not list`)
  if (schema === null) {
    if (text !== '') throw new Error(`${where} ${status} with a body, which its route does not list`)
    return
  }
  const expected = route.contentType ?? 'application/json'
  if (!headers.get('content-type')?.startsWith(expected))
    throw new Error(`${where} ${headers.get('content-type')}, and its route lists ${expected}`)
  const body = schema.safeParse(isText(response) ? text : JSON.parse(text))
  if (!body.success) throw new Error(`${where} ${status} of another shape: ${body.error.message}`)
}
