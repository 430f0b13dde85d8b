/** What a figure depends on: the machine, its load before the run, and the versions. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

/**
 * @typedef {{ date: string, machine: string, load: number[], versions: Record<string, string>, commit: string }} Facts
 *   date: UTC; load: the load averages of the last 1, 5 and 15 minutes
 * @param {string} root @param {{ version: string }} java
 * @returns {Facts} asked for before anything is started
 */
export function factsOf(root, java) {
  const [cpu] = cpus()
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0)
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    machine: `${cpus().length} × ${cpu?.model.trim() || process.arch}, ${gigabytes} GB, ${type()} ${release()}`,
    load: loadavg().map((load) => Number(load.toFixed(2))),
    versions: {
      Cassandra: cassandraVersion(root),
      'cassandra-driver': versionOf(root, 'cassandra-driver'),
      Node: process.versions.node,
      Java: java.version,
    },
    commit: commitOf(root),
  }
}

/** @param {string} root @param {string} name of a package of npm */
const versionOf = (root, name) =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version

/** @param {string} root */
const cassandraVersion = (root) =>
  /<artifactId>cassandra-all<\/artifactId>\s*<version>([^<]+)/.exec(
    readFileSync(join(root, 'scripts/cassandra/pom.xml'), 'utf8'),
  )?.[1] ?? 'unknown'

/** The commit that was measured; a plus: with changes that are not committed. @param {string} root */
function commitOf(root) {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
    const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', ':!docs') !== ''
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? '+' : ''}`
  } catch {
    return 'unknown'
  }
}
