/**
 * `npm test`: sets up what it needs, runs the stages (run/plan.mjs), stops at the first that fails, and ends with one line.
 * Everything it starts and writes is its own: ports, `.leasehold-test/`, `.next-test/`.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { endLeftOverNode } from '../cassandra/state/left-over.mjs'
import { onInterruption } from '../process/interruption.mjs'
import { claim } from '../process/pid-file.mjs'
import { endOrphans, REGISTRY, ROOT } from '../process/registry.mjs'
import { mayInstall } from '../setup/apt.mjs'
import { ensureChromium } from '../setup/chromium.mjs'
import { makeDirectory } from '../setup/directory.mjs'
import { PACKAGES_NEED_BYTES, requireSpace } from '../setup/disk.mjs'
import { ensurePackages, packagesInstalled } from '../setup/packages.mjs'
import { ensureDocumented } from '../setup/programs.mjs'
import { Failure, sentenceOf } from '../terminal/failure.mjs'
import { createSteps } from '../terminal/steps.mjs'
import { readArguments, TEST_HELP } from './arguments.mjs'
import { testEnvironment } from './environment.mjs'
import { holdNode, testNode } from './node.mjs'
import { plan } from './run/plan.mjs'
import { runTasks } from './run/tasks.mjs'
import { everything, select } from './selection.mjs'

const TEST_DIR = join(ROOT, '.leasehold-test')
const JARS = join(TEST_DIR, 'jars')
const LOGS = join(TEST_DIR, 'logs')
/** Beside it: the node of `npm test -- --node` runs for longer than a run. */
const HELD_NODE_DIR = `${TEST_DIR}-node`
const DIST_DIR = '.next-test'

const steps = createSteps()
const ending = new AbortController()
const { signal } = ending
const setup = { root: ROOT, testDir: TEST_DIR, signal, steps }
/** @type {import('./node.mjs').TestNode | undefined} */
let node

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const wanted = readArguments(args)
  if (wanted.does === 'help') {
    process.stdout.write(TEST_HELP)
    return 0
  }
  onInterruption((reason) => {
    steps.print(`\nEnding (${reason}); Ctrl-C again forces it.`)
    ending.abort()
  })
  if (wanted.does === 'hold-node') {
    makeDirectory(TEST_DIR)
    await holdNode({ ...setup, cassandra: wanted.cassandra }, HELD_NODE_DIR)
    return 0
  }
  const release = claimRun()
  const total = { passed: 0, failed: 0 }
  try {
    await clean()
    await runStages(wanted, total)
  } catch (error) {
    total.failed += 1
    if (!signal.aborted) process.stderr.write(`\n${sentenceOf(error)}\n`)
  } finally {
    const end = node?.end
    if (end) await steps.step('end Cassandra', () => end())
    await endOrphansOfRun()
    release()
  }
  if (signal.aborted) return 130
  if (total.passed + total.failed === 0) process.stderr.write('\nNo test matches these words.\n')
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
    if (!name.startsWith('jars')) rmSync(join(TEST_DIR, name), { recursive: true, force: true })
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
 * @param {import('./run/counts.mjs').Counts} total
 */
async function runStages({ stages, words, cassandra }, total) {
  const env = testEnvironment(process.env, { testDir: TEST_DIR, jarsDir: JARS, distDir: DIST_DIR })
  /** Where Cassandra is, once it runs. @type {Record<string, string>} */
  const where = {}
  /** @type {Record<string, import('./run/tasks.mjs').Task>} */
  const tasks = {
    packages: { run: () => installPackages() },
    // Neither needs a package, as long as apt has the browser.
    cassandra: { run: () => startCassandra(where, cassandra) },
    chromium: { needs: mayInstall() ? [] : ['packages'], run: () => findChromium(env) },
  }
  const selections = new Map(stages.map((stage) => [stage, select(ROOT, stage, words)]))
  const parts = plan(
    stages.filter((stage) => selections.get(stage)),
    { onlySome: words.length > 0 },
  )
  for (const { name, stage, needs, isBusy, run } of parts) {
    const selection = (stage !== 'build' && selections.get(stage)) || everything
    // The integration tests run beside it, and go first.
    const lowPriority = isBusy && Boolean(selections.get('integration'))
    const context = { root: ROOT, testDir: TEST_DIR, selection, lowPriority }
    tasks[name] = {
      needs: ['packages', ...needs],
      run: (signal) =>
        runPart(name, (report) => run({ ...context, env: { ...env, ...where }, signal, report }), total),
    }
  }
  // Only what a stage needs is set up.
  const needed = Object.values(tasks).flatMap(({ needs = [] }) => needs)
  for (const name of ['cassandra', 'chromium']) if (!needed.includes(name)) delete tasks[name]
  await runTasks(tasks, signal)
}

async function installPackages() {
  if (!packagesInstalled(ROOT)) requireSpace(ROOT, PACKAGES_NEED_BYTES)
  await steps.step('install packages', (report) =>
    ensurePackages(ROOT, { report, signal, logFile: join(LOGS, 'npm-ci.log') }),
  )
}

class StageFailed extends Error {}

/**
 * @param {string} name
 * @param {(report: (text: string) => void) => Promise<import('./run/stages.mjs').StageResult>} run
 * @param {import('./run/counts.mjs').Counts} total
 * @returns {Promise<boolean>} whether nothing failed
 */
async function runPart(name, run, total) {
  let output = ''
  try {
    await steps.step(name, async (report) => {
      const result = await run(report)
      total.passed += result.counts.passed
      total.failed += result.counts.failed
      report(`${result.counts.passed} passed, ${result.counts.failed} failed`)
      output = result.output
      if (result.counts.failed > 0) throw new StageFailed()
    })
    return true
  } catch (error) {
    if (!(error instanceof StageFailed)) throw error
    process.stdout.write(`\n${output}\n\n`)
    return false
  }
}

/**
 * @param {Record<string, string>} where gets the address, who may do everything there, and the role for programs
 * @param {import('../cassandra/versions.mjs').Version} cassandra
 */
async function startCassandra(where, cassandra) {
  await steps.step('find curl, Python and a JDK', (report) =>
    ensureDocumented({ report, signal, logFile: join(LOGS, 'apt.log') }),
  )
  node = await testNode({ ...setup, cassandra })
  where.LEASEHOLD_TEST_CASSANDRA = cassandra
  where.LEASEHOLD_TEST_CONTACT_POINT = node.contactPoint
  where.LEASEHOLD_TEST_USERNAME = node.admin.username
  where.LEASEHOLD_TEST_PASSWORD = node.admin.password
  where.LEASEHOLD_TEST_PROGRAM_USERNAME = node.program.username
  where.LEASEHOLD_TEST_PROGRAM_PASSWORD = node.program.password
}

/** @param {NodeJS.ProcessEnv} env gets the browser, unless Playwright finds its own */
async function findChromium(env) {
  const chromium = await steps.step('find Chromium', (report) =>
    ensureChromium(ROOT, { report, signal, logFile: join(LOGS, 'chromium.log') }),
  )
  if (chromium) env.CHROMIUM = chromium
}

/** @param {string} dir */
function listDir(dir) {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}
