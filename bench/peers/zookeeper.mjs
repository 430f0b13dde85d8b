/**
 * ZooKeeper: its recipe of a lock, on ephemeral sequential nodes. The npm client `node-zookeeper-client` has no recipes, so
 * the recipe is here: the session with the lowest node holds; each other one watches the node before its own.
 */
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { run } from '../../scripts/process/run.mjs'
import { startPeer } from './server.mjs'
import { renewEveryMs, ttlSeconds } from './timing.mjs'

const connectWithinMs = 10_000
const jar = '/usr/share/java/zookeeper.jar'
export const packages = ['zookeeper']
export const isInstalled = () => existsSync(jar)

/** @param {{ folder: string, ports: number[], java: string }} options */
export async function start({ folder, ports: [port], java }) {
  mkdirSync(folder, { recursive: true })
  const settings = join(folder, 'zoo.cfg')
  // Debian's example settings, but for what one machine needs: its address, and no limit to the connections of one client.
  const lines = [
    ...['tickTime=2000', `dataDir=${join(folder, 'data')}`, `clientPort=${port}`],
    ...['clientPortAddress=127.0.0.1', 'maxClientCnxns=0', 'admin.enableServer=false'],
  ]
  writeFileSync(settings, `${lines.join('\n')}\n`)
  const classPath = [jar, '/usr/share/java/slf4j-simple.jar'].join(':')
  const main = 'org.apache.zookeeper.server.quorum.QuorumPeerMain'
  const quiet = ['-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-Dzookeeper.jmx.log4j.disable=true']
  const server = await startPeer({
    command: java,
    args: ['-Xmx256m', ...quiet, '-cp', classPath, main, settings],
    port: Number(port),
    folder,
  })
  const { output } = await run(java, ['-cp', classPath, 'org.apache.zookeeper.Version'])
  const version = /^\d[\d.]*/m.exec(output)?.[0] ?? 'unknown'
  return { ...server, where: { address: `127.0.0.1:${port}` }, version }
}

/** @param {{ address: string }} where */
export async function connect({ address }) {
  const { default: zookeeper } = await import('node-zookeeper-client')

  /** A session: what ZooKeeper ends when its client is silent for the TTL. */
  const openSession = async () => {
    const client = zookeeper.createClient(address, { sessionTimeout: ttlSeconds * 1_000 })
    const connected = once(client, 'connected', { signal: AbortSignal.timeout(connectWithinMs) })
    client.connect()
    await connected
    const call = (method, ...args) =>
      new Promise((resolve, reject) =>
        client[method](...args, (error, result) => (error ? reject(error) : resolve(result))),
      )
    return { client, call }
  }
  const folderOf = (name) => `/${name.replaceAll('/', '-')}`
  const childrenOf = async (call, folder) =>
    (await call('getChildren', folder)).toSorted((a, b) => a.slice(-10).localeCompare(b.slice(-10)))
  const isNoNode = (error) => error?.getCode?.() === zookeeper.Exception.NO_NODE
  /** Resolves when the node is gone. */
  const deletion = ({ call }, path) =>
    new Promise((resolve, reject) =>
      call('exists', path, () => resolve(Date.now())).then(
        (stat) => stat === null && resolve(Date.now()),
        reject,
      ),
    )

  return {
    async acquire(name, { signal, onRenewed = () => {} }) {
      const session = await openSession()
      const { client, call } = session
      const folder = folderOf(name)
      const ending = new AbortController()
      const close = async () => {
        ending.abort()
        client.close()
      }
      const aborted = new Promise((_, reject) =>
        signal?.addEventListener('abort', () => close().then(() => reject(signal.reason))),
      )
      aborted.catch(() => {})
      const win = async () => {
        await call('mkdirp', folder)
        const path = await call('create', `${folder}/c-`, zookeeper.CreateMode.EPHEMERAL_SEQUENTIAL)
        const mine = path.slice(folder.length + 1)
        for (;;) {
          const children = await childrenOf(call, folder)
          const place = children.indexOf(mine)
          if (place === -1) throw new Error(`The session of ${path} has ended.`)
          if (place === 0) return
          await deletion(session, `${folder}/${children[place - 1]}`)
        }
      }
      try {
        await Promise.race([win(), aborted])
      } catch (error) {
        await close()
        throw error
      }
      void keepAlive({ call, folder, signal: ending.signal, onRenewed }).catch(() => {})
      return { release: close }
    },
    /** ZooKeeper deletes the node of a session that it ends: the watch of a session of its own reports it. */
    async watch(name) {
      // Of its own each time: once a session has expired, as one did beside 50 waiters, the client opens no other.
      const observer = await openSession()
      const [first] = await childrenOf(observer.call, folderOf(name))
      if (first === undefined) throw new Error(`No node of ${name}.`)
      const deleted = deletion(observer, `${folderOf(name)}/${first}`)
      return {
        async ended() {
          const endedMs = await deleted
          observer.client.close()
          return { endedMs }
        },
      }
    },
    /** Every session ends with its holder, its waiter or its watch. */
    async close() {},
  }

  /** The client does not report its pings. A request renews the session as a ping does. */
  async function keepAlive({ call, folder, signal, onRenewed }) {
    while (!signal.aborted) {
      const sentMs = Date.now()
      await call('exists', folder).catch((error) => {
        if (!isNoNode(error)) throw error
      })
      onRenewed(sentMs)
      await pause(renewEveryMs * 0.9, undefined, { signal })
    }
  }
}
