import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sendSignal } from '../../process/ending.mjs'
import { randomFreePorts } from '../../process/ports.mjs'
import { startNode } from '../node.mjs'

const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
/**
 * The nodes join one after the other, from a process that knows no others. On a busy machine the seed needs longer to
 * answer than the second of a lone node: a node that has not heard the seed by then ends.
 */
const OPTIONS = ['-Dcassandra.consistent.rangemovement=false', '-Dcassandra.ring_delay_ms=5000']

/**
 * Three nodes of one cluster on this machine, with nothing in them, for tests. Their clients need no password. It takes a
 * minute or two, and 2 GB.
 *
 * @param {{
 *   dataDir: string, heapMb?: number, jarsDir?: string, pom?: string, paxosVariant?: 'v1' | 'v2', java?: string, javaOptions?: string[],
 *   log?: (line: string) => void, signal?: AbortSignal,
 * }} options as those of a node; signal: ends nodes that have not answered yet
 */
export async function startThreeNodes({
  dataDir,
  heapMb = 384,
  jarsDir,
  pom,
  paxosVariant,
  java,
  javaOptions = [],
  log,
  signal,
}) {
  rmSync(dataDir, { recursive: true, force: true })
  const [port, storagePort] = /** @type {[number, number]} */ (await randomFreePorts(2))
  /** @type {(import('../node.mjs').CassandraNode | null)[]} */
  const nodes = [null, null, null]
  /** @param {number} i @param {{ java?: string }} [other] */
  const start = async (i, { java: otherJava } = {}) => {
    const host = /** @type {string} */ (HOSTS[i])
    const member = { host, port, storagePort, seed: /** @type {string} */ (HOSTS[0]) }
    const home = join(dataDir, `node${i + 1}`)
    const program = otherJava ?? java
    const where = { dataDir: home, jarsDir, pom, paxosVariant, java: program, heapMb, member }
    nodes[i] = await startNode({ ...where, javaOptions: [...OPTIONS, ...javaOptions], log, signal })
  }
  /** @param {number} i @param {'kill' | 'stop'} how */
  const finish = async (i, how) => {
    const node = nodes[i]
    nodes[i] = null
    await node?.[how]()
  }
  const kill = (/** @type {number} */ i) => finish(i, 'kill')
  const stop = () => Promise.all([0, 1, 2].map(kill)).then(() => {})
  /** @param {NodeJS.Signals} name */
  const send = (name) => (/** @type {number} */ i) => {
    const pid = nodes[i]?.pid
    if (pid !== undefined) sendSignal(pid, name, true)
  }
  try {
    for (const i of HOSTS.keys()) await start(i)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    contactPoint: `${HOSTS[0]}:${port}`,
    hosts: HOSTS,
    port,
    start,
    kill,
    end: (/** @type {number} */ i) => finish(i, 'stop'),
    freeze: send('SIGSTOP'),
    thaw: send('SIGCONT'),
    stop,
  }
}
