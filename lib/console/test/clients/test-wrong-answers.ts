/**
 * For tests alone: the programs of docs/clients against a server and a store that do not answer as Leasehold and the store of the
 * page do. A gateway may stand in the place of either. No Cassandra is needed.
 */
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { RunningProgram } from '../../../leasehold/test/documentation/running-program.ts'
import { wholeBody } from '../../../leasehold/test/whole-body.ts'
import { compiled, type Language, writePrograms } from './test-programs.ts'

const servers: Server[] = []
const started: RunningProgram[] = []
let directory: string

interface Asked {
  method: string
  url: URL
  body: string
}
/** @returns its URL */
async function listening(answer: (asked: Asked, response: ServerResponse) => void): Promise<string> {
  const answered = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await wholeBody(request)
    if (body === undefined) return
    const { method = '', url = '' } = request
    answer({ method, url: new URL(url, 'http://localhost'), body }, response)
  }
  const server = createServer((request, response) => {
    // A promise that rejects and that no code awaits ends the process of all tests.
    answered(request, response).catch(() => response.destroy())
  })
  servers.push(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A lock's server: `acquired` is what its 201 has, for the owner that was sent. It renews nothing. */
async function lockServer(acquired: (owner: string) => string) {
  const [sent, released]: [string[], (string | null)[]] = [[], []]
  const url = await listening((asked, response) => {
    response.setHeader('Content-Type', 'application/json')
    if (asked.method === 'DELETE') {
      released.push(asked.url.searchParams.get('owner'))
      response.writeHead(204).end()
      return
    }
    const { owner, renewOnly } = JSON.parse(asked.body) as { owner: string; renewOnly?: boolean }
    if (renewOnly) return void response.writeHead(503, { 'Retry-After': '1' }).end()
    sent.push(owner)
    response.writeHead(201).end(acquired(owner))
  })
  return { url, sent, released }
}
const held = (owner: string) => JSON.stringify({ owner, token: '1764000000000000' })

/** Sends a byte now and then, for as long as the client reads: no single read of its takes long. */
function drip(response: ServerResponse): void {
  const socket = response.socket
  const drop = setInterval(() => socket?.write('x'), 200)
  socket?.on('error', () => {})
  socket?.on('close', () => clearInterval(drop))
}

/** Declares the tests of these languages' programs, which run all at once. */
export function testWrongAnswers(languages: Language[]): void {
  beforeAll(() => {
    directory = temporaryFolder('clients')
    writePrograms(directory)
  })
  afterAll(() => {
    for (const running of started) running.kill()
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    if (directory) rmSync(directory, { recursive: true, force: true })
  })

  describe.concurrent.each(languages)('$name', ({ name: _, ...program }) => {
    let ready: Promise<string[]> | undefined
    /** The lock outlives all that a busy machine does with it, unless the test waits for its end. */
    const worker = async (server: string, store: string, ttl = '60') => {
      ready ??= compiled(program, directory)
      const running = new RunningProgram([...(await ready), 'billing/report', '1'], {
        cwd: directory,
        env: {
          NODE_ENV: 'production',
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          LANG: 'C.UTF-8',
          LEASEHOLD_SERVER: server,
          LEASEHOLD_API_TOKEN: 'lh_test',
          LEASEHOLD_TTL: ttl,
          CASSANDRA_PAXOS_VARIANT: 'v2',
          STORE_URL: store,
        },
      })
      started.push(running)
      return running.ended()
    }
    const nowhere = 'http://127.0.0.1:1'

    it.each([
      ['one that is no JSON', () => '<html></html>'],
      ['one with an empty token', (owner: string) => JSON.stringify({ owner, token: '' })],
      ['that of another owner', () => held('another')],
    ])('takes no 201 for the lock but the server’s: %s', async (_, acquired) => {
      const server = await lockServer(acquired)
      const { code, stdout, stderr } = await worker(server.url, nowhere)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain('201')
      // The server behind the gateway may have it.
      expect(server.released).toEqual(server.sent)
      expect(server.sent).toHaveLength(1)
    })

    it.each([500, 302])('takes no answer of the store but its own for a write: %s', async (status) => {
      const server = await lockServer(held)
      const store = await listening((_, response) => {
        response.writeHead(status, { Location: nowhere }).end()
      })
      const { code, stdout, stderr } = await worker(server.url, store)
      expect({ code, stdout }).toEqual({ code: 1, stdout: 'acquired 1764000000000000\n' })
      expect(stderr).toContain(String(status))
      expect(server.released).toEqual(server.sent)
    })

    it.each(['head', 'body'])(
      'ends with its lock while the %s of an answer of the store trickles in',
      async (part) => {
        const server = await lockServer(held)
        const store = await listening((_, response) => {
          if (part === 'head') response.socket?.write('HTTP/1.1 204 No Content\r\nX-Slow: ')
          else response.writeHead(200, { 'Content-Length': '1000000' }).write('x')
          drip(response)
        })
        const { code, stdout } = await worker(server.url, store, '12')
        expect(code).toBe(121)
        expect(stdout).toMatch(/^acquired 1764000000000000\nlost: /)
      },
    )
  })
}
