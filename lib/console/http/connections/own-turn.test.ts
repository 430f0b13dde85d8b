/** Pages and files that a client asks for one behind the other, and does not read. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TestServer } from '../adapters/test-node-server.ts'

const served = new TestServer()
/** The pages that were begun, in order. */
let begun: ServerResponse[]
let client: Socket

beforeEach(async () => {
  begun = []
  served.page = async (_, response) => void begun.push(response)
  client = connect(Number(new URL(served.url).port), '127.0.0.1')
  await once(client, 'connect')
})
afterEach(() => client.destroy())

const send = (...paths: string[]) =>
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))

it('a page is begun once the answers before it on its connection were sent', async () => {
  send('/first', '/second', '/v1/third', '/fourth')
  // The request to the API came after the first two pages.
  await expect.poll(() => served.asked).toHaveLength(1)
  expect(begun.map(({ req }) => req.url)).toEqual(['/first'])
  begun[0]?.end('one')
  await expect.poll(() => begun.map(({ req }) => req.url)).toEqual(['/first', '/second'])
  begun[1]?.end('two')
  await expect.poll(() => begun.map(({ req }) => req.url)).toEqual(['/first', '/second', '/fourth'])
})

it('a page whose connection ends before its turn is never begun', async () => {
  send('/first', '/second', '/v1/third')
  await expect.poll(() => served.asked).toHaveLength(1)
  const left = once(begun[0] as ServerResponse, 'close')
  client.destroy()
  await left
  // Another connection is served after it: what was to happen of the first has happened.
  served.page = async (_, response) => void response.end()
  await served.get('/other')
  expect(begun).toHaveLength(1)
})

it('a page of one connection does not wait for another connection', async () => {
  send('/first')
  await expect.poll(() => begun).toHaveLength(1)
  served.page = async (_, response) => void response.end('two')
  expect(await (await served.get('/second')).text()).toBe('two')
})
