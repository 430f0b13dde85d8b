/**
 * An embedded Cassandra node: one process, on loopback, with its own ports, all of its files in one directory.
 *
 *     import { startNode } from './scripts/cassandra/node.mjs'
 *
 *     const node = await startNode({ dataDir: '/tmp/example' })    // ready to serve when this resolves
 *     node.host, node.port, node.pid                               // '127.0.0.1', 27154, 4711
 *     node.contactPoint                                            // '127.0.0.1:27154'
 *     node.roles.reader                                            // { username: 'leasehold_reader', password: '…' }
 *     await node.stop()                                            // drains; then by force; returns when ports are free
 *     await node.kill()                                            // SIGKILL: a crash
 *     const { code, signal, reason } = await node.exited           // however it ended
 *
 * To test an outage: `await node.kill()`, then `startNode({ dataDir, preferredPort: node.port })` on the same
 * directory: the data is there again, on the same port.
 *
 * Guarantees: every acknowledged write is on the disk (see settings/config.mjs). One node has one owner: a second start on the
 * same directory is refused as long as the first owner lives, and ends the node of an owner that died. The node that
 * answers is the process that was started (state/startup.mjs): if another program takes its port first, it is started again
 * on the next one. It needs the jars (jars.mjs) and a Java (../setup/java.mjs); it fetches neither. Expected failures are
 * `Failure`s.
 */
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { endProcess, sendSignal, until } from '../process/ending.mjs'
import { processIdentity } from '../process/identity.mjs'
import { claim, writePidFile } from '../process/pid-file.mjs'
import { nextFreePort, portsReleased, probePort, randomFreePorts } from '../process/ports.mjs'
import { started } from '../process/started.mjs'
import { withTimerSlack } from '../process/timer-slack.mjs'
import { javaHint, requireJava } from '../setup/java.mjs'
import { Failure } from '../terminal/failure.mjs'
import { defaultJarsDir, requireJars } from './jars.mjs'
import { ensureRoles } from './roles/roles.mjs'
import { cassandraYaml, logbackXml } from './settings/config.mjs'
import { javaArguments, javaEnvironment } from './settings/java-options.mjs'
import { nodePlaces } from './settings/places.mjs'
import { endLeftOverNode } from './state/left-over.mjs'
import { answersCql } from './state/native-protocol.mjs'
import { lastWords, tookItsPort, whyItEnded } from './state/obituary.mjs'
import { hasItsPorts, silence, sizeOf } from './state/startup.mjs'

export { SHORT_LIVED } from './settings/java-options.mjs'

const HOST = '127.0.0.1'
const noRole = { username: 'anyone', password: 'none' }
const noRoles = { admin: noRole, schema: noRole, writer: noRole, reader: noRole, program: noRole }
/** Without a new line in its log. Of a start on a machine with ten times the work that it can do, 18 s were the longest. */
const SILENT_MS = 120_000
/** However much it writes. */
const READY_WITHIN_MS = 1_200_000
const DRAIN_MS = 20_000
const PORTS_MS = 20_000
const ENDS_WITHIN_MS = 2_000
/** Of one start, each on other ports. */
const STARTS_MAX = 5
/**
 * Of 50, which is Linux's own, idle threads of a node with little to do take a quarter of its processor time. With 16 requests in
 * flight on two processors, the console answered 1.16 times as many reads with 200, and 1.44 times as many pairs of
 * acquire and release; with one in flight a read took as long, and a pair up to a millisecond longer. With 500 it took
 * half as long again.
 */
const TIMER_SLACK_MICROS = 200

/**
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, reason: string }} Exit reason: a sentence
 * @typedef {{
 *   host: string, port: number, contactPoint: string, pid: number, roles: import('./roles-file.mjs').NodeRoles,
 *   stop(): Promise<void>, kill(): Promise<void>, exited: Promise<Exit>,
 * }} CassandraNode
 */

