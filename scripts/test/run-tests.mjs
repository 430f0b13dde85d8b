/**
 * `npm test`: sets up what it needs, runs the stages in order, stops at the first that fails, and ends with one line.
 * Everything it starts and writes is its own: ports, `.leasehold-test/`, `.next-test/`.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { adoptJars, fetchJars, jarsComplete } from '../cassandra/jars.mjs'
import { endLeftOverNode } from '../cassandra/left-over.mjs'
import { startNode } from '../cassandra/node.mjs'
import { ensureBuild } from '../console/build.mjs'
import { onInterruption } from '../process/interruption.mjs'
import { claim } from '../process/pid-file.mjs'
import { endOrphans, REGISTRY, ROOT } from '../process/registry.mjs'
import { ensureChromium } from '../setup/chromium.mjs'
import { makeDirectory } from '../setup/directory.mjs'
import { FETCH_NEEDS_BYTES, PACKAGES_NEED_BYTES, requireSpace, START_NEEDS_BYTES } from '../setup/disk.mjs'
import { ensurePackages, packagesInstalled } from '../setup/packages.mjs'
import { ensureToolchain } from '../setup/toolchain.mjs'
import { Failure, sentenceOf } from '../terminal/failure.mjs'
import { createSteps } from '../terminal/steps.mjs'
import { readArguments, TEST_HELP } from './arguments.mjs'
import { testEnvironment } from './environment.mjs'
import { lint, playwright, types, vitest } from './stages.mjs'

const TEST_DIR = join(ROOT, '.leasehold-test')
const JARS = join(TEST_DIR, 'jars')
const LOGS = join(TEST_DIR, 'logs')
const DIST_DIR = '.next-test'
/** Every test file has a keyspace with all tables of its own; some 100 of them do not fit into what one console needs. */
const HEAP_MB = 2048

const steps = createSteps()
const ending = new AbortController()
const { signal } = ending
/** @type {import('../cassandra/node.mjs').CassandraNode | null} */
let node = null

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const wanted = readArguments(args)
  if (wanted.help) {
    process.stdout.write(TEST_HELP)
    return 0
  }
  onInterruption((reason) => {
    steps.print(`\nEnding (${reason}); once more ends it by force.`)
    ending.abort()
  })
  const release = claimRun()
  const total = { passed: 0, failed: 0 }
  try {
    await clean()
    await runStages(wanted, total)
  } catch (error) {
    total.failed += 1
    if (!signal.aborted) process.stderr.write(`\n${sentenceOf(error)}\n`)
  } finally {
    if (node) await steps.step('stop Cassandra', () => node?.stop())
    await endOrphansOfRun()
    release()
  }
  if (signal.aborted) return 130
  if (total.passed + total.failed === 0) process.stderr.write('\nNo test has such a name.\n')
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
  return total.failed === 0 && total.passed > 0 ? 0 : 1
}

/** Two runs would share one directory and one build. */
function claimRun() {
  mkdirSync(REGISTRY, { recursive: true, mode: 0o700 })
  const claimed = claim(join(REGISTRY, 'lock.test.json'))
  if ('release' in claimed) return claimed.release
  throw new Failure(
    `npm test is already running here (process ${claimed.owner.pid}): wait for it, or stop it.`,
  )
}

/** Ends what a killed run left, then begins with an empty directory; the jars are worth keeping. */
async function clean() {
  await endOrphansOfRun()
  makeDirectory(TEST_DIR)
  for (const name of readdirSync(TEST_DIR)) {
    if (name !== 'jars') rmSync(join(TEST_DIR, name), { recursive: true, force: true })
  }
}

/** Tools of a killed run; nodes and servers that tests started and did not end, theirs or a killed run's. */
async function endOrphansOfRun() {
  await endOrphans('test-tool', { log: steps.print })
  const nodesDir = join(TEST_DIR, 'nodes')
  for (const dataDir of [TEST_DIR, ...listDir(nodesDir).map((name) => join(nodesDir, name))]) {
    await endLeftOverNode(dataDir, steps.print)
  }
  await endOrphans('server', { log: steps.print, which: ({ distDir }) => distDir === DIST_DIR })
}

