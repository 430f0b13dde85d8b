import { Failure } from '../terminal/failure.mjs'
import { installPackages, mayInstall } from './apt.mjs'
import { findJava, noJavaSentence, passedOverJavaHome } from './java.mjs'
import { findMaven, noMaven } from './maven.mjs'

/**
 * The Java that Cassandra runs on, and the Maven that fetches it. What is missing is installed where that can be
 * done without asking (Debian as root), else said.
 *
 * @param {{
 *   needMaven: boolean, report: (text: string) => void, logFile?: string, signal?: AbortSignal,
 * }} options
 * @returns {Promise<import('./java.mjs').Java>}
 */
export async function ensureToolchain({ needMaven, report, logFile, signal }) {
  let found = await findJava()
  let maven = needMaven ? await findMaven(found.java) : null
  /** @type {string[][]} */
  const missing = []
  if (found.java === null) missing.push(['openjdk-17-jre-headless', 'openjdk-11-jre-headless'])
  // A Maven that does not run may only lack the Java that is about to be installed; apt then has nothing to do for it.
  if (needMaven && maven === null) missing.push(['maven'])
  if (missing.length > 0 && mayInstall()) {
    await installPackages(missing, { report, logFile, signal })
    found = await findJava()
    maven = needMaven ? await findMaven(found.java) : null
  }
  const { java, unsuitable } = found
  if (java === null) throw new Failure(noJavaSentence(unsuitable))
  if (needMaven && maven === null) throw noMaven()
  const passedOver = passedOverJavaHome({ java, unsuitable })
  const versions = [`Java ${java.version}`, ...(maven ? [`Maven ${maven}`] : [])].join(', ')
  report(passedOver === null ? versions : `${versions}; ${passedOver}`)
  return java
}
