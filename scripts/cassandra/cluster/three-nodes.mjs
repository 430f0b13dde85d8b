import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { randomFreePorts } from '../../process/ports.mjs'
import { startNode } from '../node.mjs'

const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
/** The nodes join one after the other, from a process that knows no others. */
const OPTIONS = ['-Dcassandra.consistent.rangemovement=false']

/**
 * Three nodes of one cluster on this machine, with nothing in them, for tests. Their clients need no password. It takes a
 * minute or two, and 2 GB.
 *
 * @param {{ dataDir: string, heapMb?: number }} options
 */
export async function startThreeNodes({ dataDir, heapMb = 384 }) {
  rmSync(dataDir, { recursive: true, force: true })
  const [port, storagePort] = /** @type {[number, number]} */ (await randomFreePorts(2))
  /** @type {(import('../node.mjs').CassandraNode | null)[]} */
  const nodes = [null, null, null]
  /** @param {number} i */
  const start = async (i) => {
    const host = /** @type {string} */ (HOSTS[i])
    const member = { host, port, storagePort, seed: /** @type {string} */ (HOSTS[0]) }
    const home = join(dataDir, `node${i + 1}`)
    nodes[i] = await startNode({ dataDir: home, heapMb, javaOptions: OPTIONS, member })
  }
  /** @param {number} i */
  const kill = async (i) => {
    await nodes[i]?.kill()
    nodes[i] = null
  }
  const stop = () => Promise.all([0, 1, 2].map(kill)).then(() => {})
  try {
    for (const i of HOSTS.keys()) await start(i)
  } catch (error) {
    await stop()
    throw error
  }
  return { contactPoint: `${HOSTS[0]}:${port}`, start, kill, stop }
}
