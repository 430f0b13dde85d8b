/**
 * `npm run fuzz`: Schemathesis against a console and a node of their own, once for each role. The console believes
 * X-Forwarded-For, and each request comes from another address: the limits of strangers would refuse most of them.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adoptJars, fetchJars, jarsComplete } from '../cassandra/jars.mjs'
import { startNode } from '../cassandra/node.mjs'
import { roleEnvironment } from '../cassandra/roles-file.mjs'
import { ensureBuild } from '../console/build.mjs'
import { startServer } from '../console/server.mjs'
import { onInterruption } from '../process/interruption.mjs'
import { randomFreePorts } from '../process/ports.mjs'
import { endOrphans, ROOT } from '../process/registry.mjs'
import { makeDirectory } from '../setup/directory.mjs'
import { ensurePackages } from '../setup/packages.mjs'
import { ensureToolchain } from '../setup/toolchain.mjs'
import { createSteps } from '../terminal/steps.mjs'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { FUZZ_HELP, readArguments } from './arguments.mjs'
import { ensureSchemathesis, fuzzAs } from './schemathesis.mjs'
import { consoleConfig, makeTables, PASSWORD, seedConsole } from './seed.mjs'

const DIR = join(ROOT, '.leasehold-fuzz')
const LOGS = join(DIR, 'logs')
const DIST_DIR = '.next-test'

const steps = createSteps()
const ending = new AbortController()
const { signal } = ending

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const wanted = readArguments(args)
  if (wanted.help) {
    process.stdout.write(FUZZ_HELP)
    return 0
  }
  onInterruption((reason) => {
    steps.print(`\nEnding (${reason}); Ctrl-C again forces it.`)
    ending.abort()
  })
  makeDirectory(DIR)
  await endOrphans('fuzz', { log: steps.print })
  const program = await steps.step('find Schemathesis', (report) =>
    ensureSchemathesis(join(DIR, 'venv'), { logFile: join(LOGS, 'pip.log'), report, signal }),
  )
  const node = await startCassandra()
  try {
    return await withConsole(node, (url) => fuzz(url, program, wanted))
  } finally {
    await steps.step('stop Cassandra', () => node.stop())
  }
}

async function startCassandra() {
  await steps.step('install packages', (report) =>
    ensurePackages(ROOT, { report, signal, logFile: join(LOGS, 'npm-ci.log') }),
  )
  const jarsDir = join(DIR, 'jars')
  const nearby = ['.leasehold', '.leasehold-test']
    .map((name) => join(ROOT, name, 'jars'))
    .find((dir) => jarsComplete(dir))
  const fetched = jarsComplete(jarsDir)
  const java = await steps.step('find Java', (report) =>
    ensureToolchain({
      needMaven: !fetched && nearby === undefined,
      report,
      signal,
      logFile: join(LOGS, 'apt.log'),
    }),
  )
  if (!fetched && nearby !== undefined) adoptJars(nearby, jarsDir)
  else if (!fetched)
    await steps.step('fetch Cassandra', (report) =>
      fetchJars(jarsDir, { java, report, signal, logFile: join(LOGS, 'fetch.log') }),
    )
  await steps.step('build the console', (report) =>
    ensureBuild(ROOT, { distDir: DIST_DIR, report, signal, logFile: join(LOGS, 'build.log') }),
  )
  return steps.step('start Cassandra', (report) =>
    startNode({ dataDir: DIR, jarsDir, java: java.path, heapMb: 1024, log: report, signal }),
  )
}

/**
 * @template T
 * @param {import('../cassandra/node.mjs').CassandraNode} node
 * @param {(url: string) => Promise<T>} work
 */
async function withConsole(node, work) {
  const keyspace = `fuzz_${Date.now().toString(36)}`
  await makeTables(node, keyspace)
  const [port] = /** @type {[number]} */ (await randomFreePorts(1))
  const url = `http://127.0.0.1:${port}`
  const dataDir = temporaryFolder('console', DIR)
  const server = await steps.step('start the console', () =>
    startServer({
      root: ROOT,
      host: '127.0.0.1',
      port,
      distDir: DIST_DIR,
      logFile: join(LOGS, 'server.log'),
      readyWithinMs: 300_000,
      signal,
      env: {
        PUBLIC_URL: url,
        CASSANDRA_CONTACT_POINTS: node.contactPoint,
        CASSANDRA_KEYSPACE: keyspace,
        CASSANDRA_REPLICATION: '1',
        LEASEHOLD_EMBEDDED: '1',
        LEASEHOLD_DATA_DIR: dataDir,
        LEASEHOLD_ADMIN_PASSWORD: PASSWORD,
        LEASEHOLD_CONFIG: consoleConfig,
        LEASEHOLD_TRUST_PROXY: '1',
        ...roleEnvironment(node.roles),
      },
    }),
  )
  try {
    return await work(url)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * @param {string} url
 * @param {string} program
 * @param {import('./arguments.mjs').FuzzArguments} wanted
 */
async function fuzz(url, program, { requests, roles, routes, seed }) {
  const document = join(DIR, 'openapi.json')
  const described = await (await fetch(`${url}/v1/openapi.json`)).json()
  writeFileSync(document, JSON.stringify(described))
  const operations = Object.values(described.paths).flatMap((path) => Object.keys(path)).length
  const each = Math.max(1, Math.ceil(requests / roles.length / (routes.length || operations)))
  const seeded = await seedConsole(url)
  const total = { requests: 0, refused: 0, failed: 0, serverErrors: 0 }
  process.stdout.write(`${operations} operations, ${roles.length} roles, seed ${seed}\n`)
  for (const role of roles) {
    const { failed, counts, output } = await steps.step(`as ${role}`, async (report) => {
      const result = await fuzzAs(program, {
        role,
        document,
        url,
        perRoute: each,
        routes,
        seed,
        seeded,
        password: PASSWORD,
        dir: DIR,
        signal,
        report,
      })
      report(summaryOf(result.counts))
      return result
    })
    total.requests += counts.requests
    for (const [status, count] of Object.entries(counts.statuses)) {
      if (status >= '400') total.refused += count
      if (status >= '500') total.serverErrors += count
    }
    if (failed) {
      total.failed += 1
      process.stdout.write(`\n${output}\n\n`)
    }
  }
  process.stdout.write(
    `${total.requests} requests: ${total.requests - total.refused} carried out, ${total.refused} refused, ${total.serverErrors} answers of 500 or above; ${total.failed} of ${roles.length} roles with findings\n`,
  )
  return total.failed === 0 && total.serverErrors === 0 ? 0 : 1
}

/** @param {import('./schemathesis.mjs').Counts} counts */
const summaryOf = ({ requests, statuses }) =>
  `${requests} requests: ${Object.entries(statuses)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([status, count]) => `${status} ${count}`)
    .join(', ')}`
