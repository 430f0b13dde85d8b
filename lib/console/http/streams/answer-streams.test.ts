/** Answers that come over time, by a server of `node:http`, and by the web's types. */
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import type { AnswerStream, StreamSink } from '../adapters/api-request.ts'
import { TestServer } from '../adapters/test-node-server.ts'
import { toResponse } from '../adapters/web.ts'

const server = new TestServer()

/** A source that the test writes with. */
function source() {
  const state = { sink: undefined as StreamSink | undefined, drained: 0, closed: 0 }
  const stream: AnswerStream = {
    open: (sink) => {
      state.sink = sink
      sink.write('first\n')
    },
    drained: () => state.drained++,
    closed: () => state.closed++,
  }
  const answer = { status: 200, headers: { 'Content-Type': 'text/event-stream' }, text: null, stream }
  return { state, answer }
}

it('comes as it is written, and ends when the source does', async () => {
  const { state, answer } = source()
  server.respond = async () => answer
  const response = await server.get('/v1/watch')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('first\n')
  state.sink?.write('second\n')
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('second\n')
  state.sink?.end()
  expect((await reader.read()).done).toBe(true)
  await expect.poll(() => state.closed).toBe(1)
})

it('says to the source that its reader has gone, once', async () => {
  const { state, answer } = source()
  server.respond = async () => answer
  const leaving = new AbortController()
  const response = await fetch(`${server.url}/v1/watch`, { signal: leaving.signal })
  expect(response.status).toBe(200)
  leaving.abort()
  await expect.poll(() => state.closed).toBe(1)
  expect(state.sink?.write('more')).toBe(false)
  await server.node.close()
  expect(state.closed).toBe(1)
})

it('a reader that reads nothing makes the source wait, and costs no more memory than one text', async () => {
  const { state, answer } = source()
  server.respond = async () => answer
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.pause()
  socket.write('GET /v1/watch HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => state.sink).toBeDefined()
  const text = 'x'.repeat(500_000)
  // What the system takes goes first. A source writes nothing after the first no.
  await expect
    .poll(
      async () => {
        while (state.sink?.write(text));
        const { drained } = state
        await new Promise((done) => setTimeout(done, 50))
        return state.drained === drained
      },
      { timeout: 60_000 },
    )
    .toBe(true)
  const { drained } = state
  socket.resume()
  await expect.poll(() => state.drained).toBeGreaterThan(drained)
  socket.destroy()
  await expect.poll(() => state.closed).toBe(1)
})

it('to the web’s types too', async () => {
  const { state, answer } = source()
  const reader = (toResponse(answer).body as ReadableStream<Uint8Array>).getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('first\n')
  expect(state.sink?.write('x'.repeat(100_000))).toBe(false)
  const { drained } = state
  await reader.read()
  await expect.poll(() => state.drained).toBeGreaterThan(drained)
  await reader.cancel()
  expect([state.closed, state.sink?.write('more')]).toEqual([1, false])
})
