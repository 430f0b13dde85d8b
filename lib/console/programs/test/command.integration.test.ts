/** The command through a server: what `--server` needs beside the address. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BuiltCommand } from '../../../leasehold/cli/test-command.ts'
import { testKeptTtlSeconds, testVariant } from '../../../leasehold/test/node-session.ts'
import { wholeBody } from '../../../leasehold/test/whole-body.ts'
import { defaultMaxClockSkewMs } from '../../../leasehold/time/index.ts'
import { serve } from '../../http/router.ts'
import { type TestConsole, testConsole, testOrigin } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'

let console: TestConsole
let listener: Server
let leasehold: BuiltCommand

beforeAll(async () => {
  console = await testConsole(await emptiedKeyspace())
  const { body } = await console.api('POST', '/v1/tokens', { name: 'command', prefixes: [''] })
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await wholeBody(request)
    if (body === undefined) return
    const { method = 'GET', url = '/', headers } = request
    const answer = await serve(
      new Request(new URL(url, testOrigin), {
        method,
        headers: Object.entries(headers).map(([key, value]): [string, string] => [key, String(value)]),
        body: method === 'GET' ? null : body,
      }),
      console.context,
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  }
  listener = createServer((request, response) => {
    // A promise that rejects and that no code awaits ends the process of all tests.
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  leasehold = new BuiltCommand({
    LEASEHOLD_SERVER: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    LEASEHOLD_API_TOKEN: body.token,
  })
})
afterAll(async () => {
  leasehold?.remove()
  listener?.close()
  await console?.context.session.close()
})

it('two fair waiters take turns; a short TTL needs the Paxos variant', async () => {
  const args = (ttl: number) => [
    'run',
    'through/server',
    '--ttl',
    String(ttl),
    '--fair',
    '--',
    'sh',
    '-c',
    'echo in; sleep 0.3; echo out',
  ]
  const refused = await leasehold.run(args(6))
  expect(refused).toMatchObject({ code: 64, stdout: '' })
  expect(refused.stderr).toContain('--paxos-variant v2')
  const env = { CASSANDRA_PAXOS_VARIANT: testVariant }
  const runShort = () => leasehold.run(args(testKeptTtlSeconds(defaultMaxClockSkewMs)), { env })
  let short = await runShort()
  // A busy machine may lose a lease as short as that before the command has ended, but not each time.
  for (let runs = 1; short.code === 121 && runs < 5; runs++) short = await runShort()
  expect(short).toMatchObject({ code: 0, stdout: 'in\nout\n' })
  const both = await Promise.all([1, 2].map(() => leasehold.run(args(60), { env })))
  expect(both).toMatchObject([
    { code: 0, stdout: 'in\nout\n' },
    { code: 0, stdout: 'in\nout\n' },
  ])
})

it('elect leads, and resigns when it is interrupted', async () => {
  const running = leasehold.start(['elect', 'through/group', '--json'])
  await expect.poll(running.stdout).toContain('elected')
  process.kill(running.pid, 'SIGTERM')
  const { code, stdout } = await running.finished
  expect(code).toBe(0)
  expect(stdout).toContain('resigned')
})
