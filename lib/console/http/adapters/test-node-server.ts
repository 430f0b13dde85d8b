/** A server for tests, whose API and pages are functions of the test. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach } from 'vitest'
import type { Answer, ApiRequest } from './api-request.ts'
import { createNodeServer, type NodeServer } from './node-server.ts'

/**
 * To be made once in a file, outside of tests. Each test has a new server.
 * @param looksEveryMs how often the server looks for requests that are past their time limit; 30 s unless set
 */
export class TestServer {
  node!: NodeServer
  url!: string
  /** The requests that the API got. */
  asked: ApiRequest[] = []
  /** The requests that pages got. */
  opened: { url: string | undefined; headers: Record<string, unknown> }[] = []
  failures: unknown[] = []
  readonly #looksEveryMs: number | undefined
  respond!: (request: ApiRequest) => Promise<Answer>
  page!: (request: IncomingMessage, response: ServerResponse) => Promise<void>

  constructor({ looksEveryMs }: { looksEveryMs?: number } = {}) {
    this.#looksEveryMs = looksEveryMs
    beforeEach(async () => {
      this.asked = []
      this.opened = []
      this.failures = []
      this.respond = async () => ({
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        text: '{}',
      })
      this.page = async (request, response) => {
        if (request.url === '/fails') throw new Error('a page that fails')
        response.end('a page')
      }
      await this.start()
    })
    afterEach(() => this.node.close())
  }

  async start(publicUrl = 'http://localhost:3000'): Promise<void> {
    this.node = createNodeServer({
      limitPage: async (path) => (path === '/too-many' ? 7 : null),
      publicUrl: new URL(publicUrl),
      respond: (request) => {
        this.asked.push(request)
        return this.respond(request)
      },
      page: (request, response) => {
        this.opened.push({ url: request.url, headers: { ...request.headers } })
        return this.page(request, response)
      },
      failed: (error) => this.failures.push(error),
    })
    // Node reads it from the server when it begins to listen.
    if (this.#looksEveryMs !== undefined)
      Object.assign(this.node.server, { connectionsCheckingInterval: this.#looksEveryMs })
    await new Promise<void>((done) => this.node.server.listen(0, '127.0.0.1', done))
    this.url = `http://127.0.0.1:${(this.node.server.address() as AddressInfo).port}`
  }

  get(path = '/', headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, { headers })
  }

  /** Sends this text. @returns all that is answered until the connection ends */
  raw(text: string): Promise<string> {
    return new Promise((done, fail) => {
      let heard = ''
      const { port } = new URL(this.url)
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
      socket.setEncoding('utf8').on('data', (chunk) => {
        heard += chunk
      })
      socket.once('close', () => done(heard)).once('error', fail)
    })
  }

  /** Sends a request whose target is not changed on the way, as `fetch` would. */
  line(method: string, target: string, more = ''): Promise<string> {
    return this.raw(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`)
  }
}
