/**
 * `npm start` and `npm run dev`: a real Cassandra and the console, from a fresh clone, in one command.
 *
 *  1. check: the settings (npm start), the port, the disk, what a crash left over, Java and Maven
 *  2. side by side: fetch Cassandra and start it; install the packages, check the settings where that needed these, and
 *     build (npm start)
 *  3. serve, say where, and wait
 *  4. end: the console first, then Cassandra, whatever the reason
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { adoptJars, defaultJarsDir, fetchJars, jarsComplete } from '../cassandra/jars.mjs'
import { startNode } from '../cassandra/node.mjs'
import { roleEnvironment } from '../cassandra/roles-file.mjs'
import { nodePlaces } from '../cassandra/settings/places.mjs'
import { ensureBuild } from '../console/build.mjs'
import { takeSecrets } from '../console/secrets.mjs'
import { startServer } from '../console/server.mjs'
import { until } from '../process/ending.mjs'
import { onInterruption } from '../process/interruption.mjs'
import { livePidRecord, writePidFile } from '../process/pid-file.mjs'
import { probePort } from '../process/ports.mjs'
import { endOrphans, ROOT } from '../process/registry.mjs'
import { makeDirectory } from '../setup/directory.mjs'
import { FETCH_NEEDS_BYTES, PACKAGES_NEED_BYTES, requireSpace, START_NEEDS_BYTES } from '../setup/disk.mjs'
import { requireNode } from '../setup/node-version.mjs'
import { ensurePackages, packagesInstalled } from '../setup/packages.mjs'
import { ensureToolchain } from '../setup/toolchain.mjs'
import { Failure } from '../terminal/failure.mjs'
import { createSteps } from '../terminal/steps.mjs'
import { checkSettings } from './check-settings.mjs'
import { removeConnectionFile, writeConnectionFile } from './connection-file.mjs'
import { START } from './modes.mjs'
import { openPage } from './open-page.mjs'
import { portRefusal, readSettings } from './settings.mjs'
import { demoLinkIn, isPasswordSignIn, readyText, signInLinkIn, terminalLines } from './words.mjs'

const steps = createSteps()
const ending = new AbortController()
/** Aborted, with the reason, when a part ends by itself: no other part is of use without it. */
const broken = new AbortController()
/** What to end, in the order in which it was started. @type {Running[]} */
const running = []
/** @typedef {{ name: string, end: () => unknown, hasEnded?: () => boolean }} Running */

/** npm passes SIGTERM on, and may end first: the next start finds this one still ending. */
const EARLIER_ENDS_WITHIN_MS = 60_000

/** The reader of stdout, by the same Ctrl-C. */
const READER_ENDS_WITHIN_MS = 200

/**
 * @param {import('./modes.mjs').Mode} mode
 * @param {import('./settings.mjs').Settings} settings
 * @param {Record<string, string>} secrets
 */
