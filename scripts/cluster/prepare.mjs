import { join } from 'node:path'
import { adoptJars, fetchJars, jarsComplete } from '../cassandra/jars.mjs'
import { versionOf } from '../cassandra/versions.mjs'
import { ensureBuild } from '../console/build.mjs'
import { ROOT } from '../process/registry.mjs'
import { ensureToolchain } from '../setup/toolchain.mjs'

/**
 * Cassandra's jars, a Java, and a build of the console.
 *
 * @param {{
 *   dir: string, cassandra: import('../cassandra/versions.mjs').Version, signal: AbortSignal,
 *   steps: ReturnType<typeof import('../terminal/steps.mjs').createSteps>,
 * }} options
 * @returns {Promise<import('./machine.mjs').Prepared>}
 */
export async function prepare({ dir, cassandra, steps, signal }) {
  const { pom, jars, paxosVariant, javaOptions } = versionOf(cassandra)
  const jarsDir = join(dir, jars)
  const distDir = '.next-test'
  const log = (/** @type {string} */ name) => join(dir, 'logs', name)
  const nearby = ['.leasehold', '.leasehold-test']
    .map((name) => join(ROOT, name, jars))
    .find((folder) => jarsComplete(folder, pom))
  const fetched = jarsComplete(jarsDir, pom)
  const java = await steps.step('find Java', (report) =>
    ensureToolchain({ needMaven: !fetched && nearby === undefined, report, signal, logFile: log('apt.log') }),
  )
  if (!fetched && nearby !== undefined) adoptJars(nearby, jarsDir)
  else if (!fetched)
    await steps.step('fetch Cassandra', (report) =>
      fetchJars(jarsDir, { java, report, signal, pom, logFile: log('fetch.log') }),
    )
  await steps.step('build the console', (report) =>
    ensureBuild(ROOT, { distDir, report, signal, logFile: log('build.log') }),
  )
  return { dir, jarsDir, pom, paxosVariant, javaOptions, java: java.path, distDir }
}
