/** What every kind of answer tells browsers, and what requests are turned away. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { publicFiles } from '../../lib/console/http/public-files.ts'
import { expect, test } from '../console/console.ts'
import { admin, type RunningConsole, startConsole } from '../console/running-console.ts'

const nonce = /'nonce-([\w+/=]+)'/
const always = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

type Kind = 'page' | 'plain' | 'file'
interface Case {
  path: string
  status: number
  kind: Kind
  method?: string
  /** Sent as admin. */
  signedIn?: boolean
  body?: string | undefined
  headers?: Record<string, string>
}

const cases: Case[] = [
  // Pages.
  { path: '/', status: 200, kind: 'page', signedIn: true },
  { path: '/leases/nobody', status: 200, kind: 'page', signedIn: true },
  { path: '/leases/a.rsc', status: 200, kind: 'page', signedIn: true },
  { path: '/audit', status: 200, kind: 'page', signedIn: true },
  { path: '/settings/account', status: 200, kind: 'page', signedIn: true },
  { path: '/sign-in', status: 200, kind: 'page' },
  { path: '/setup', status: 200, kind: 'page' },
  { path: '/no-such-page', status: 404, kind: 'page' },
  { path: '/v1x', status: 404, kind: 'page' },
  { path: '/_next/image?url=%2Ficon.svg&w=64&q=75', status: 404, kind: 'page' },
  { path: '/_global-error', status: 500, kind: 'page' },
  // Redirects of those who are not signed in.
  { path: '/', status: 307, kind: 'page' },
  { path: '/leases/a%2Fb?release=1', status: 307, kind: 'page' },
  { path: '//evil.example', status: 308, kind: 'plain' },
  // What is no page's to answer.
  { path: '/leases/%ZZ', status: 400, kind: 'plain', signedIn: true },
  { path: '/%ZZ', status: 400, kind: 'plain' },
  { path: '/', status: 405, kind: 'plain', method: 'POST', signedIn: true },
  { path: '/', status: 204, kind: 'plain', method: 'OPTIONS' },
  { path: '/icon.svg', status: 405, kind: 'file', method: 'POST' },
  { path: '/icon.svg', status: 405, kind: 'file', method: 'DELETE' },
  // The API.
  { path: '/v1/session', status: 200, kind: 'plain', signedIn: true },
  { path: '/v1/session', status: 200, kind: 'plain', method: 'HEAD', signedIn: true },
  { path: '/v1/session', status: 401, kind: 'plain' },
  { path: '/v1/session', status: 204, kind: 'plain', method: 'OPTIONS' },
  { path: '/v1/session', status: 405, kind: 'plain', method: 'PATCH' },
  {
    path: '/v1/session',
    status: 403,
    kind: 'plain',
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  },
  {
    path: '/v1/session',
    status: 415,
    kind: 'plain',
    method: 'POST',
    body: 'a=b',
    headers: { 'content-type': 'text/plain' },
  },
  { path: '/v1/session', status: 413, kind: 'plain', method: 'POST', body: 'x'.repeat(600_000) },
  { path: '/v1/session', status: 400, kind: 'plain', method: 'POST', body: '{' },
  { path: '/v1/nothing', status: 404, kind: 'plain' },
  { path: '/v1/locks/%ZZ', status: 400, kind: 'plain' },
  { path: '/v1/leases/nobody', status: 404, kind: 'plain', signedIn: true },
  { path: '/healthz', status: 200, kind: 'plain' },
  { path: '/readyz', status: 200, kind: 'plain' },
  // Files.
  ...[...publicFiles].map((path): Case => ({ path, status: 200, kind: 'file' })),
  { path: '/_next/static/no-such-file.js', status: 404, kind: 'plain' },
]

async function cookieOf({ url }: RunningConsole): Promise<string> {
  const asked = { path: '/v1/session', method: 'POST', body: JSON.stringify(admin) }
  const response = await sendAgain(url, asked)
  return response.headers.get('set-cookie')?.split(';')[0] as string
}

function send(url: string, { path, method = 'GET', body, headers = {} }: Partial<Case>, cookie?: string) {
  const usual: Record<string, string> = {}
  if (method !== 'GET') usual.origin = url
  if (body !== undefined) usual['content-type'] = 'application/json'
  if (cookie !== undefined) usual.cookie = cookie
  return fetch(url + path, {
    method,
    redirect: 'manual',
    headers: { ...usual, ...headers },
    body: body ?? null,
  })
}

/** While Cassandra is too busy to answer it is 503. */
async function sendAgain(...asked: Parameters<typeof send>): ReturnType<typeof send> {
  let response = await send(...asked)
  for (let tries = 1; response.status === 503 && tries < 10; tries++) response = await send(...asked)
  return response
}

/** `fetch` writes Sec-Fetch headers of its own; this sends those that a browser would. */
const asBrowser = (method: string, url: string, headers: Record<string, string>) =>
  new Promise<{ status: number; text: string }>((done, fail) => {
    request(url, { method, headers }, async (response) => {
      done({
        status: response.statusCode ?? 0,
        text: (await response.setEncoding('utf8').toArray()).join(''),
      })
    })
      .once('error', fail)
      .end()
  })