async function start(mode, settings, secrets) {
  const beganMs = performance.now()
  const { dataDir, host, port, embedded } = settings
  const logs = join(dataDir, 'logs')
  const signal = AbortSignal.any([ending.signal, broken.signal])
  const jarsDir = defaultJarsDir(dataDir)
  const check = () => {
    const environment = { ...process.env, ...secrets, ...mode.env, LEASEHOLD_DATA_DIR: dataDir }
    return checkSettings(environment, { embedded, steps })
  }
  const hasPackages = packagesInstalled(ROOT)

  // 1.
  if (mode.builds && hasPackages) await check()
  const java = await steps.step('check this machine', async (report) => {
    const node = requireNode()
    makeDirectory(dataDir)
    await afterEarlierStart(settings, report)
    await endOrphans('server', { log: steps.print, which: (record) => record.dataDir === dataDir })
    const refusal = portRefusal(await probePort(port, host), settings)
    if (refusal) throw new Failure(refusal)
    if (!hasPackages) requireSpace(ROOT, PACKAGES_NEED_BYTES)
    if (!embedded) return report(`Node ${node}`)
    // A start that was killed could not remove it, and its node is not the one of this start.
    removeConnectionFile(dataDir)
    const elsewhere = join(ROOT, START.dataDirName, 'jars')
    if (!jarsComplete(jarsDir) && jarsComplete(elsewhere)) adoptJars(elsewhere, jarsDir)
    const fetched = jarsComplete(jarsDir)
    requireSpace(dataDir, fetched ? START_NEEDS_BYTES : FETCH_NEEDS_BYTES)
    const options = { needMaven: !fetched, logFile: join(logs, 'apt.log'), signal }
    return ensureToolchain({ ...options, report: (text) => report(`Node ${node}, ${text}`) })
  })

  // 2.
  const [node] = await together(
    async (signal) => {
      if (!java) return null
      if (!jarsComplete(jarsDir)) {
        await steps.step(
          'fetch Cassandra',
          (report) => fetchJars(jarsDir, { java, report, signal, logFile: join(logs, 'fetch.log') }),
          signal,
        )
      }
      return steps.step(
        'start Cassandra',
        async (report) => {
          const started = await startNode({
            dataDir,
            jarsDir,
            java: java.path,
            preferredPort: settings.cassandraPort,
            onlyThatPort: settings.cassandraPortFixed,
            log: report,
            signal,
          })
          running.push({ name: 'stop Cassandra', ...endOf('Cassandra', started) })
          return started
        },
        signal,
      )
    },
    async (signal) => {
      await steps.step(
        'install packages',
        (report) => ensurePackages(ROOT, { report, signal, logFile: join(logs, 'npm-ci.log') }),
        signal,
      )
      if (!mode.builds) return
      if (!hasPackages) await check()
      await steps.step(
        'build the console',
        (report) => ensureBuild(ROOT, { report, signal, logFile: join(logs, 'build.log') }),
        signal,
      )
    },
  )

  // 3.
  /** @type {string | null} */
  let link = null
  let hasPassword = false
  /** @type {string | null} */
  let demo = null
  let announced = false
  const terminalLine = terminalLines(() => performance.now())
  const relay = (/** @type {string} */ line, /** @type {string} */ stream) => {
    if (isPasswordSignIn(line)) {
      hasPassword = true
      return
    }
    const found = signInLinkIn(line)
    link = found ?? link
    // The stderr of a server that cannot start comes back as the failure itself.
    if (found !== null) {
      if (announced) steps.print(line)
      return
    }
    const shown = announced || stream === 'stdout' ? terminalLine(line) : null
    if (shown !== null) steps.print(shown)
  }
  await steps.step('start the console', async (report) => {
    report(`${host}:${port}`)
    const started = await startServer({
      ...mode.server({ root: ROOT, host, port }),
      root: ROOT,
      host,
      port,
      dataDir,
      signal,
      logFile: consoleLog(settings),
      env: { ...secrets, ...mode.env, LEASEHOLD_DATA_DIR: dataDir, ...embeddedEnv(node) },
      onLine: (line, stream) => {
        const found = demoLinkIn(line)
        demo = found ?? demo
        if (found === null) relay(line, stream)
      },
    })
    running.push({ name: 'stop the console', ...endOf('the console', started) })
  })
  if (node) {
    writeConnectionFile(dataDir, {
      contactPoint: node.contactPoint,
      keyspace: settings.keyspace,
      ...node.roles.program,
    })
    running.push({ name: '', end: () => removeConnectionFile(dataDir) })
  }
  announced = true
  steps.print(
    readyText(settings, {
      link,
      hasPassword,
      contactPoint: node?.contactPoint ?? null,
      log: consoleLog(settings),
      tookMs: performance.now() - beganMs,
    }),
  )

  if (demo !== null) {
    steps.print(`demo: ${demo}\n`)
    // Before there is a password nothing can be opened but the sign-in link.
    if (link === null) openPage(demo)
  }
  await Promise.race([aborted(ending.signal), aborted(broken.signal)])
}

