import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import cassandra from 'cassandra-driver'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { processIdentity } from '../process/identity.mjs'
import { probePort } from '../process/ports.mjs'
import { startNode } from './node.mjs'
import { SHORT_LIVED } from './settings/java-options.mjs'

/**
 * One node, in the order of a bad day: its owner is killed, it is taken over, it is killed itself, it is stopped, and
 * its directory is restored elsewhere. A node takes minutes to start on a busy machine.
 */

const dataDir = join(process.env.LEASEHOLD_TEST_DIR ?? '', 'nodes', 'bad-day')
const { consistencies } = cassandra.types
const lwt = { prepare: true, consistency: consistencies.quorum, serialConsistency: consistencies.serial }

/** @type {{ port: number, pid: number, admin: import('./roles-file.mjs').Credentials }} */
let orphan
/** @type {import('./node.mjs').CassandraNode} */
let node
/** @type {cassandra.Client} */
let client

/** @param {number} port @param {import('./roles-file.mjs').Credentials} credentials */
async function connect(port, credentials) {
  await client?.shutdown()
  client = new cassandra.Client({
    contactPoints: [`127.0.0.1:${port}`],
    localDataCenter: 'datacenter1',
    credentials,
    protocolOptions: { maxVersion: 4 },
  })
  await client.connect()
}

/**
 * Again when there is no answer in time: the first statements of a node that has just started take seconds on a busy machine.
 *
 * @template T
 * @param {() => Promise<T>} statement
 */
async function answered(statement) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await statement()
    } catch (error) {
      if (tries === 20) throw error
    }
  }
}

/** @param {string} name */
const acquire = async (name) => {
  const result = await client.execute(
    'UPDATE bad_day.leases USING TTL ? SET owner = ? WHERE name = ? IF owner = null',
    [86_400, name, name],
    lwt,
  )
  return result.first()['[applied]']
}

/** @param {string[]} names @returns {Promise<string[]>} those that are not there */
async function lost(names) {
  const missing = []
  for (const name of names) {
    const options = { prepare: true, consistency: consistencies.serial }
    const cql = 'SELECT owner FROM bad_day.leases WHERE name = ?'
    const result = await answered(() => client.execute(cql, [name], options))
    if (result.first()?.owner !== name) missing.push(name)
  }
  return missing
}

beforeAll(async () => {
  if (!process.env.LEASEHOLD_TEST_DIR) throw new Error('LEASEHOLD_TEST_DIR is not set: run `npm test`.')
  const module = fileURLToPath(new URL('node.mjs', import.meta.url))
  const script = `import { startNode } from ${JSON.stringify(module)}
    const node = await startNode({ dataDir: ${JSON.stringify(dataDir)}, javaOptions: ${JSON.stringify(SHORT_LIVED)} })
    console.log(JSON.stringify({ port: node.port, pid: node.pid, admin: node.roles.admin }))`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(owner.stdout, 'data')
  orphan = JSON.parse(String(line))
  await expect(startNode({ dataDir })).rejects.toThrow(
    `Process ${owner.pid} already runs a Cassandra node in ${join(dataDir, 'cassandra')}`,
  )
  owner.kill('SIGKILL')
  await once(owner, 'exit')
}, 600_000)

afterAll(async () => {
  await client?.shutdown()
  await node?.stop()
})

it('outlives its owner, is ended by the next one, and keeps what was acknowledged', async () => {
  expect(processIdentity(orphan.pid)).not.toBeNull()
  await connect(orphan.port, orphan.admin)
  await client.execute(
    "CREATE KEYSPACE bad_day WITH replication = { 'class': 'NetworkTopologyStrategy', 'datacenter1': 1 }",
  )
  await client.execute('CREATE TABLE bad_day.leases (name text PRIMARY KEY, owner text, value text)')
  // A try without an answer may have acquired it.
  expect((await answered(() => acquire('before'))) || (await lost(['before'])).length === 0).toBe(true)

  node = await startNode({ dataDir, preferredPort: orphan.port, javaOptions: SHORT_LIVED })

  expect(processIdentity(orphan.pid)).toBeNull()
  expect(node.port).toBe(orphan.port)
  await connect(node.port, node.roles.admin)
  expect(await lost(['before'])).toEqual([])
}, 600_000)

it.runIf(process.platform === 'linux')('gets none of the environment of its owner', () => {
  const environment = readFileSync(`/proc/${node.pid}/environ`, 'utf8')
  expect(environment).toContain('PATH=')
  expect(environment).not.toContain('LEASEHOLD_')
  expect(environment).not.toContain(node.roles.admin.password)
})

it('loses no acknowledged lease to kill -9 amid eight writers', async () => {
  const acknowledged = ['before']
  let killed = false
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let i = 0; !killed; i += 1) {
      const name = `${writer}/${i}`
      try {
        if (await acquire(name)) acknowledged.push(name)
      } catch {
        // A node that pauses for two seconds times out the writes of all eight: they go on until it is killed.
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  })
  while (acknowledged.length < 300) await new Promise((resolve) => setTimeout(resolve, 20))
  await node.kill()
  killed = true
  await Promise.all(writers)
  expect((await node.exited).signal).toBe('SIGKILL')

  node = await startNode({ dataDir, preferredPort: node.port, javaOptions: SHORT_LIVED })

  await connect(node.port, node.roles.admin)
  expect(await lost(acknowledged)).toEqual([])
}, 600_000)

it('stops in order, and lets its port go', async () => {
  await client.shutdown()
  await node.stop()
  const { code, signal } = await node.exited
  expect({ code, signal }).toEqual({ code: 143, signal: null })
  expect(processIdentity(node.pid)).toBeNull()
  expect(await probePort(node.port)).toBe('free')
}, 600_000)

it('comes back from a copy of its stopped directory, in another place, with its data and its passwords', async () => {
  const { roles } = node
  const copy = `${dataDir}-restored`
  rmSync(copy, { recursive: true, force: true })
  cpSync(dataDir, copy, { recursive: true })

  node = await startNode({ dataDir: copy, javaOptions: SHORT_LIVED })

  expect(node.roles).toEqual(roles)
  await connect(node.port, roles.admin)
  expect(await lost(['before'])).toEqual([])
}, 600_000)
