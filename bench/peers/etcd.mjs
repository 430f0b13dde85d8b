/** etcd: a campaign of the npm client `etcd3`, whose key hangs on a lease that the client keeps alive. */
import { join } from 'node:path'
import { run } from '../../scripts/process/run.mjs'
import { startPeer } from './server.mjs'
import { ttlSeconds } from './timing.mjs'

export const command = 'etcd'
export const packages = ['etcd-server']

/** @param {{ folder: string, ports: number[] }} options */
export async function start({ folder, ports: [port, peerPort] }) {
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const server = await startPeer({
    command,
    args: [
      ...['--data-dir', join(folder, 'data'), '--log-level', 'warn'],
      ...['--listen-client-urls', url, '--advertise-client-urls', url],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `default=${peerUrl}`],
    ],
    port: Number(port),
    folder,
  })
  const { output } = await run(command, ['--version'])
  return { ...server, where: { url }, version: /etcd Version: (\S+)/.exec(output)?.[1] ?? 'unknown' }
}

/** @param {{ url: string }} where */
export async function connect({ url }) {
  const { Etcd3 } = await import('etcd3')
  // The client counts each watch that it cancels itself as a failure of its host, and refuses all work for seconds after
  // three of them. The waiters of one round cancel more.
  const withoutBreaker = { execute: async (work) => work() }
  const client = new Etcd3({
    hosts: [url],
    faultHandling: { host: () => /** @type {any} */ (withoutBreaker) },
  })
  return {
    acquire: (name, { signal, onRenewed = () => {} }) =>
      new Promise((resolve, reject) => {
        let sentMs = Date.now()
        const grantedMs = sentMs
        const campaign = client.election(name, ttlSeconds).campaign('bench')
        // The type hides the lease of a campaign; no event of the campaign itself reports its renewals.
        const { lease } = /** @type {any} */ (campaign)
        lease.on('keepaliveFired', () => {
          sentMs = Date.now()
        })
        lease.grant().then(() => onRenewed(grantedMs), reject)
        lease.on('keepaliveSucceeded', () => onRenewed(sentMs))
        signal?.addEventListener('abort', () => campaign.resign().then(() => reject(signal.reason), reject))
        campaign.on('elected', () => resolve({ release: () => campaign.resign() }))
        campaign.on('error', reject)
      }),
    /** etcd deletes the key of a lease that it ends: the watch of a connection of its own reports it. */
    async watch(name) {
      const [first] = (
        await client.getAll().prefix(`election/${name}/`).sort('Create', 'Ascend').limit(1).exec()
      ).kvs
      if (first === undefined) throw new Error(`No key of ${name}.`)
      const watcher = await client.watch().key(first.key).create()
      const deleted = new Promise((resolve) => watcher.once('delete', () => resolve(Date.now())))
      return {
        async ended() {
          const endedMs = await deleted
          await watcher.cancel()
          return { endedMs }
        },
      }
    },
    async close() {
      client.close()
    },
  }
}