/** @param {AbortSignal} signal @returns {Promise<void>} */
const aborted = (signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * How to end a part. When it ends by itself, at whatever step, so does all of it, and that is the reason: a sentence, which
 * goes to stderr at the end. stdout, which may be a log of its own, says which part it was.
 *
 * @param {string} part
 * @param {{ stop(): Promise<void>, exited: Promise<{ reason: string }> }} started
 */
function endOf(part, { stop, exited }) {
  let ended = false
  let isStopped = false
  void exited.then(({ reason }) => {
    ended = true
    if (isStopped || ending.signal.aborted || broken.signal.aborted) return
    steps.print(`\nEnding (the end of ${part}).`)
    broken.abort(new Failure(reason))
  })
  const end = () => {
    isStopped = true
    return stop()
  }
  return { end, hasEnded: () => ended }
}

/** @param {import('./settings.mjs').Settings} settings @param {(text: string) => void} report */
async function afterEarlierStart({ embedded, dataDir }, report) {
  if (!embedded) return
  const owner = () => livePidRecord(nodePlaces(dataDir).ownerFile)
  const earlier = owner()
  if (earlier?.ending) {
    report(`waiting for the end of the earlier start (process ${earlier.pid})`)
    if (await until(() => owner() === null, EARLIER_ENDS_WITHIN_MS, { signal: ending.signal })) return
  }
  if (!earlier) return
  throw new Failure(
    `Leasehold is already running on ${dataDir} (process ${earlier.pid}): stop that one first, or set LEASEHOLD_DATA_DIR and PORT for a second one.`,
  )
}

/** Says in the owner's file that this start is about to end. @param {string} dataDir */
function sayItEnds(dataDir) {
  const { ownerFile } = nodePlaces(dataDir)
  if (livePidRecord(ownerFile)?.pid === process.pid) writePidFile(ownerFile, process.pid, { ending: true })
}

/** Several consoles may share a data directory when none of them has a Cassandra in it. */
const consoleLog = (/** @type {import('./settings.mjs').Settings} */ { dataDir, embedded, port }) =>
  join(dataDir, 'logs', embedded ? 'console.log' : `console-${port}.log`)

/** @param {import('../cassandra/node.mjs').CassandraNode | null | undefined} node @returns {Record<string, string>} */
function embeddedEnv(node) {
  if (!node) return {}
  return {
    CASSANDRA_CONTACT_POINTS: node.contactPoint,
    CASSANDRA_LOCAL_DC: 'datacenter1',
    CASSANDRA_REPLICATION: '1',
    LEASEHOLD_EMBEDDED: '1',
    ...roleEnvironment(node.roles),
  }
}

/**
 * Runs both. When one fails, or a signal arrives, the other one is ended before this returns.
 *
 * @template A, B
 * @param {(signal: AbortSignal) => Promise<A>} first
 * @param {(signal: AbortSignal) => Promise<B>} second
 * @returns {Promise<[A, B]>}
 */
async function together(first, second) {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, ending.signal, broken.signal])
  /** @type {unknown} */
  let failure
  const tasks = [first(signal), second(signal)].map((task) =>
    task.catch((error) => {
      failure ??= error
      stop.abort()
    }),
  )
  const results = await Promise.all(tasks)
  if (failure) throw failure
  return /** @type {[A, B]} */ (results)
}

async function endAll() {
  while (running.length > 0) {
    const { name, end, hasEnded } = /** @type {Running} */ (running.pop())
    await (name && !hasEnded?.() ? steps.step(name, () => end()) : end())
  }
}

/** @param {string[]} args @param {import('./modes.mjs').Mode} mode */
export async function main(args, mode) {
  const { command, dataDirName } = mode
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(mode.help)
  if (args.length > 0)
    throw new Failure(`${command} knows no argument "${args[0]}": see ${command} -- --help.`, { exitCode: 2 })
  const settings = readSettings(process.env, ROOT, dataDirName)
  onInterruption(async (reason) => {
    sayItEnds(settings.dataDir)
    // Ctrl-C ends `tee` at this very moment: what is still in the pipe to it is lost without an error.
    if (!process.stdout.isTTY) await sleep(READER_ENDS_WITHIN_MS)
    steps.print(`\nEnding (${reason}); Ctrl-C again forces it.`)
    ending.abort()
  })
  try {
    await start(mode, settings, takeSecrets())
    broken.signal.throwIfAborted()
  } catch (error) {
    // The first part that ended is the reason; what failed since then is its consequence.
    if (broken.signal.aborted) throw broken.signal.reason
    if (!ending.signal.aborted) throw error
  } finally {
    sayItEnds(settings.dataDir)
    await endAll()
  }
}
