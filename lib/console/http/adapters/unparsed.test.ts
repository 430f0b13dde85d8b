import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { problemAnswer } from '../http-problem.ts'
import type { Answer, ApiRequest, BodyReader, StreamSink } from './api-request.ts'
import { createNodeServer, type NodeServer } from './node-server.ts'

/** What Node would answer by itself, or cannot parse: each gets a problem, with an id and the headers of every answer. */
let node: NodeServer
let asked: string[]
let answers: ((answer: Answer) => void)[]
let readers: (BodyReader | undefined)[]
const ok: Answer = { status: 200, headers: {}, text: 'an answer' }

beforeEach(async () => {
  asked = []
  answers = []
  readers = []
  node = createNodeServer({
    limitPage: async () => null,
    publicUrl: new URL('http://localhost:3000'),
    respond: ({ url, body }: ApiRequest) => {
      asked.push(new URL(url).pathname)
      readers.push(body?.getReader())
      return new Promise((done) => answers.push(done))
    },
    page: async () => {},
    failed: () => {},
  })
  await new Promise<void>((done) => node.server.listen(0, '127.0.0.1', done))
})
afterEach(() => node.close())

/** Sends a text as it is; `heard` is all that was answered, once the connection has ended. */
function send(text: string) {
  let heard = ''
  const { port } = node.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  socket.setEncoding('utf8').on('data', (chunk) => {
    heard += chunk
  })
  const ended = new Promise<string>((done) => {
    socket.on('error', () => {}).once('close', () => done(heard))
  })
  return { socket, ended, soFar: () => heard }
}
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

function checkProblem(answer: string, status: number, code: string): void {
  expect(statuses(answer)).toEqual([status])
  for (const header of [
    /x-request-id: [0-9a-f-]{36}\r\n/i,
    /x-content-type-options: nosniff\r\n/i,
    /content-security-policy: default-src 'none'/i,
    /content-type: application\/problem\+json\r\n/i,
  ])
    expect(answer).toMatch(header)
  const body = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
  expect(body).toMatchObject({ status, code })
}