/**
 * Starts the node and waits until it answers, and its roles are what they should be (roles/roles.mjs).
 *
 * @param {{
 *   dataDir: string,
 *   preferredPort?: number,
 *   onlyThatPort?: boolean,
 *   log?: (line: string) => void,
 *   jarsDir?: string,
 *   java?: string,
 *   heapMb?: number,
 *   javaOptions?: string[],
 *   pom?: string,
 *   moreYaml?: string,
 *   paxosVariant?: 'v1' | 'v2',
 *   member?: { host: string, port: number, storagePort: number, seed: string },
 *   timerSlackMicros?: number,
 *   signal?: AbortSignal,
 * }} options
 *   preferredPort: for clients; the next free one from there if it is taken, unless `onlyThatPort`. Without it, any free one.
 *   jarsDir: default `$LEASEHOLD_JARS`, else `<dataDir>/jars`. java: the program; default: looked for. javaOptions: more of
 *   its arguments. pom: that the jars were fetched by; default: the embedded node's. moreYaml: settings besides ours. paxosVariant: default v2.
 *   member: of a cluster of several nodes, for tests: its loopback address, the ports that all of them have, and the
 *   address of the first; its clients need no password, and any name will do.
 *   timerSlackMicros: how late its idle threads may wake (timer-slack.mjs); default 200. signal: gives up waiting and ends the node.
 * @returns {Promise<CassandraNode>}
 */
