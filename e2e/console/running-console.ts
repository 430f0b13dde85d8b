/** A running console: the built app against the real Cassandra, and what tests do to it beside its pages. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import cassandra from 'cassandra-driver'
import { testRoles } from '../../lib/console/test/test-roles.ts'
import { encodeSegment } from '../../lib/contract/path.ts'
import { testClientCredentials } from '../../lib/leasehold/test/node-session.ts'
import { type Server, startServer } from '../../scripts/console/server.mjs'
import { temporaryFolder } from '../../scripts/test/temporary-folder.mjs'

export const admin = { username: 'admin', password: 'correct horse battery' }

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

export interface RunningConsole {
  server: Server
  url: string
  keyspace: string
  /** What the server printed. */
  lines: string[]
  /** One request to the API as admin, elevated. While Cassandra is too busy to answer, and nothing was done, it is sent again. */
  api(method: string, path: string, body?: unknown): Promise<Answer>
  /** The same, for tests of what is answered then: it is never sent again. */
  once(method: string, path: string, body?: unknown): Promise<Answer>
  /** Acquires a lease. */
  hold(
    name: string,
    options?: { owner?: string; ttlSeconds?: number; value?: string },
  ): Promise<{ owner: string; version: string }>
  free(name: string, owner: string): Promise<void>
  addUser(user: { username: string; password: string; role: string }): Promise<void>
  stop(): Promise<void>
}

export function testContactPoint(): string {
  const contactPoint = process.env.LEASEHOLD_TEST_CONTACT_POINT
  if (!contactPoint) throw new Error('LEASEHOLD_TEST_CONTACT_POINT is not set: run `npm test -- --only e2e`.')
  return contactPoint
}

/** Work that may be done twice: again, nine times at most, when Cassandra was too busy for it. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (thrown) {
      if (tries === 10) throw thrown
      await pause(tries * 100)
    }
}

/** A bare driver client, for what the world outside of the console does. */
export async function driver(contactPoint = testContactPoint()): Promise<cassandra.Client> {
  const { consistencies } = cassandra.types
  const client = new cassandra.Client({
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    ...testClientCredentials(),
    encoding: { useBigIntAsLong: true },
    protocolOptions: { maxVersion: 4 },
    // A machine that stands still for a few seconds ends no connection.
    socketOptions: { connectTimeout: 60_000, readTimeout: 60_000 },
    queryOptions: {
      prepare: true,
      consistency: consistencies.quorum,
      serialConsistency: consistencies.serial,
    },
  })
  await client.connect()
  return client
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail).listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })
}

/** Consoles of one keyspace share it, and so do tools on the server. */
export const auditKeyOf = (keyspace: string): string => createHash('sha256').update(keyspace).digest('hex')

let consoles = 0

/** What a console answers that did nothing, because Cassandra was too busy: each of its reads has 2.5 s. */
const nothingDone = ['cassandra-unavailable', 'audit-unavailable', 'too-late', 'not-ready']
/** Beside these a write may have taken effect: for a request that may arrive twice. */
const unanswered = [...nothingDone, 'outcome-unknown']

/** What tests ask one console: a machine that is busy refuses some of it, a console with a fault most. */
class Requests {
  #asked = 0
  #refusedAtFirst = 0

  /** Sends it again, nine times at most, while it is answered with one of these codes. */
  async unlessBusy(codes: readonly string[], send: () => Promise<Answer>): Promise<Answer> {
    const isRefused = ({ status, body }: Answer) => status === 503 && codes.includes(body?.code)
    let answer = await send()
    this.#asked++
    if (isRefused(answer)) this.#refusedAtFirst++
    for (let tries = 1; isRefused(answer) && tries < 10; tries++) {
      console.warn(`${answer.body.code}: the test sends its request again`)
      await pause(tries * 100)
      answer = await send()
    }
    return answer
  }

