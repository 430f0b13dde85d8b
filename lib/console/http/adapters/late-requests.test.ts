import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeEach, expect, it } from 'vitest'
import { problemAnswer } from '../http-problem.ts'
import { readJsonBody } from '../request/json-body.ts'
import { TestServer } from './test-node-server.ts'

/** Requests that had not arrived in full when their time was over. The rest of them comes later. */
const server = new TestServer({ looksEveryMs: 20 })
let done: unknown[]
let lookedUp: () => void

beforeEach(() => {
  done = []
  const looking = new Promise<void>((resolve) => {
    lookedUp = resolve
  })
  server.respond = async (request) => {
    await looking
    try {
      done.push(request.method === 'PUT' ? await readJsonBody(request) : 'deleted')
      return { status: 200, headers: {}, text: 'it is done' }
    } catch (thrown) {
      return problemAnswer(thrown as never, 'the-id-of-this')
    }
  }
})

const head =
  'PUT /v1/locks/x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n'

/** Sends `begin`, and `rest` after the time for a request is over. @returns all that was answered */
async function late(begin: string, rest: string): Promise<string> {
  let heard = ''
  const { port } = new URL(server.url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  socket.setEncoding('utf8').on('data', (text) => {
    heard += text
  })
  const ended = once(socket, 'end')
  const { server: http } = server.node
  const connected = once(http, 'connection')
  const over = once(http, 'clientError')
  socket.write(begin)
  const [accepted] = (await connected) as [Socket]
  await expect.poll(() => accepted.bytesRead).toBe(begin.length)
  await expect.poll(() => server.asked.length).toBe(begin.includes('\r\n\r\n') ? 1 : 0)
  // Only now: a process that stands still before it has read the beginning would find no request that is late.
  Object.assign(http, { requestTimeout: 1, headersTimeout: 1 })
  await over
  socket.write(rest)
  // The server reads the rest before the sender is known.
  await new Promise((later) => setTimeout(later, 100))
  lookedUp()
  await ended
  // Longer than reading a body takes that has come.
  await new Promise((later) => setTimeout(later, 50))
  socket.destroy()
  return heard
}

it('a request that is answered 408 is not carried out, though its body comes', async () => {
  const answer = await late(head, '{}')
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 408'])
  expect(answer).toContain('body-too-slow')
  expect([server.asked.length, done]).toEqual([1, []])
})

it('nor is one whose head comes after the answer', async () => {
  const answer = await late(head.slice(0, 30), `${head.slice(30)}{}`)
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 408'])
  expect([server.asked, done]).toEqual([[], []])
})

it('nor is one behind it on the same connection', async () => {
  await late(head, `{}${head}{}`)
  expect([server.asked.length, done]).toEqual([1, []])
})

it('one that is carried out without its body gets the answer of what was done', async () => {
  const answer = await late('DELETE /v1/locks/x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n', '{}')
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  expect(done).toEqual(['deleted'])
})
