/**
 * The Cassandra of the tests: one for all stages. `npm test -- --node` keeps one running, and runs use it; otherwise a
 * run starts one of its own.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { signIn } from '../cassandra/cql-connection.mjs'
import { adoptJars, fetchJars, jarsComplete } from '../cassandra/jars.mjs'
import { startNode } from '../cassandra/node.mjs'
import { nodePlaces } from '../cassandra/places.mjs'
import { ROLES, readRolesFile } from '../cassandra/roles-file.mjs'
import { oneAtATime } from '../process/lock.mjs'
import { register, registered } from '../process/registry.mjs'
import { makeDirectory } from '../setup/directory.mjs'
import { FETCH_NEEDS_BYTES, requireSpace, START_NEEDS_BYTES } from '../setup/disk.mjs'
import { ensureToolchain } from '../setup/toolchain.mjs'
import { Failure } from '../terminal/failure.mjs'

/** Every test file has a keyspace with all tables of its own; some 100 of them do not fit into what one console needs. */
const HEAP_MB = 2048
/**
 * Cassandra flushes the schema to the disk after every CREATE TABLE: twenty tables took 7 to 14 s that way, and 2 to 3.5 s
 * with the commit log alone. The tests make some 800. Tests that kill a node start one of their own, as users do.
 */
const JAVA_OPTIONS = ['-Dcassandra.test.flush_local_schema_changes=false']
const KIND = 'test-node'
/** Cassandra's own, and the one in which the node's role for programs may make tables. */
const KEPT = /^(system|programs$)/

/** @typedef {import('../cassandra/roles-file.mjs').Credentials} Credentials */
/** @typedef {{ contactPoint: string, admin: Credentials, program: Credentials, stop?: () => Promise<void> }} TestNode stop: of one that this run has started */
/** @typedef {{ root: string, testDir: string, jarsDir: string, signal: AbortSignal, steps: ReturnType<typeof import('../terminal/steps.mjs').createSteps> }} Setup */

/**
 * Starts a node in this directory.
 *
 * @param {string} dataDir
 * @param {Setup} setup
 */
async function start(dataDir, { root, testDir, jarsDir, signal, steps }) {
  const log = (/** @type {string} */ name) => join(testDir, 'logs', name)
  const elsewhere = join(root, '.leasehold', 'jars')
  const fetched = jarsComplete(jarsDir)
  const nearby = !fetched && jarsComplete(elsewhere)
  requireSpace(testDir, fetched || nearby ? START_NEEDS_BYTES : FETCH_NEEDS_BYTES)
  const java = await steps.step('find Java', (report) =>
    ensureToolchain({ needMaven: !fetched && !nearby, report, signal, logFile: log('apt.log') }),
  )
  if (nearby) adoptJars(elsewhere, jarsDir)
  else if (!fetched) {
    await steps.step('fetch Cassandra', (report) =>
      oneAtATime('test-jars', { report, signal }, async () => {
        if (!jarsComplete(jarsDir))
          await fetchJars(jarsDir, { java, report, signal, logFile: log('fetch.log') })
      }),
    )
  }
  return steps.step('start Cassandra', (report) =>
    startNode({
      dataDir,
      jarsDir,
      java: java.path,
      heapMb: HEAP_MB,
      javaOptions: JAVA_OPTIONS,
      log: report,
      signal,
    }),
  )
}

/**
 * The node that `npm test -- --node` keeps running, emptied; otherwise a new one.
 *
 * @param {Setup} setup
 * @returns {Promise<TestNode>}
 */
export async function testNode(setup) {
  const [held] = registered(KIND).filter(({ orphan }) => !orphan)
  if (held === undefined) {
    const { contactPoint, roles, stop } = await start(setup.testDir, setup)
    return { contactPoint, admin: roles.admin, program: roles.program, stop }
  }
  const passwords = readRolesFile(nodePlaces(String(held.dataDir)).rolesFile)
  const credentials = (/** @type {string} */ username) => ({
    username,
    password: String(passwords[username]),
  })
  const node = {
    contactPoint: `${held.host}:${held.port}`,
    admin: credentials(ROLES.admin),
    program: credentials(ROLES.program),
  }
  await setup.steps.step('empty the running Cassandra', async (report) => {
    const emptied = await empty({ host: String(held.host), port: Number(held.port), ...node.admin })
    report(`${node.contactPoint}, ${emptied} keyspaces dropped`)
  })
  return node
}

/** Drops the keyspaces of earlier runs. @param {Parameters<typeof signIn>[0]} where */
async function empty(where) {
  const connection = await signIn(where)
  try {
    const rows = await connection.query('SELECT keyspace_name FROM system_schema.keyspaces')
    const left = rows.map(([name]) => String(name)).filter((name) => !KEPT.test(name))
    for (const name of left) await connection.query(`DROP KEYSPACE IF EXISTS "${name}"`)
    return left.length
  } finally {
    connection.close()
  }
}

/**
 * `npm test -- --node`: keeps a node running until it is interrupted.
 *
 * @param {Setup} setup
 * @param {string} dataDir
 */
export async function holdNode(setup, dataDir) {
  const [other] = registered(KIND).filter(({ orphan }) => !orphan)
  if (other) throw new Failure(`A Cassandra for the tests is already running (process ${other.owner}).`)
  makeDirectory(dataDir)
  const node = await start(dataDir, setup)
  const unregister = register(KIND, node.pid, { dataDir, host: node.host, port: node.port })
  setup.steps.print(`\nnpm test uses this Cassandra from now on. Ctrl-C ends it.`)
  try {
    const interrupted = once(setup.signal, 'abort').then(() => null)
    const ended = await Promise.race([interrupted, node.exited])
    if (ended !== null) throw new Failure(ended.reason)
  } finally {
    unregister()
    await setup.steps.step('stop Cassandra', () => node.stop())
  }
}
