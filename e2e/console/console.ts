/** A console of its own for a spec file: the built app against the real Cassandra, in a keyspace of its own. */
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import cassandra from 'cassandra-driver'
import { testRoles } from '../../lib/console/test/test-roles.ts'
import { encodeSegment } from '../../lib/contract/path.ts'
import { testClientCredentials } from '../../lib/leasehold/test/node-session.ts'
import { type Server, startServer } from '../../scripts/console/server.mjs'
import { temporaryFolder } from '../../scripts/test/temporary-folder.mjs'

export { expect }

export const admin = { username: 'admin', password: 'correct horse battery' }

export interface RunningConsole {
  server: Server
  url: string
  keyspace: string
  /** What the server printed. */
  lines: string[]
  /** One request to the API as admin, elevated. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  api(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>
  /** Acquires a lease. */
  hold(
    name: string,
    options?: { owner?: string; ttlSeconds?: number; value?: string },
  ): Promise<{ owner: string; version: string }>
  free(name: string, owner: string): Promise<void>
  stop(): Promise<void>
}

export function testContactPoint(): string {
  const contactPoint = process.env.LEASEHOLD_TEST_CONTACT_POINT
  if (!contactPoint) throw new Error('LEASEHOLD_TEST_CONTACT_POINT is not set: run `npm test -- --only e2e`.')
  return contactPoint
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

let consoles = 0

export async function startConsole(
  options: {
    contactPoint?: string
    env?: Record<string, string>
    keyspace?: string
    /** What browsers call it, when that is not its own address. */
    publicUrl?: string
    /** Node's arguments, when it is not the console's own server that serves. */
    entry?: (port: number) => string[]
  } = {},
): Promise<RunningConsole> {
  const port = await freePort()
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
      PUBLIC_URL: options.publicUrl ?? url,
      CASSANDRA_CONTACT_POINTS: options.contactPoint ?? testContactPoint(),
      CASSANDRA_KEYSPACE: keyspace,
      CASSANDRA_REPLICATION: '1',
      LEASEHOLD_EMBEDDED: '1',
      LEASEHOLD_DATA_DIR: temporaryFolder('leasehold-e2e'),
      LEASEHOLD_ADMIN_PASSWORD: admin.password,
      ...roles,
      ...options.env,
    },
  })
  const headers: Record<string, string> = {
    origin: options.publicUrl ?? url,
    'content-type': 'application/json',
  }
  const send: RunningConsole['api'] = async (method, path, body) => {
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
  const hasAdmin = options.env?.LEASEHOLD_ADMIN_PASSWORD !== ''
  let elevatedAtMs = performance.now()
  const elevate = async () => {
    elevatedAtMs = performance.now()
    await send('POST', '/v1/session/elevation', { password: admin.password })
  }
  const api: RunningConsole['api'] = async (method, path, body) => {
    // A worker's console outlives an elevation.
    if (hasAdmin && performance.now() - elevatedAtMs > 8 * 60_000) await elevate()
    return send(method, path, body)
  }
  if (hasAdmin) {
    await send('POST', '/v1/session', admin)
    await elevate()
  }
  return {
    server,
    url,
    keyspace,
    lines,
    api,
    hold: async (name, lock = {}) => {
      const answer = await api('PUT', `/v1/locks/${encodeSegment(name)}`, { ttlSeconds: 300, ...lock })
      if (answer.status > 201) throw new Error(`${name}: ${answer.status} ${answer.body.detail}`)
      return answer.body
    },
    free: async (name, owner) => {
      await api('DELETE', `/v1/locks/${encodeSegment(name)}?owner=${encodeURIComponent(owner)}`)
    },
    stop: () => server.stop(),
  }
}

/** By the form, as people do. */
export async function signIn(
  page: Page,
  { url }: RunningConsole,
  path = '/',
  user: { username: string; password: string } = admin,
): Promise<void> {
  await page.goto(url + path)
  await page.getByLabel('User name').fill(user.username)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByLabel('Password')).toHaveCount(0)
}

/** Signs in without the form: the session is the same. */
export async function signInByRequest(
  page: Page,
  { url }: RunningConsole,
  user: { username: string; password: string } = admin,
): Promise<void> {
  const answer = await page.request.post(`${url}/v1/session`, { data: user, headers: { origin: url } })
  expect(answer.status(), user.username).toBeLessThan(300)
}

/** Opens a page in the session that the browser has. */
export async function openPage(page: Page, { url }: RunningConsole, path = '/'): Promise<void> {
  await page.goto(url + path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Opens a page signed in, without the form. */
export async function openSignedIn(
  page: Page,
  running: RunningConsole,
  path = '/',
  user: { username: string; password: string } = admin,
): Promise<void> {
  await signInByRequest(page, running, user)
  await openPage(page, running, path)
}

/** A key that is pressed before the page's script runs does nothing. (A press of a button is kept.) */
export async function keysWork(page: Page): Promise<void> {
  await page.waitForFunction(() => !('earlyPress' in window))
}

/** What earlier files left in the table: they counted some of it, and so may the next one. */
async function removeLeases({ keyspace }: RunningConsole): Promise<void> {
  const client = await driver()
  const { rows } = await client.execute(`SELECT name FROM ${keyspace}.leases`)
  const left = rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('leasehold/'))
  await Promise.all(
    left.map((name) => client.execute(`DELETE FROM ${keyspace}.leases WHERE name = ? IF EXISTS`, [name])),
  )
  await client.shutdown()
}

/** The file of the worker's last test. */
let lastFile = ''

/** Before each test: a file begins with a console that has no leases. */
export async function emptyForFile(running: RunningConsole, file: string): Promise<void> {
  if (lastFile !== '' && lastFile !== file) await removeLeases(running)
  lastFile = file
}

/** `running`: a console for all files of a worker. `page` is signed in to it, and has opened none of its pages. */
export const test = base.extend<{ page: Page }, { running: RunningConsole }>({
  running: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const running = await startConsole()
      await use(running)
      await running.stop()
    },
    { scope: 'worker' },
  ],
  page: async ({ page, running }, use, { file }) => {
    await emptyForFile(running, file)
    await signInByRequest(page, running)
    await use(page)
  },
})

/** The row of a lease in the list. */
export const rowOf = (page: Page, name: string) =>
  page
    .getByRole('table', { name: 'Leases' })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) })
