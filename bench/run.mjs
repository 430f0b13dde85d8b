/**
 * `npm run bench`: every claim of the documentation that is a figure, measured on a node, a build and a server of its
 * own. `npm run bench -- --help` lists the benchmarks.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adoptJars, fetchJars, jarsComplete } from '../scripts/cassandra/jars.mjs'
import { startNode } from '../scripts/cassandra/node.mjs'
import { ensureBuild } from '../scripts/console/build.mjs'
import { onInterruption } from '../scripts/process/interruption.mjs'
import { ROOT } from '../scripts/process/registry.mjs'
import { run } from '../scripts/process/run.mjs'
import { requirePackages } from '../scripts/setup/packages.mjs'
import { ensureToolchain } from '../scripts/setup/toolchain.mjs'
import { Failure, sentenceOf } from '../scripts/terminal/failure.mjs'
import { createSteps } from '../scripts/terminal/steps.mjs'
import { BENCH_HELP, fileOf, readArguments } from './arguments.mjs'
import { keepInDocs } from './report/documentation.mjs'
import { factsOf } from './report/machine.mjs'
import { asText, tableOf } from './report/table.mjs'
import { makeRunFolder } from './run-folder.mjs'

const { help, names, needsConsole, isQuick, minutes, json, isForDocs, mayInstall } = orEnd(2, () =>
  readArguments(process.argv.slice(2)),
)
if (help) {
  process.stdout.write(BENCH_HELP)
  process.exit(0)
}
orEnd(1, () => requirePackages(ROOT))

/** Ends the node at once, and removes its data. @type {(() => Promise<void>) | undefined} */
let discard
// Cassandra and the server have process groups of their own: Ctrl-C does not reach them, the end of this process does.
onInterruption(async (reason) => {
  process.stderr.write(`\nEnding (${reason}).\n`)
  // A node that has not started yet dies with this process, and the next run removes its data.
  await discard?.()
  process.exit(130)
})

const dataDir = join(ROOT, '.leasehold-bench')
const jarsDir = join(dataDir, 'jars')
const distDir = '.next-test'
const steps = createSteps()

mkdirSync(dataDir, { recursive: true, mode: 0o700 })
const java = await steps.step('find Java', (report) => ensureToolchain({ needMaven: true, report }))
const facts = factsOf(ROOT, java)
const nearby = join(ROOT, '.leasehold', 'jars')
if (!jarsComplete(jarsDir)) {
  if (jarsComplete(nearby)) adoptJars(nearby, jarsDir)
  else
    await steps.step('fetch Cassandra', (report) =>
      fetchJars(jarsDir, { java, report, logFile: join(dataDir, 'fetch.log') }),
    )
}
if (mayInstall && names.includes('peers')) {
  const { installPeers } = await import('./peers/servers.mjs')
  await steps.step('install the peers', installPeers)
}
if (needsConsole)
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
// Of this run alone: on a node with the keyspaces of thirty runs all statements are slower.
const folder = await makeRunFolder(dataDir, { log: steps.print })
const { name: keyspace, path: runDir } = folder
/** How to end what runs, in the order in which it was started. @type {(() => unknown)[]} */
const ends = [folder.remove]

/** @type {Record<string, import('./report/documentation.mjs').Kept>} */
const results = {}
try {
  const node = await steps.step('start Cassandra', () =>
    startNode({ dataDir: runDir, jarsDir, java: java.path }),
  )
  ends.push(() => node.stop())
  discard = () => node.kill().then(folder.remove)
  const { serveConsole, withoutConsole } = await import('./load/console.mjs')
  const server = needsConsole
    ? await steps.step('serve', () => serveConsole({ root: ROOT, node, keyspace, dataDir: runDir, distDir }))
    : await steps.step('make the tables', () => withoutConsole({ node, keyspace }))
  ends.push(() => server.stop())
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
  const { connect } = await import('leasehold/cassandra')
  // For the processes that benchmarks start.
  const { username, password } = node.roles.program
  Object.assign(process.env, { CASSANDRA_USERNAME: username, CASSANDRA_PASSWORD: password })
  const where = { contactPoints: [node.contactPoint], localDataCenter: 'datacenter1', keyspace }
  const session = await connect({ ...where, username, password })
  // The role of programs may not read the audit log.
  const writer = await connect({ ...where, ...node.roles.writer })
  for (const name of names) {
    const { [functionOf(name)]: bench } = await import(fileOf(name))
    /** @type {import('./measure.mjs').Result} */
    const result = await steps.step(`measure ${name}`, () =>
      bench({
        client,
        session,
        writer,
        contactPoint: node.contactPoint,
        consistencies,
        keyspace,
        root: ROOT,
        url: server.url,
        headers: server.headers,
        password: server.password,
        roles: node.roles,
        pids: { node: node.pid, server: server.pid },
        java: java.path,
        isQuick,
        minutes,
      }),
    )
    const { title, notes = [], claim, holds } = result
    const table = tableOf(result)
    console.log(`\n${title}\n${asText(table)}`)
    for (const note of notes) console.log(`  ${note}`)
    console.log(`  ${holds ? 'holds' : 'DOES NOT HOLD'}: ${claim}`)
    if (!holds) process.exitCode = 1
    const command = `npm run bench -- ${name} --docs${isQuick ? ' --quick' : ''}`
    results[name] = { facts, command, title, table, notes, claim, holds, isQuick }
    // After each: what was measured is kept, also when a later benchmark fails.
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`)
    if (isForDocs) keepInDocs(ROOT, results)
  }
  await session.close()
  await writer.close()
  await client.shutdown()
} finally {
  for (const end of ends.toReversed()) await end()
}

/** `watch-page` is in watch-page.mjs, and is called watchPage. @param {string} name */
function functionOf(name) {
  return name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
}

/** @template T @param {number} exitCode of a failure @param {() => T} work @returns {T} */
function orEnd(exitCode, work) {
  try {
    return work()
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    process.exit(exitCode)
  }
}
