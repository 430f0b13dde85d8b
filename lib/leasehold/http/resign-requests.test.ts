import { afterAll, beforeAll, expect, it } from 'vitest'
import { HttpResignRequests } from './resign-requests.ts'
import { LeaseholdServer } from './server.ts'
import { problem, scriptedServer } from './test-server.ts'

let http: Awaited<ReturnType<typeof scriptedServer>>
let server: LeaseholdServer
beforeAll(async () => {
  http = await scriptedServer()
  server = new LeaseholdServer({ url: http.url })
})
afterAll(() => http.close())

const shown = {
  id: 'r1',
  owner: 'host:1:a:1',
  requestedBy: 'ana',
  reason: 'INC-2214',
  requestedAt: '2026-11-21T10:00:00.123Z',
}
const request = {
  id: 'r1',
  name: 'a/b',
  owner: 'host:1:a:1',
  requestedBy: 'ana',
  reason: 'INC-2214',
  requestedAtMs: Date.UTC(2026, 10, 21, 10, 0, 0, 123),
}

it('reads the requests of one lease in its table', async () => {
  const empty = { status: 200, body: { requests: [] } }
  http.script({ status: 200, body: { requests: [shown] } }, empty, empty)
  expect(await new HttpResignRequests(server).of('a/b')).toEqual([request])
  expect(await new HttpResignRequests(server, { table: 'locks' }).of('a/b')).toEqual([])
  expect(await new HttpResignRequests(server).of('a/b', 'host:1:a:1')).toEqual([])
  expect(http.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v1/resign-requests/a%2Fb',
    'GET /v1/resign-requests/a%2Fb?table=locks',
    'GET /v1/resign-requests/a%2Fb?owner=host%3A1%3Aa%3A1',
  ])
})

it.each([
  ['a server that does not know the route', problem(404, 'not-found'), 'store-refused'],
  ['a token that may not read them', problem(403, 'forbidden'), 'store-refused'],
  ['no quorum', problem(503, 'cassandra-unavailable'), 'store-unavailable'],
  ['a broken connection', 'cut' as const, 'store-unavailable'],
  ['something else than requests', { status: 200, body: {} }, 'store-unavailable'],
  [
    'a request without an owner',
    { status: 200, body: { requests: [{ ...shown, owner: null }] } },
    'store-unavailable',
  ],
])('throws the right error: %s', async (_, answer, code) => {
  http.script(answer)
  await expect(new HttpResignRequests(server).of('a/b')).rejects.toMatchObject({ code })
})

it('refuses to ask: an operator asks in the console', async () => {
  http.script()
  await expect(new HttpResignRequests(server).ask(request)).rejects.toMatchObject({ code: 'store-refused' })
  expect(http.asked).toEqual([])
})
