/** Ports that another program takes between the choice and the bind: real nodes, and a program that answers as one. */
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomFreePorts } from '../process/ports.mjs'
import { startNode } from './node.mjs'
import { signIn } from './roles/cql-connection.mjs'
import { SHORT_LIVED } from './settings/java-options.mjs'

/** A node that loses its port starts again: minutes on a busy machine. */
const WITHIN_MS = 600_000

/** @type {import('./node.mjs').CassandraNode[]} */
let nodes = []
afterAll(() => Promise.all(nodes.map((node) => node.stop())))
beforeAll(() => {
  if (!process.env.LEASEHOLD_TEST_DIR) throw new Error('LEASEHOLD_TEST_DIR is not set: run `npm test`.')
})

/** @param {string} name */
const directory = (name) => join(process.env.LEASEHOLD_TEST_DIR ?? '', 'nodes', name)

it(
  'both come up when two are started at the same moment on the same port, each with passwords of its own',
  async () => {
    const [port = 0] = await randomFreePorts(1)
    const names = ['one', 'two']
    const started = names.map((name) =>
      startNode({ dataDir: directory(name), preferredPort: port, javaOptions: SHORT_LIVED }),
    )
    for (const each of started) each.then((node) => nodes.push(node)).catch(() => {})
    const [one, two] = await Promise.all(started)
    expect([one?.port, two?.port].sort()).toEqual([port, expect.any(Number)])
    expect(one?.port).not.toBe(two?.port)
    for (const [index, node] of [one, two].entries()) {
      if (!node) continue
      const admin = await signIn({ host: node.host, port: node.port, ...node.roles.admin })
      const found = await admin.query(
        "SELECT value FROM system_views.settings WHERE name = 'commitlog_directory'",
      )
      admin.close()
      expect(found[0]?.[0]?.startsWith(directory(names[index] ?? ''))).toBe(true)
    }
    await Promise.all(nodes.map((node) => node.stop()))
    nodes = []
  },
  WITHIN_MS,
)

it(
  'shows no password to a program that took its port and answers as Cassandra does, and says which port it is',
  async () => {
    const [port = 0] = await randomFreePorts(1)
    let received = ''
    const other = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        received += bytes.toString('latin1')
        socket.write(Buffer.from([0x84, 0, 0, 0, 0x06, 0, 0, 0, 0]))
      })
    })
    const begun = (/** @type {string} */ line) => {
      if (line.startsWith('process') && !other.listening) other.listen(port, '127.0.0.1')
    }
    await expect(
      startNode({ dataDir: directory('three'), preferredPort: port, onlyThatPort: true, log: begun }),
    ).rejects.toThrow(`LEASEHOLD_CASSANDRA_PORT ${port} is taken by another program`)
    expect(received).not.toContain('leasehold_admin')
    expect(received).not.toContain('cassandra')
    await new Promise((done) => other.close(done))
  },
  WITHIN_MS,
)