  /** @throws when more than half of them, of more than twenty, were refused at first */
  check(): void {
    if (this.#asked > 20 && this.#refusedAtFirst > this.#asked / 2)
      throw new Error(
        `The console refused ${this.#refusedAtFirst} of ${this.#asked} requests with 503 at first.`,
      )
  }
}

interface ConsoleOptions {
  contactPoint?: string
  env?: Record<string, string>
  /** One that exists spares its tables: what a test finds in it is what others left. Default: a new one. */
  keyspace?: string
  /** Node's arguments, when it is not the console's own server that serves. */
  entry?: (port: number) => string[]
}

export async function startConsole(options: ConsoleOptions = {}): Promise<RunningConsole> {
  for (let tries = 1; ; tries++)
    try {
      return await startAt(await freePort(), options)
    } catch (thrown) {
      // The server listens seconds later than the port was found free: another process may have taken it by then.
      if (tries === 3 || !/EADDRINUSE|has taken the port/.test(`${thrown}`)) throw thrown
    }
}

async function startAt(port: number, options: ConsoleOptions): Promise<RunningConsole> {
  const url = `http://127.0.0.1:${port}`
  const keyspace = options.keyspace ?? `e2e_${process.pid}_${++consoles}`
  const lines: string[] = []
  const roles = options.env?.CASSANDRA_USERNAME === undefined ? await testRoles(keyspace) : {}
  const server = await startServer({
    root: resolve(import.meta.dirname, '../..'),
    host: '127.0.0.1',
    port,
    distDir: process.env.LEASEHOLD_DIST_DIR ?? '.next',
    onLine: (line) => lines.push(line),
    entry: options.entry?.(port),
    env: {
      PUBLIC_URL: url,
      CASSANDRA_CONTACT_POINTS: options.contactPoint ?? testContactPoint(),
      CASSANDRA_KEYSPACE: keyspace,
      CASSANDRA_REPLICATION: '1',
      LEASEHOLD_EMBEDDED: '1',
      LEASEHOLD_DATA_DIR: temporaryFolder('leasehold-e2e'),
      LEASEHOLD_AUDIT_KEY: auditKeyOf(keyspace),
      LEASEHOLD_ADMIN_PASSWORD: admin.password,
      ...roles,
      ...options.env,
    },
  })
  const headers: Record<string, string> = {
    // A connection that is kept is closed by the console after five seconds: in a test that stood still meanwhile the next request
    // would be sent on it, and fail.
    connection: 'close',
    origin: url,
    'content-type': 'application/json',
  }
  const send: RunningConsole['once'] = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    const cookie = response.headers.get('set-cookie')
    if (cookie) headers.cookie = cookie.split(';')[0] as string
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const requests = new Requests()
  const hasAdmin = options.env?.LEASEHOLD_ADMIN_PASSWORD !== ''
  let elevatedAtMs = performance.now()
  const elevate = async () => {
    const { status } = await requests.unlessBusy(unanswered, () =>
      send('POST', '/v1/session/elevation', { password: admin.password }),
    )
    if (status >= 500) throw new Error(`the elevation was refused: ${status}`)
    elevatedAtMs = performance.now()
  }
  let elevating: Promise<void> | undefined
  const once: RunningConsole['once'] = async (method, path, body) => {
    // A worker's console outlives an elevation. One for all requests that begin together: each would end the session of the others.
    if (hasAdmin && performance.now() - elevatedAtMs > 8 * 60_000)
      elevating ??= elevate().finally(() => {
        elevating = undefined
      })
    await elevating
    return send(method, path, body)
  }
  const api: RunningConsole['api'] = (method, path, body) =>
    requests.unlessBusy(nothingDone, () => once(method, path, body))
  if (hasAdmin) {
    const { status } = await requests.unlessBusy(unanswered, () => send('POST', '/v1/session', admin))
    if (status >= 500) throw new Error(`the sign-in was refused: ${status}`)
    await elevate()
  }
  return {
    server,
    url,
    keyspace,
    lines,
    api,
    once,
    hold: async (name, lock = {}) => {
      let { owner } = lock
      const answer = await requests.unlessBusy(unanswered, async () => {
        const answer = await once('PUT', `/v1/locks/${encodeSegment(name)}`, {
          ttlSeconds: 300,
          ...lock,
          owner,
        })
        // The outcome is unknown: it is sent again as the same owner, so that it does not meet its own lease.
        if (answer.status === 503) owner ??= answer.body?.owner
        return answer
      })
      if (answer.status > 201) throw new Error(`${name}: ${answer.status} ${answer.body?.detail}`)
      return answer.body
    },
    free: async (name, owner) => {
      const path = `/v1/locks/${encodeSegment(name)}?owner=${encodeURIComponent(owner)}`
      const { status } = await requests.unlessBusy(unanswered, () => once('DELETE', path))
      if (status === 503) throw new Error(`${name}: 503`)
    },
    addUser: async (user) => {
      const { status } = await requests.unlessBusy(unanswered, () => once('POST', '/v1/users', user))
      // An earlier answer may have been lost.
      if (status !== 201 && status !== 409) throw new Error(`${user.username}: ${status}`)
    },
    stop: async () => {
      await server.stop()
      requests.check()
    },
  }
}
