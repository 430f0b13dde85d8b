/** The port: what the server answers before the API or a page does, and the API under another server. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { expect, test } from '../console/console.ts'
import { type RunningConsole, startConsole } from '../console/running-console.ts'

/** One request as it is written; all that is answered until the connection ends. */
const raw = ({ url }: RunningConsole, start: string, headers: Record<string, string> = {}) =>
  new Promise<string>((done, fail) => {
    const { hostname, port, host } = new URL(url)
    const lines = Object.entries({ Host: host, Connection: 'close', ...headers })
    let heard = ''
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `${start} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      ),
    )
    socket.setEncoding('utf8').on('data', (chunk) => {
      heard += chunk
    })
    socket.once('close', () => done(heard)).once('error', fail)
  })

/** While Cassandra is too busy to answer it is 503. A server that has just started is slow at first. */
async function answerOf({ api }: RunningConsole, ...asked: Parameters<RunningConsole['api']>) {
  let answer = await api(...asked)
  for (let tries = 1; answer.status === 503 && tries < 10; tries++) answer = await api(...asked)
  return answer
}

const odd = ['TRACE', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].flatMap((method) =>
  ['/', '*', '/icon.svg', '/%ZZ', '/sign-in', '/_next/static/x.js', '/v1/leases', '/healthz'].map(
    (target) => `${method} ${target}`,
  ),
)

test('no method and no path is an error of the server', async ({ running }) => {
  for (const start of [...odd, 'GET *', 'GET /%ZZ', 'GET http://other.example/healthz', 'CONNECT x:1'])
    expect(await raw(running, start), start).toMatch(/^HTTP\/1\.1 [24]/)
  expect(await raw(running, 'GET /%ZZ')).toMatch(/^HTTP\/1\.1 400 /)
  expect(await raw(running, 'POST /')).toMatch(/^HTTP\/1\.1 405 /)
  expect(await raw(running, 'OPTIONS *')).toMatch(/^HTTP\/1\.1 204 /)
  expect(await raw(running, 'GET /icon.svg', { Range: 'bytes=999999-' })).toMatch(/^HTTP\/1\.1 200 /)
})

test('headers of the protocol of Next neither fail nor write into the log', async ({ running }) => {
  const before = running.lines.length
  for (const start of ['GET /sign-in', 'POST /sign-in', 'GET /'])
    for (const headers of [
      { 'Next-Action': 'x'.repeat(42) },
      { 'Next-Action': 'a\tline' },
      { RSC: '1', 'Next-Router-State-Tree': '%7Bnot%20a%20tree' },
      { RSC: '1', 'Next-Router-State-Tree': '["",{}]' },
      { 'Content-Type': 'multipart/form-data; boundary=x', 'Next-Action': 'y' },
    ] as Record<string, string>[]) {
      const what = `${start} ${JSON.stringify(headers)}`
      const answer = await raw(running, start, headers)
      expect(answer, what).not.toMatch(/^HTTP\/1\.1 5/)
      // Next reads some of them when the request comes again with this mark alone.
      const marked = answer.match(/^location: (\/\S*_rsc=\S+)/im)?.[1]
      if (marked !== undefined)
        expect(await raw(running, `GET ${marked}`, headers), what).not.toMatch(/^HTTP\/1\.1 5/)
    }
  const unreadable = { RSC: '1', 'Next-Router-State-Tree': 'garbage' }
  expect(await raw(running, 'GET /sign-in', unreadable)).toMatch(/^HTTP\/1\.1 400/)
  // A line that is written after all of theirs. Not a refusal: of those without a session only some are logged.
  await running.hold('after-the-actions')
  await expect.poll(() => running.lines.some((line) => line.includes('after-the-actions'))).toBe(true)
  for (const line of running.lines.slice(before)) expect(() => JSON.parse(line), line).not.toThrow()
})

test('a page that is answered with 500 has one line in the log, with the id of its request', async ({
  running,
}) => {
  // The page that Next shows when all else fails is an error by itself.
  const id = `failed-${randomBytes(8).toString('hex')}`
  expect(await raw(running, 'GET /_global-error', { 'X-Request-Id': id })).toMatch(/^HTTP\/1\.1 500/)
  await expect.poll(() => running.lines.some((line) => line.includes(id))).toBe(true)
  const lines = running.lines.filter((line) => line.includes(id)).map((line) => JSON.parse(line))
  expect(lines).toMatchObject([{ act: 'page', requestId: id, status: 500 }])
})

test('a host that runs Next itself serves the same API', async ({ running }) => {
  const next = resolve(import.meta.dirname, '../../node_modules/next/dist/bin/next')
  const under = await startConsole({
    keyspace: running.keyspace,
    entry: (port) => [next, 'start', '-H', '127.0.0.1', '-p', String(port)],
  })
  try {
    const { owner } = await running.hold('two-hosts/lease', { value: 'v' })
    for (const [method, path, body] of [
      ['GET', '/v1/locks/two-hosts%2Flease'],
      ['GET', '/v1/leases/two-hosts%2Flease'],
      ['GET', '/v1/locks/two-hosts%2Fnone'],
      ['PUT', '/v1/locks/two-hosts%2Flease', { owner, ttlSeconds: 120 }],
      ['PUT', '/v1/locks/two-hosts%2Flease', { owner: 'another' }],
      ['DELETE', '/v1/locks/two-hosts%2Flease?owner=another'],
      ['GET', '/v1/nothing'],
      ['PATCH', '/v1/session'],
      ['GET', '/healthz'],
      ['GET', '/readyz'],
    ] as [string, string, unknown?][]) {
      const [own, nexts] = [
        await answerOf(running, method, path, body),
        await answerOf(under, method, path, body),
      ]
      expect(nexts.status, `${method} ${path}`).toBe(own.status)
      expect(Object.keys(nexts.body ?? {}), `${method} ${path}`).toEqual(Object.keys(own.body ?? {}))
      expect(nexts.body?.code, `${method} ${path}`).toBe(own.body?.code)
    }
    for (const each of [running, under]) {
      const { headers } = await fetch(`${each.url}/v1/session`, {
        headers: { 'x-request-id': 'two-hosts-1' },
      })
      expect(headers.get('x-request-id')).toBe('two-hosts-1')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    await running.free('two-hosts/lease', owner)
  } finally {
    await under.stop()
  }
})
