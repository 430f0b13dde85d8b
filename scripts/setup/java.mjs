import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { run } from '../process/run.mjs'
import { Failure } from '../terminal/failure.mjs'

/**
 * Finding a Java that Cassandra 5.0 runs on. 25 fails (it has no security manager); 21 is not supported.
 *
 * @typedef {{ path: string, version: string, major: number, home: string | null }} Java
 */
const SUITABLE_MAJORS = [17, 11]

/**
 * @param {string} output of `java -version`
 * @returns {{ version: string, major: number } | null}
 */
export function parseJavaVersion(output) {
  const version = /version "([^"]+)"/.exec(output)?.[1]
  if (version === undefined) return null
  // Up to 8 they counted 1.8.0_392, since then 11.0.2.
  const major = Number(/^(?:1\.)?(\d+)/.exec(version)?.[1])
  return Number.isNaN(major) ? null : { version, major }
}

/**
 * The places to look, the user's own choice first.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {(dir: string) => string[]} [list]
 * @returns {string[]} programs, without repetition
 */
export function javaCandidates(env, list = listDir) {
  const homes = [
    ...(env.JAVA_HOME ? [env.JAVA_HOME] : []),
    ...(env.PATH ?? '')
      .split(delimiter)
      .filter(Boolean)
      .map((dir) => ({ bin: dir })),
    ...list('/usr/lib/jvm').map((name) => join('/usr/lib/jvm', name)),
    ...list('/Library/Java/JavaVirtualMachines').map((name) =>
      join('/Library/Java/JavaVirtualMachines', name, 'Contents/Home'),
    ),
    ...list(join(homedir(), '.sdkman/candidates/java')).map((name) =>
      join(homedir(), '.sdkman/candidates/java', name),
    ),
  ]
  return [
    ...new Set(
      homes.map((home) => (typeof home === 'string' ? join(home, 'bin', 'java') : join(home.bin, 'java'))),
    ),
  ]
}

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ java: Java | null, unsuitable: Java[] }>} the first suitable one, and the other ones that were found
 */
export async function findJava(env = process.env) {
  /** @type {Java[]} */
  const unsuitable = []
  for (const path of javaCandidates(env)) {
    const ran = await run(path, ['-version'], { env })
    const parsed = ran.code === 0 ? parseJavaVersion(ran.output) : null
    if (parsed === null) continue
    const java = { path, ...parsed, home: path.endsWith('/bin/java') ? dirname(dirname(path)) : null }
    if (SUITABLE_MAJORS.includes(parsed.major)) return { java, unsuitable }
    unsuitable.push(java)
  }
  return { java: null, unsuitable }
}

/** @returns {Promise<Java>} */
export async function requireJava() {
  const { java, unsuitable } = await findJava()
  if (java) return java
  throw new Failure(noJavaSentence(unsuitable))
}

/**
 * Why the Java in use is not the one that JAVA_HOME names. Many machines set JAVA_HOME for other programs, so that it
 * does not end a start; the person who set it for this one has to learn that it was of no use.
 *
 * @param {{ java: Java, unsuitable: Java[] }} found
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | null} null: JAVA_HOME is not set, or its Java is used
 */
export function passedOverJavaHome({ java, unsuitable }, env = process.env) {
  if (!env.JAVA_HOME) return null
  const path = join(env.JAVA_HOME, 'bin', 'java')
  if (java.path === path) return null
  const other = unsuitable.find((each) => each.path === path)
  const has = other ? `Java ${other.version}, and Cassandra needs 11 or 17` : 'no bin/java that runs'
  return `JAVA_HOME (${env.JAVA_HOME}) has ${has}: using ${java.path}`
}

/** @param {Java[]} unsuitable @param {NodeJS.ProcessEnv} [env] */
export function noJavaSentence(unsuitable, env = process.env) {
  const found = [...new Set(unsuitable.map(({ version, path }) => `${version} at ${path}`))].join(', ')
  const has = found ? `this machine has only ${found}` : 'this machine has none'
  const home = env.JAVA_HOME && !found.includes(join(env.JAVA_HOME, 'bin', 'java')) ? env.JAVA_HOME : null
  const empty = home ? ` (JAVA_HOME, ${home}, has no bin/java that runs)` : ''
  return `The embedded Cassandra needs Java 11 or 17, and ${has}${empty}: ${javaHint()}`
}

/** What to do about it, on this kind of machine. */
export function javaHint(platform = process.platform) {
  const how =
    platform === 'darwin'
      ? 'install one (`brew install openjdk@17`)'
      : 'install one (Debian 12 and Ubuntu: `sudo apt-get install openjdk-17-jre-headless`; elsewhere: https://adoptium.net)'
  return `${how} or set JAVA_HOME to one, or set CASSANDRA_CONTACT_POINTS to use a Cassandra of your own.`
}

/** @param {string} dir */
function listDir(dir) {
  try {
    return readdirSync(dir).sort()
  } catch {
    return []
  }
}
