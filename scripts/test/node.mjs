/**
 * The Cassandra of the tests: one for all stages. `npm test -- --node` keeps one running, and runs use it; otherwise a
 * run starts one of its own.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { adoptJars, fetchJars, jarsComplete } from '../cassandra/jars.mjs'
import { SHORT_LIVED, startNode } from '../cassandra/node.mjs'
import { signIn } from '../cassandra/roles/cql-connection.mjs'
import { ROLES, readRolesFile } from '../cassandra/roles-file.mjs'
import { nodePlaces } from '../cassandra/settings/places.mjs'
import { VERSIONS, versionOf } from '../cassandra/versions.mjs'
import { oneAtATime } from '../process/lock.mjs'
import { register, registered } from '../process/registry.mjs'
import { makeDirectory } from '../setup/directory.mjs'
import { FETCH_NEEDS_BYTES, requireSpace, START_NEEDS_BYTES } from '../setup/disk.mjs'
import { ensureToolchain } from '../setup/toolchain.mjs'
import { Failure } from '../terminal/failure.mjs'

/** What the tests make stays, with all tables of many a console: more than what one console needs has room for. */
const HEAP_MB = 2048
const JAVA_OPTIONS = [
  // Cassandra flushes the schema to the disk after every CREATE TABLE: twenty tables took 7 to 14 s that way, and 2 to 3.5 s
  // with the commit log alone. The tests make some 1,000. Tests that kill a node start one of their own, as users do.
  '-Dcassandra.test.flush_local_schema_changes=false',
  // Half an hour of ever new work is short: the optimising compiler took a third of the node's processor time.
  ...SHORT_LIVED,
  // A write does not wait for the disk: what was written survives the end of the process, and this machine stays on.
  '-Dcassandra.skip_sync=true',
  // A thread notes the time for time-outs every 2 ms otherwise: as much as a sixtieth of a processor.
  '-Dcassandra.approximate_time_precision_ms=20',
]
/** Its idle threads wake every 50 microseconds otherwise: a quarter of its processor time. */
const TIMER_SLACK_MICROS = 500
const KIND = 'test-node'
/** Cassandra's own, and the one in which the node's role for programs may make tables. */
const KEPT = /^(system|programs$)/

/** @typedef {import('../cassandra/roles-file.mjs').Credentials} Credentials */
/** @typedef {{ contactPoint: string, admin: Credentials, program: Credentials, end?: () => Promise<void> }} TestNode end: of one that this run has started; no run needs its data again */
/** @typedef {{ root: string, testDir: string, cassandra: import('../cassandra/versions.mjs').Version, signal: AbortSignal, steps: ReturnType<typeof import('../terminal/steps.mjs').createSteps> }} Setup */

/**
 * Starts a node in this directory.
 *
 * @param {string} dataDir
 * @param {Setup} setup
 */
async function start(dataDir, { root, testDir, cassandra, signal, steps }) {
  const log = (/** @type {string} */ name) => join(testDir, 'logs', name)
  // Some tests start a node of their own, which is always the first version.
  const missing = [...new Set([VERSIONS[0], cassandra])]
    .map((version) => ({ version, ...versionOf(version) }))
    .filter(({ jars, pom }) => !jarsComplete(join(testDir, jars), pom))
  const isNearby = (/** @type {{ jars: string, pom: string | undefined }} */ { jars, pom }) =>
    jarsComplete(join(root, '.leasehold', jars), pom)
  const toFetch = missing.filter((each) => !isNearby(each))
  requireSpace(testDir, toFetch.length === 0 ? START_NEEDS_BYTES : FETCH_NEEDS_BYTES)
  const java = await steps.step('find Java', (report) =>
    ensureToolchain({ needMaven: toFetch.length > 0, report, signal, logFile: log('apt.log') }),
  )
  for (const { jars } of missing.filter(isNearby))
    adoptJars(join(root, '.leasehold', jars), join(testDir, jars))
  for (const { version, jars, pom } of toFetch) {
    const jarsDir = join(testDir, jars)
    await steps.step(version === VERSIONS[0] ? 'fetch Cassandra' : `fetch Cassandra ${version}`, (report) =>
      oneAtATime('test-jars', { report, signal }, async () => {
        if (!jarsComplete(jarsDir, pom))
          await fetchJars(jarsDir, { java, report, signal, pom, logFile: log('fetch.log') })
      }),
    )
  }
  const { pom, jars, paxosVariant, javaOptions } = versionOf(cassandra)
  return steps.step('start Cassandra', (report) =>
    startNode({
      dataDir,
      jarsDir: join(testDir, jars),
      pom,
      paxosVariant,
      java: java.path,
      heapMb: HEAP_MB,
      javaOptions: [...JAVA_OPTIONS, ...javaOptions],
      timerSlackMicros: TIMER_SLACK_MICROS,
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
  const [held] = registered(KIND).filter(({ orphan, cassandra }) => !orphan && cassandra === setup.cassandra)
  if (held === undefined) {
    return own(await start(setup.testDir, setup))
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

/** @param {Awaited<ReturnType<typeof start>>} node @returns {TestNode} */
const own = ({ contactPoint, roles, kill }) => ({
  contactPoint,
  admin: roles.admin,
  program: roles.program,
  end: kill,
})

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
  const unregister = register(KIND, node.pid, {
    dataDir,
    host: node.host,
    port: node.port,
    cassandra: setup.cassandra,
  })
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
