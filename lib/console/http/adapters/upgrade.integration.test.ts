/** Clients that offer to speak HTTP/2 over a plain connection, as they come: Java's own, and curl. */
import { execFile } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findJava } from '../../../../scripts/setup/java.mjs'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import type { BodyReader } from './api-request.ts'
import { createNodeServer, type NodeServer } from './node-server.ts'

const run = promisify(execFile)
let node: NodeServer
let url: string
/** The headers of what came. */
const offers: (string | null)[] = []

beforeAll(async () => {
  node = createNodeServer({
    publicUrl: new URL('http://localhost:3000'),
    respond: async ({ method, headers, body }) => {
      offers.push(headers.get('upgrade'))
      return { status: 200, headers: {}, text: `${method} ${await textOf(body?.getReader())}` }
    },
    page: async (_, response) => void response.end('a page'),
    limitPage: async () => null,
    failed: (error) => {
      throw error
    },
  })
  await new Promise<void>((done) => node.server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(node.server.address() as AddressInfo).port}`
})
afterAll(() => node.close())

async function textOf(reader: BodyReader | undefined): Promise<string> {
  let text = ''
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read())
    text += Buffer.from(piece.value).toString()
  return text
}

it("Java's HttpClient is answered in HTTP/1.1", async () => {
  const java = (await findJava()).java
  const jars = process.env.LEASEHOLD_JARS ?? ''
  const compiler = readdirSync(jars).find((name) => /^ecj-.*\.jar$/.test(name)) ?? 'no ecj'
  const classes = temporaryFolder('leasehold-java')
  try {
    // A Java that runs Cassandra may have no compiler; Cassandra comes with one.
    const source = resolve(import.meta.dirname, 'UpgradeOffer.java')
    await run(java?.path ?? 'java', ['-jar', join(jars, compiler), '-11', '-d', classes, source])
    const { stdout } = await run(java?.path ?? 'java', ['-cp', classes, 'UpgradeOffer', `${url}/v1/locks/x`])
    expect(stdout.split('\n')).toEqual([
      'HTTP_1_1 200 GET ',
      'HTTP_1_1 200 PUT {"ttlSeconds":60}',
      'HTTP_1_1 200 GET ',
      '',
    ])
    expect(offers).toContain('h2c')
  } finally {
    rmSync(classes, { recursive: true, force: true })
  }
})

it.each([
  ['/v1/locks/x', 'GET '],
  ['/', 'a page'],
])('curl --http2 is answered in HTTP/1.1: %s', async (path, text) => {
  const { stdout } = await run('curl', ['--http2', '-sS', '-w', ' %{http_version} %{http_code}', url + path])
  expect(stdout).toBe(`${text} 1.1 200`)
})

it('curl --http2 sends a body', async () => {
  offers.length = 0
  const args = ['--http2', '-sS', '-X', 'PUT', '-d', '{"ttlSeconds":60}', `${url}/v1/locks/x`]
  expect((await run('curl', args)).stdout).toBe('PUT {"ttlSeconds":60}')
  expect(offers).toEqual(['h2c'])
})
