import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { wholeBody } from './whole-body.ts'

let server: Server

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** @returns what the server reads where a client sends this much of a body of four bytes, and goes */
async function read(sent: string): Promise<string | undefined> {
  server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(`PUT / HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\n\r\n${sent}`)
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  client.destroy()
  return wholeBody(request)
}

it('is what was sent', async () => expect(await read('four')).toBe('four'))
it('is nothing where the client went in the middle', async () => expect(await read('fo')).toBeUndefined())