it.each([
  [
    'headers that are too long',
    `GET /v1/locks/x?since=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    431,
    'headers-too-large',
  ],
  ['what is no HTTP', 'NOT HTTP\r\n\r\n', 400, 'bad-request'],
  ['a request without a host', 'GET /v1/leases HTTP/1.1\r\n\r\n', 400, 'bad-request'],
  ['a page without a host', 'GET / HTTP/1.1\r\n\r\n', 400, 'bad-request'],
  [
    'an expectation',
    'PUT /v1/locks/x HTTP/1.1\r\nHost: x\r\nExpect: something\r\nContent-Length: 2\r\n\r\n{}',
    417,
    'expectation-failed',
  ],
])('%s is answered with a problem', async (_, text, status, code) => {
  checkProblem(await send(text).ended, status as number, code as string)
  expect(asked).toEqual([])
})

it('an HTTP/1.0 client names no host, and one that waits for 100 Continue gets it', async () => {
  const old = send('GET /v1/old HTTP/1.0\r\n\r\n')
  await expect.poll(() => asked).toEqual(['/v1/old'])
  answers[0]?.(ok)
  expect(statuses(await old.ended)).toEqual([200])
  const waits = send(
    'PUT /v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n',
  )
  await expect.poll(() => statuses(waits.soFar())).toEqual([100])
  waits.socket.write('{}')
  answers[1]?.(ok)
  expect(statuses(await waits.ended)).toEqual([100, 200])
})

it('CONNECT is answered with a problem, under its own id', async () => {
  const connecting = 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n'
  const answer = await send(`${connecting}\r\n`).ended
  checkProblem(answer, 405, 'method-not-allowed')
  expect(answer).toContain('\r\nAllow: GET, HEAD\r\n')
  expect(await send(`${connecting}X-Request-Id: an-id-of-mine\r\n\r\n`).ended).toContain(
    'X-Request-Id: an-id-of-mine\r\n',
  )
})

describe('after earlier requests on the same connection', () => {
  it.each([
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['what is no HTTP', 'NOT HTTP\r\n\r\n', 400],
    ['a request without a host', 'GET /v1/c HTTP/1.1\r\n\r\n', 400],
  ])('%s is answered last', async (_, bad, status) => {
    const { ended, socket, soFar } = send(get('/v1/a') + get('/v1/b') + bad)
    await expect.poll(() => asked).toEqual(['/v1/a', '/v1/b'])
    // More of the same is no other request.
    socket.write('and more\r\n\r\n')
    answers[1]?.(ok)
    await new Promise((later) => setTimeout(later, 50))
    expect(soFar()).toBe('')
    answers[0]?.(ok)
    expect(statuses(await ended)).toEqual([200, 200, status])
  })

  it('a body that breaks off in its middle is answered once', async () => {
    const head = 'PUT /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
    const open = send(`${head}2\r\n{}\r\n`)
    await expect.poll(() => asked).toEqual(['/v1/x'])
    const [reader] = readers
    await reader?.read()
    const rest = reader?.read()
    open.socket.write('no length\r\n')
    // Answered by the API, which reads the body.
    const problem = await rest?.catch((thrown) => thrown)
    answers[0]?.(problemAnswer(problem, 'an-id-of-a-request'))
    expect(statuses(await open.ended)).toEqual([400])
    // One that was answered before its body was read.
    const answered = send(`${head}2\r\n{}\r\n`)
    await expect.poll(() => asked.length).toBe(2)
    answers[1]?.(ok)
    await expect.poll(() => statuses(answered.soFar())).toEqual([200])
    answered.socket.write('no length\r\n')
    expect(statuses(await answered.ended)).toEqual([200])
  })

  it('CONNECT is answered after an answer that its sender reads slowly', async () => {
    const { ended, socket } = send(`${get('/v1/a')}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`)
    socket.pause()
    await expect.poll(() => asked).toEqual(['/v1/a'])
    const piece = 'x'.repeat(4 * 1024 * 1024)
    let left = 5
    let sink: StreamSink | undefined
    const next = () => (left-- > 0 ? sink?.write(piece) : sink?.end())
    const stream = {
      open: (given: StreamSink) => {
        sink = given
        next()
      },
      drained: () => void next(),
      closed: () => {},
    }
    answers[0]?.({ ...ok, text: null, stream })
    socket.resume()
    const heard = await ended
    expect(statuses(heard)).toEqual([200, 405])
    expect(heard.length).toBeGreaterThan(5 * piece.length)
  })

  it.each(['NOT HTTP', 'CONNECT x:1 HTTP/1.1\r\nHost: x'])(
    'nothing is waited for once the client has gone: %s',
    async (bad) => {
      const { socket, ended } = send(`${get('/v1/a')}${get('/v1/b')}${bad}\r\n\r\n`)
      await expect.poll(() => asked).toEqual(['/v1/a', '/v1/b'])
      socket.resetAndDestroy()
      await ended
      await expect
        .poll(() => new Promise((done) => node.server.getConnections((_, count) => done(count))))
        .toBe(0)
    },
  )

  it('nothing is waited for once the client has gone', async () => {
    const { socket, ended } = send(get('/v1/a'))
    await expect.poll(() => asked).toEqual(['/v1/a'])
    socket.resetAndDestroy()
    await ended
    await expect
      .poll(() => new Promise((done) => node.server.getConnections((_, count) => done(count))))
      .toBe(0)
  })
})

it.each([
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['what cannot be parsed', 'garbage\r\n\r\n'],
])(
  'after %s no connection stays: neither of senders that are gone, nor of one that goes on',
  async (_, text) => {
    const { port } = node.server.address() as AddressInfo
    const senders = Array.from({ length: 5 }, () => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {}).resume()
      socket.write(text)
      return socket
    })
    await new Promise((done) => setTimeout(done, 200))
    for (const [i, socket] of senders.entries()) {
      socket.write('x'.repeat(100))
      if (i > 0) socket.end()
      if (i > 1) socket.destroy()
    }
    const connections = () => new Promise((done) => node.server.getConnections((_, count) => done(count)))
    await expect.poll(connections).toBe(0)
    await node.close()
  },
)
