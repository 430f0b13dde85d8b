/** The processes of a run: cluster/machine.ts says what each call does. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startThreeNodes } from '../cassandra/cluster/three-nodes.mjs'
import { startServer } from '../console/server.mjs'
import { probePort, randomFreePorts } from '../process/ports.mjs'
import { ROOT } from '../process/registry.mjs'
import { writeJavaAhead } from './clocks.mjs'

const CONSOLES = [0, 1]
const HEAP_MB = 512
const KEYSPACE = 'cluster_test'
const ADMIN = { username: 'admin', password: 'recorded, then checked' }
/** The nodes ask their clients for no password; the console needs some name. */
const ANYONE = { CASSANDRA_USERNAME: 'anyone', CASSANDRA_PASSWORD: 'none' }

/**
 * @typedef {{
 *   dir: string, jarsDir: string, pom: string | undefined, paxosVariant: 'v1' | 'v2', javaOptions: string[], java: string,
 *   distDir: string,
 * }} Prepared pom: that the jars were fetched by; undefined: the embedded node's. javaOptions: what this version needs
 */

/**
 * @param {Prepared & { preload: string | null, report: (text: string) => void, signal: AbortSignal }} options preload: libfaketime; null: there is none
 */
export async function startMachine({ dir, distDir, preload, report, signal, ...cassandra }) {
  const { java } = cassandra
  const dataDir = join(dir, 'nodes')
  const nodes = await startThreeNodes({ dataDir, heapMb: HEAP_MB, ...cassandra, log: report, signal })
  const proxyPort = await portOnAll(nodes.hosts)
  const ports = await randomFreePorts(CONSOLES.length)
  const auditKey = randomBytes(32).toString('base64')
  const urls = ports.map((port) => ({ url: `http://127.0.0.1:${port}` }))
  /** @type {(import('../console/server.mjs').Server | null)[]} */
  const consoles = CONSOLES.map(() => null)

  return {
    nodes: nodes.hosts.map((host) => ({ host, port: nodes.port })),
    proxyPort,
    consoles: urls,
    keyspace: KEYSPACE,
    admin: ADMIN,
    killNode: nodes.kill,
    endNode: nodes.end,
    /** @param {number} node @param {number} [seconds] */
    startNode(node, seconds = 0) {
      if (seconds === 0 || preload === null) return nodes.start(node)
      const file = join(dataDir, 'java-ahead')
      writeJavaAhead({ file, java, preload, seconds })
      return nodes.start(node, { java: file })
    },
    stopNode: nodes.freeze,
    continueNode: nodes.thaw,
    /** @param {number} i @param {string[]} contactPoints */
    async startConsole(i, contactPoints) {
      const home = join(dir, `console${i + 1}`)
      mkdirSync(home, { recursive: true, mode: 0o700 })
      consoles[i] = await startServer({
        root: ROOT,
        host: '127.0.0.1',
        port: /** @type {number} */ (ports[i]),
        distDir,
        dataDir: home,
        logFile: join(dir, 'logs', `console${i + 1}.log`),
        signal,
        env: {
          PUBLIC_URL: urls[i]?.url,
          CASSANDRA_CONTACT_POINTS: contactPoints.join(','),
          CASSANDRA_KEYSPACE: KEYSPACE,
          CASSANDRA_REPLICATION: '3',
          LEASEHOLD_DATA_DIR: home,
          LEASEHOLD_ADMIN_PASSWORD: ADMIN.password,
          LEASEHOLD_AUDIT_KEY: auditKey,
          ...ANYONE,
        },
      })
    },
    /** @param {number} i */
    async killConsole(i) {
      const server = consoles[i]
      consoles[i] = null
      await server?.kill()
    },
    async stop() {
      await Promise.all(consoles.map((server) => server?.stop()))
      await nodes.stop()
      for (const i of CONSOLES) rmSync(join(dir, `console${i + 1}`), { recursive: true, force: true })
    },
  }
}

/** A port that is free at each of these addresses. @param {readonly string[]} hosts */
async function portOnAll(hosts) {
  for (;;) {
    const [port] = /** @type {[number]} */ (await randomFreePorts(1))
    const states = await Promise.all(hosts.map((host) => probePort(port, host)))
    if (states.every((state) => state === 'free')) return port
  }
}