/**
 * @param {import('./arguments.mjs').TestArguments} wanted
 * @param {import('./counts.mjs').Counts} total
 */
async function runStages({ stages, filter }, total) {
  const has = (/** @type {string} */ stage) => stages.some((it) => it === stage)
  const env = testEnvironment(process.env, { testDir: TEST_DIR, jarsDir: JARS, distDir: DIST_DIR })
  if (!packagesInstalled(ROOT)) requireSpace(ROOT, PACKAGES_NEED_BYTES)
  await steps.step('install packages', (report) =>
    ensurePackages(ROOT, { report, signal, logFile: join(LOGS, 'npm-ci.log') }),
  )

  /** @param {string} name @param {(context: import('./stages.mjs').StageContext) => Promise<import('./stages.mjs').StageResult>} stage */
  const runStage = async (name, stage) => {
    let output = ''
    const failed = await steps
      .step(name, async (report) => {
        const result = await stage({ root: ROOT, testDir: TEST_DIR, env, filter, signal, report })
        total.passed += result.counts.passed
        total.failed += result.counts.failed
        report(`${result.counts.passed} passed, ${result.counts.failed} failed`)
        output = result.output
        if (result.counts.failed > 0) throw new StageFailed()
      })
      .catch((error) => {
        if (error instanceof StageFailed) return true
        throw error
      })
    if (failed) process.stdout.write(`\n${output}\n\n`)
    return !failed
  }

  if (has('lint') && !(await runStage('format and lint', lint))) return
  if (has('types') && !(await runStage('types', types))) return
  if (has('unit') && !(await runStage('unit', (context) => vitest('unit', context)))) return
  if (!has('integration') && !has('e2e')) return

  await startCassandra(env)
  if (has('integration') && !(await runStage('integration', (context) => vitest('integration', context))))
    return
  if (!has('e2e')) return

  await steps.step('build the console', (report) =>
    ensureBuild(ROOT, { distDir: DIST_DIR, report, signal, logFile: join(LOGS, 'build.log') }),
  )
  const chromium = await steps.step('find Chromium', (report) =>
    ensureChromium(ROOT, { report, signal, logFile: join(LOGS, 'chromium.log') }),
  )
  if (chromium) env.CHROMIUM = chromium
  await runStage('end to end', playwright)
}

class StageFailed extends Error {}

/** @param {NodeJS.ProcessEnv} env gets the address, who may do everything there, and the role for programs */
async function startCassandra(env) {
  const fetched = jarsComplete(JARS)
  const elsewhere = join(ROOT, '.leasehold', 'jars')
  const nearby = !fetched && jarsComplete(elsewhere)
  requireSpace(TEST_DIR, fetched || nearby ? START_NEEDS_BYTES : FETCH_NEEDS_BYTES)
  const java = await steps.step('find Java', (report) =>
    ensureToolchain({ needMaven: !fetched && !nearby, report, signal, logFile: join(LOGS, 'apt.log') }),
  )
  if (nearby) adoptJars(elsewhere, JARS)
  else if (!fetched) {
    await steps.step('fetch Cassandra', (report) =>
      fetchJars(JARS, { java, report, signal, logFile: join(LOGS, 'fetch.log') }),
    )
  }
  node = await steps.step('start Cassandra', (report) =>
    startNode({ dataDir: TEST_DIR, jarsDir: JARS, java: java.path, heapMb: HEAP_MB, log: report, signal }),
  )
  env.LEASEHOLD_TEST_CONTACT_POINT = node.contactPoint
  env.LEASEHOLD_TEST_USERNAME = node.roles.admin.username
  env.LEASEHOLD_TEST_PASSWORD = node.roles.admin.password
  env.LEASEHOLD_TEST_PROGRAM_USERNAME = node.roles.program.username
  env.LEASEHOLD_TEST_PROGRAM_PASSWORD = node.roles.program.password
}

/** @param {string} dir */
function listDir(dir) {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}