export async function startNode({
  dataDir,
  preferredPort,
  onlyThatPort = false,
  log = () => {},
  jarsDir,
  java,
  heapMb = 512,
  javaOptions,
  pom,
  moreYaml = '',
  paxosVariant,
  member,
  timerSlackMicros = TIMER_SLACK_MICROS,
  signal,
}) {
  const host = member?.host ?? HOST
  const home = resolve(dataDir)
  const places = nodePlaces(home)
  const jars = resolve(jarsDir ?? defaultJarsDir(home))
  requireJars(jars, pom)
  const program = java ?? (await requireJava()).path

  for (const dir of [home, places.home, places.storage, places.conf, places.logs])
    mkdirSync(dir, { recursive: true, mode: 0o700 })
  const claimed = claim(places.ownerFile)
  if ('owner' in claimed) {
    throw new Failure(
      `Process ${claimed.owner.pid} already runs a Cassandra node in ${places.home}: stop it first, or choose another directory with LEASEHOLD_DATA_DIR.`,
    )
  }
  try {
    await endLeftOverNode(home, log)
    for (let starts = 1; ; starts += 1) {
      const port = await portForClients()
      const node = await launch(port)
      if (node !== 'port taken') return node
      if (starts === STARTS_MAX)
        throw new Failure(
          `Other programs took the ports of Cassandra ${STARTS_MAX} times: set LEASEHOLD_CASSANDRA_PORT to a free one (log: ${places.systemLog}).`,
        )
      log(`another program took port ${port} first, or the port for other nodes; starting again`)
    }
  } catch (error) {
    claimed.release()
    throw error
  }

  async function portForClients() {
    // All members of a cluster have the same ports, each on its own address.
    if (member) return member.port
    if (preferredPort === undefined) return /** @type {number} */ ((await randomFreePorts(1))[0])
    if (onlyThatPort && (await probePort(preferredPort)) !== 'free')
      throw new Failure(
        `LEASEHOLD_CASSANDRA_PORT ${preferredPort} is taken by another program: set it to a free one, or unset it.`,
      )
    const port = await nextFreePort(preferredPort)
    if (port !== null) return port
    throw new Failure(
      `No port is free from ${preferredPort} upwards: set LEASEHOLD_CASSANDRA_PORT to a free one.`,
    )
  }

  /** @param {number} port @returns {Promise<CassandraNode | 'port taken'>} */
  async function launch(port) {
    const [storagePort] = member ? [member.storagePort] : /** @type {[number]} */ (await randomFreePorts(1))
    const ports = [port, storagePort]

    rmSync(places.tmp, { recursive: true, force: true })
    mkdirSync(places.tmp, { mode: 0o700 })
    const isOpen = member !== undefined
    const where = { nativePort: port, storagePort, host, seed: member?.seed ?? host, isOpen, paxosVariant }
    const yaml = cassandraYaml({ storage: places.storage, ...where })
    writeFileSync(places.yaml, yaml + moreYaml)
    writeFileSync(places.logback, logbackXml({ logs: places.logs }))
    rmSync(places.startupLog, { force: true })
    const logOffset = sizeOf(places.systemLog)

    // A process group of its own: Ctrl-C in a terminal reaches the whole foreground group, and the node must not
    // begin to end before the server that uses it.
    const output = openSync(places.output, 'w', 0o600)
    const child = withTimerSlack(timerSlackMicros, () =>
      started(() =>
        spawn(program, javaArguments({ dataDir: home, jarsDir: jars, heapMb, javaOptions }), {
          cwd: places.home,
          detached: true,
          stdio: ['ignore', output, output],
          env: javaEnvironment(),
        }),
      ),
    )
    closeSync(output)
    if (child === null) throw new Failure(`Java could not be started (${program}). ${javaHint()}`)
    const { pid } = child
    writePidFile(places.pidFile, pid, { ports })
    const identity = processIdentity(pid)

    // Whatever ends this process without asking the node to stop must not leave it behind.
    const lastResort = () => sendSignal(pid, 'SIGKILL', true)
    process.once('exit', lastResort)

    let gone = false
    /** @type {Promise<Exit>} */
    const exited = new Promise((done) => {
      child.once('exit', (code, killedBy) => {
        gone = true
        process.removeListener('exit', lastResort)
        done({ code, signal: killedBy, reason: whyItEnded(places, logOffset, { code, signal: killedBy }) })
      })
    })

    /** @param {number} graceMs */
    const end = async (graceMs) => {
      // The ports of one that ended by itself may be another program's by now.
      const hasPorts = !gone
      await endProcess(pid, { graceMs, group: true, identity })
      await exited
      if (hasPorts) await portsReleased(ports, { host, timeoutMs: PORTS_MS })
      rmSync(places.pidFile, { force: true })
    }
    /** @type {Promise<void> | undefined} */
    let ending
    /** @param {number} graceMs */
    const endForGood = (graceMs) => {
      ending ??= end(graceMs).then(claimed.release)
      return ending
    }
    const kill = () => {
      sendSignal(pid, 'SIGKILL', true)
      return endForGood(0)
    }

    /** @type {import('./roles-file.mjs').NodeRoles} */
    let roles
    try {
      log(`process ${pid}`)
      await untilItAnswers()
      roles = isOpen ? noRoles : await ensureRoles({ host, port, rolesFile: places.rolesFile, signal })
    } catch (error) {
      // A node that ends breaks its connections a moment before its process is seen to be gone.
      const endedByItself = gone || (!signal?.aborted && (await until(() => gone, ENDS_WITHIN_MS)))
      await end(0)
      if (endedByItself && !member && tookItsPort(places)) return 'port taken'
      if (endedByItself) throw new Failure((await exited).reason)
      if (error instanceof Failure || signal?.aborted) throw error
      const { message } = /** @type {Error} */ (error)
      throw new Failure(
        `Cassandra answered, but its roles could not be set up (${message}): see ${places.systemLog}, then start again.`,
        { cause: error },
      )
    }
    log(`${host}:${port}`)
    const contactPoint = `${host}:${port}`
    return { host, port, contactPoint, pid, roles, stop: () => endForGood(DRAIN_MS), kill, exited }

    async function untilItAnswers() {
      const isSilent = silence(places, { limitMs: SILENT_MS })
      let stuck = false
      const look = async () => {
        stuck = isSilent()
        return gone || stuck || (hasItsPorts(places) && (await answersCql(host, port)))
      }
      const decided = await until(look, READY_WITHIN_MS, { everyMs: 100, signal })
      if (!gone && decided && !stuck) return
      if (gone) throw new Failure((await exited).reason)
      const howLong = stuck
        ? `wrote nothing for ${SILENT_MS / 1000} seconds`
        : `did not answer within ${READY_WITHIN_MS / 60_000} minutes`
      const last = lastWords(places, logOffset)
      throw new Failure(
        `Cassandra ${howLong} and was ended. ${last === null ? 'It logged nothing.' : `Its last line: "${last}".`} See ${places.systemLog}; then start again.`,
      )
    }
  }
}