test('every kind of answer has its security headers', async ({ running }) => {
  const cookie = await cookieOf(running)
  for (const each of cases) {
    const { method = 'GET', path, status, kind, signedIn } = each
    const name = `${method} ${path}${signedIn ? ', signed in' : ''}`
    const response = await sendAgain(running.url, each, signedIn ? cookie : undefined)
    const text = await response.text()
    const headers = Object.fromEntries(response.headers)
    expect(response.status, name).toBe(status)
    expect(headers, name).toMatchObject(always)
    expect(headers['x-powered-by'], name).toBeUndefined()
    expect(headers['strict-transport-security'], `${name}: not over http`).toBeUndefined()
    expect(headers['permissions-policy'], name).toContain('camera=()')
    expect(headers['x-request-id'], name).toMatch(/^[\w-]{36}$/)
    if (kind !== 'file') expect(headers['cache-control'], name).toContain('no-store')
    const policy = headers['content-security-policy'] as string
    if (kind !== 'page') {
      expect(policy, name).toBe("default-src 'none'; frame-ancestors 'none'")
      if (status >= 400 && text.startsWith('{'))
        expect(JSON.parse(text).requestId, name).toBe(headers['x-request-id'])
      continue
    }
    expect(policy, name).toContain("'strict-dynamic'")
    expect(policy, name).not.toContain('unsafe')
    const [, value] = policy.match(nonce) as RegExpMatchArray
    // This one alone is as it was built, and has none: its policy lets no script run at all.
    if (path === '/_global-error') continue
    for (const [script] of text.matchAll(/<script[^>]*>/g)) expect(script, name).toContain(`nonce="${value}"`)
    expect(text.match(/<[^>]* style="[^>]*>/g), `${name}: a style attribute from the server`).toBeNull()
  }
})

test('no nonce comes twice, and files with a hash in their name are kept for good', async ({ running }) => {
  const pages = await Promise.all([1, 2, 3].map(() => send(running.url, { path: '/sign-in' })))
  const nonces = pages.map(({ headers }) => headers.get('content-security-policy')?.match(nonce)?.[1])
  expect(new Set(nonces).size).toBe(3)
  const html = await (pages[0] as Response).text()
  for (const kind of ['js', 'css']) {
    const file = html.match(new RegExp(`/_next/static/[^"]+\\.${kind}`))?.[0]
    expect(file, kind).toBeDefined()
    const { headers } = await send(running.url, { path: file as string })
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('the redirect to the sign-in page names the way back and nothing else', async ({ running }) => {
  await running.hold('hidden/lease', { owner: 'hidden-owner', value: 'hidden-value' })
  for (const headers of [{}, { RSC: '1' }]) {
    const response = await send(running.url, { path: '/leases/hidden%2Flease', headers })
    expect(response.status).toBe(307)
    // What is asked for as a payload, Next sends once to the same address with a mark.
    expect(response.headers.get('location')).toMatch(/^\/(sign-in\?next=|leases\/hidden%2Flease\?_rsc)/)
    expect(await response.text()).not.toMatch(/hidden-owner|hidden-value|admin/)
  }
})

test('the cookie is for this server alone, and no script reads it', async ({ running }) => {
  const sign = { path: '/v1/session', method: 'POST', body: JSON.stringify(admin) }
  const cookie = (await sendAgain(running.url, sign)).headers.get('set-cookie') as string
  for (const part of ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Max-Age=']) expect(cookie).toContain(part)
  expect(cookie).not.toMatch(/Domain=/i)
})

test('over https: the cookie is bound to the host, browsers to https', async () => {
  const origin = 'https://leases.example'
  const running = await startConsole({ env: { PUBLIC_URL: origin, LEASEHOLD_ADMIN_PASSWORD: '' } })
  try {
    for (const path of ['/sign-in', '/healthz', '/icon.svg', '/v1/session', '/no-such-page'])
      expect((await send(running.url, { path })).headers.get('strict-transport-security'), path).toBe(
        'max-age=31536000',
      )
    const token = () => running.lines.join('\n').match(/sign-in link: \S+#(\S+)/)?.[1]
    await expect.poll(token).toBeDefined()
    const body = JSON.stringify({ token: token(), password: admin.password })
    const set = await send(running.url, { path: '/v1/setup', method: 'POST', body, headers: { origin } })
    expect(set.headers.get('set-cookie')).toMatch(/^__Host-leasehold=[^;]+;.*; Secure/)
  } finally {
    await running.stop()
  }
})

test('a page of another origin neither changes nor reads', async ({ running }) => {
  const cookie = await cookieOf(running)
  const asked = async (method: string, path: string, headers: Record<string, string>) => {
    const ask = () => asBrowser(method, running.url + path, { cookie, ...headers })
    let answer = await ask()
    for (let tries = 1; answer.status === 503 && tries < 10; tries++) answer = await ask()
    return answer
  }
  const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  for (const [method, headers] of [
    ['GET', foreign],
    ['GET', { ...foreign, 'sec-fetch-site': 'same-site' }],
    ['DELETE', { ...foreign, origin: running.url }],
    ['DELETE', { origin: 'null' }],
    ['DELETE', {}],
  ] as const) {
    const response = await asked(method, '/v1/session', headers)
    expect([response.status, JSON.parse(response.text).code], JSON.stringify(headers)).toEqual([
      403,
      'wrong-origin',
    ])
  }
  // A link in an incident channel opens, signed in.
  expect((await asked('GET', '/', link)).status).toBe(200)
  expect((await asked('GET', '/v1/session', link)).status).toBe(200)
})

test('a body that stops arriving ends with its connection', async ({ running }) => {
  const { port, host } = new URL(running.url)
  const heard = await new Promise<string>((done, fail) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(
        `POST /v1/session HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${running.url}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"user`,
      ),
    )
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    socket.once('close', () => done(text)).once('error', fail)
  })
  expect(heard).toMatch(/^HTTP\/1\.1 408 /)
  expect(heard).toContain('"code":"body-too-slow"')
})

test('the log has who, what, from where and under which id, and no secret', async ({ running }) => {
  const requestId = `e2e-${Date.now()}`
  const secrets = [admin.password, 'a wrong password']
  for (const password of secrets)
    await send(running.url, {
      path: '/v1/session',
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password }),
      headers: { 'x-request-id': requestId, 'x-forwarded-for': '203.0.113.9' },
    })
  const plain = await cookieOf(running)
  const password = JSON.stringify({ password: admin.password })
  const elevation = { path: '/v1/session/elevation', method: 'POST', body: password }
  const elevated = await sendAgain(running.url, elevation, plain)
  const cookie = elevated.headers.get('set-cookie')?.split(';')[0] as string
  for (const each of [plain, cookie]) secrets.push(each.split('=')[1] as string)
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    sendAgain(
      running.url,
      { path, method, body: body === undefined ? undefined : JSON.stringify(body), headers },
      cookie,
    )
  await running.hold('logged/lease', { owner: 'logged-owner' })
  const planned = await (await ask('POST', '/v1/leases/logged%2Flease/release-plan', {})).json()
  secrets.push(planned.plan)
  const created = await ask('POST', '/v1/tokens', { name: 'logged', prefixes: [''] })
  expect(created.status).toBe(201)
  const { token } = await created.json()
  secrets.push(token)
  const lock = { method: 'PUT', body: '{"owner":"by-token"}', headers: { authorization: `Bearer ${token}` } }
  expect([200, 201]).toContain((await sendAgain(running.url, { path: '/v1/locks/by-token', ...lock })).status)
  await ask('POST', '/v1/leases/logged%2Flease/release', { plan: planned.plan, mode: 'kill' })
  await ask('POST', '/v1/setup', { token: 'a-made-up-link-token', password: 'yet another password' })
  secrets.push('a-made-up-link-token', 'yet another password')
  await ask('DELETE', '/v1/session', undefined, { 'x-request-id': `${requestId}-out` })

  const line = (id: string) =>
    running.lines.find(
      (each) =>
        // Not of one that was sent again.
        ['"act":"request"', `"requestId":"${id}"`].every((part) => each.includes(part)) &&
        !each.includes('"status":503'),
    )
  await expect.poll(() => line(`${requestId}-out`)).toBeDefined()
  expect(JSON.parse(line(`${requestId}-out`) as string)).toMatchObject({
    method: 'DELETE',
    route: 'signOut',
    status: 204,
    username: 'admin',
    role: 'admin',
    address: '127.0.0.1',
  })
  const log = running.lines.join('\n')
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8)
    expect(log).not.toContain(secret)
  }
})

test('behind a trusted proxy, the log has the address that the proxy saw', async ({
  running: { keyspace },
}) => {
  const running = await startConsole({ keyspace, env: { LEASEHOLD_TRUST_PROXY: '1' } })
  try {
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7', 'x-request-id': 'through-a-proxy' }
    await send(running.url, { path: '/v1/session', method: 'POST', body: JSON.stringify(admin), headers })
    const found = () =>
      running.lines.find((each) => each.includes('through-a-proxy') && each.includes('"act":"request"'))
    await expect.poll(found).toBeDefined()
    expect(JSON.parse(found() as string).address).toBe('198.51.100.7')
  } finally {
    await running.stop()
  }
})

test('every request of a flood is answered, or gets a Retry-After', async ({ running }) => {
  const answers = await Promise.all(
    Array.from({ length: 400 }, () => send(running.url, { path: '/healthz' })),
  )
  // How many come within one second is up to the machine; request-limits.test.ts counts them.
  for (const { status, headers } of answers) {
    expect([200, 429]).toContain(status)
    if (status === 429) expect(headers.get('retry-after')).toBe('1')
  }
  // Until this address may ask again: the next test comes from it too.
  const status = async () => (await send(running.url, { path: '/healthz' })).status
  // The server may end a connection that was idle for seconds just when a request is sent on it.
  await expect.poll(() => status().catch(() => 0), { intervals: [1_000] }).toBe(200)
})
