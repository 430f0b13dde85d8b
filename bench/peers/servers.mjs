/** Which peers this machine has, what installs them, and their servers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomFreePorts } from '../../scripts/process/ports.mjs'
import { ROOT } from '../../scripts/process/registry.mjs'
import { installPackages, mayInstall } from '../../scripts/setup/apt.mjs'
import { isOnPath } from '../../scripts/setup/programs.mjs'
import { temporaryFolder } from '../../scripts/test/temporary-folder.mjs'
import * as etcd from './etcd.mjs'
import * as redis from './redis.mjs'
import * as zookeeper from './zookeeper.mjs'

/** @type {{ id: string, title: string, client: string, isInstalled: () => boolean, packages: string[], start: Function, connect: Function }[]} */
export const peers = [
  {
    ...etcd,
    id: 'etcd',
    title: 'etcd',
    client: 'etcd3',
    isInstalled: () => isOnPath(etcd.command),
  },
  { ...zookeeper, id: 'zookeeper', title: 'ZooKeeper', client: 'node-zookeeper-client' },
  {
    ...redis,
    id: 'redis',
    title: 'Redis',
    client: 'redlock',
    isInstalled: () => isOnPath(redis.command),
  },
]

/**
 * Installs the servers that are missing, as Debian's packages.
 *
 * @param {(text: string) => void} report
 */
export async function installPeers(report) {
  const missing = peers.filter(({ isInstalled }) => !isInstalled())
  if (missing.length === 0) return report('all are installed')
  if (!mayInstall()) return report('only root on Debian installs: skipped')
  await installPackages(
    missing.map(({ packages }) => packages),
    { report },
  )
}

/** @param {typeof peers[number]} peer @param {string} java */
export async function startServerOf(peer, java) {
  const folder = join(temporaryFolder('leasehold-bench'), peer.id)
  const ports = await randomFreePorts(2)
  return peer.start({ folder, ports, java })
}

/** The exact version of a package of npm in this repository. @param {string} name */
export const clientVersion = (name) =>
  JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version
