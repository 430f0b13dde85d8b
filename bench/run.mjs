/**
 * `npm run bench`: every claim of the documentation that is a figure, measured on a node, a build and a server of its
 * own. `npm run bench -- --help` lists the benchmarks.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { adoptJars, fetchJars, jarsComplete } from '../scripts/cassandra/jars.mjs'
import { startNode } from '../scripts/cassandra/node.mjs'
import { roleEnvironment } from '../scripts/cassandra/roles-file.mjs'
import { ensureBuild } from '../scripts/console/build.mjs'
import { startServer } from '../scripts/console/server.mjs'
import { randomFreePorts } from '../scripts/process/ports.mjs'
import { ROOT } from '../scripts/process/registry.mjs'
import { run } from '../scripts/process/run.mjs'
import { ensureToolchain } from '../scripts/setup/toolchain.mjs'
import { Failure, sentenceOf } from '../scripts/terminal/failure.mjs'
import { createSteps } from '../scripts/terminal/steps.mjs'
import { BENCH_HELP, readArguments } from './arguments.mjs'

const { help, names, isQuick, minutes } = argumentsOf(process.argv.slice(2))
if (help) {
  process.stdout.write(BENCH_HELP)
  process.exit(0)
}

const dataDir = join(ROOT, '.leasehold-bench')
const jarsDir = join(dataDir, 'jars')
const distDir = '.next-test'
const keyspace = `bench_${Date.now().toString(36)}`
const credentials = { username: 'admin', password: 'measured, not guessed' }
const steps = createSteps()

mkdirSync(dataDir, { recursive: true, mode: 0o700 })
const java = await steps.step('find Java', (report) => ensureToolchain({ needMaven: true, report }))
const nearby = join(ROOT, '.leasehold', 'jars')
if (!jarsComplete(jarsDir)) {
  if (jarsComplete(nearby)) adoptJars(nearby, jarsDir)
  else
    await steps.step('fetch Cassandra', (report) =>
      fetchJars(jarsDir, { java, report, logFile: join(dataDir, 'fetch.log') }),
    )
}
await steps.step('build', (report) =>
  ensureBuild(ROOT, { distDir, report, logFile: join(dataDir, 'build.log') }),
)
// The benchmarks use the library as its users do: built, by its public names.
await steps.step('build the library', async () => {
  const built = await run(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'lib/leasehold'],
    { cwd: ROOT },
  )
  if (built.code !== 0) throw new Failure(`The library does not build:\n${built.output}`)
})
const node = await steps.step('start Cassandra', () => startNode({ dataDir, jarsDir, java: java.path }))
const [port] = await randomFreePorts(1)
const url = `http://127.0.0.1:${port}`
const server = await steps.step('serve', () =>
  startServer({
    root: ROOT,
    host: '127.0.0.1',
    port,
    distDir,
    env: {
      PUBLIC_URL: url,
      CASSANDRA_CONTACT_POINTS: node.contactPoint,
      CASSANDRA_KEYSPACE: keyspace,
      CASSANDRA_REPLICATION: '1',
      LEASEHOLD_EMBEDDED: '1',
      LEASEHOLD_DATA_DIR: dataDir,
      LEASEHOLD_ADMIN_PASSWORD: credentials.password,
      ...roleEnvironment(node.roles),
    },
  }),
)

try {
  const { default: cassandra } = await import('cassandra-driver')
  const { consistencies } = cassandra.types
  const client = new cassandra.Client({
    contactPoints: [node.contactPoint],
    localDataCenter: 'datacenter1',
    credentials: node.roles.program,
    encoding: { useBigIntAsLong: true },
    protocolOptions: { maxVersion: 4 },
    queryOptions: { serialConsistency: consistencies.serial },
  })
  await client.connect()
  const headers = { origin: url, 'content-type': 'application/json' }
  const signedIn = await fetch(`${url}/v1/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify(credentials),
  })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0]
  const { connect } = await import('leasehold/cassandra')
  // For the processes that benchmarks start.
  const { username, password } = node.roles.program
  Object.assign(process.env, { CASSANDRA_USERNAME: username, CASSANDRA_PASSWORD: password })
  const where = { contactPoints: [node.contactPoint], localDataCenter: 'datacenter1', keyspace }
  const session = await connect({ ...where, username, password })
  // The role of programs may not read the audit log.
  const writer = await connect({ ...where, ...node.roles.writer })
  const { api } = await import('./api.mjs')
  const { listPage } = await import('./list-page.mjs')
  const { watch } = await import('./watch.mjs')
  const { watchPage } = await import('./watch-page.mjs')
  const { historyPage } = await import('./history-page.mjs')
  const { page } = await import('./page.mjs')
  const { withLock } = await import('./with-lock.mjs')
  const { takeover } = await import('./takeover.mjs')
  const { keepAlive } = await import('./keep-alive.mjs')
  const { audit } = await import('./audit.mjs')
  /** @type {Record<string, (bench: import('./measure.mjs').Bench) => Promise<import('./measure.mjs').Result>>} */
  const benches = {
    api,
    'list-page': listPage,
    watch,
    'watch-page': watchPage,
    'history-page': historyPage,
    page,
    'with-lock': withLock,
    takeover,
    'keep-alive': keepAlive,
    audit,
  }
  for (const name of names) {
    const {
      title,
      rows,
      notes = [],
      claim,
      holds,
    } = await benches[name]({
      client,
      session,
      writer,
      contactPoint: node.contactPoint,
      consistencies,
      keyspace,
      root: ROOT,
      url,
      headers: { ...headers, cookie },
      password: credentials.password,
      roles: node.roles,
      pids: { node: node.pid, server: server.pid },
      ...{ isQuick, minutes },
    })
    console.log(`\n${title}`)
    for (const [what, { p50, p95, max }] of rows)
      console.log(
        `  ${what.padEnd(44)} p50 ${p50.toFixed(1)} ms   p95 ${p95.toFixed(1)} ms   max ${max.toFixed(1)} ms`,
      )
    for (const note of notes) console.log(`  ${note}`)
    console.log(`  ${holds ? 'holds' : 'DOES NOT HOLD'}: ${claim}`)
    if (!holds) process.exitCode = 1
  }
  await session.close()
  await writer.close()
  await client.shutdown()
} finally {
  await server.stop()
  await node.stop()
}

/** @param {string[]} args */
function argumentsOf(args) {
  try {
    return readArguments(args)
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    process.exit(2)
  }
}
