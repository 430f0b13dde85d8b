import { createHash } from 'node:crypto'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endOrphans } from '../process/registry.mjs'
import { run } from '../process/run.mjs'
import { mavenEnv } from '../setup/maven.mjs'
import { Failure } from '../terminal/failure.mjs'

const POM = fileURLToPath(new URL('pom.xml', import.meta.url))
/** In full, and as the pom pins it: a prefix would have to be looked up on the network first. */
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'
const STAMP = 'complete.json'

/** Where a node's jars are looked for. @param {string} dataDir */
export const defaultJarsDir = (dataDir) => process.env.LEASEHOLD_JARS || join(dataDir, 'jars')

/** The stamp holds the pom's hash (another pin means another fetch) and each file's size (a file may get lost). */
/** @param {string} pom */
const pomHash = (pom) => createHash('sha256').update(readFileSync(pom)).digest('hex')

/**
 * Whether everything that the pom asks for is there, as it was fetched.
 *
 * @param {string} dir
 * @param {string} [pom] left out: that of the embedded node
 */
export function jarsComplete(dir, pom = POM) {
  try {
    const stamp = JSON.parse(readFileSync(join(dir, STAMP), 'utf8'))
    if (stamp.pom !== pomHash(pom)) return false
    return Object.entries(stamp.files).every(([name, size]) => statSync(join(dir, name)).size === size)
  } catch {
    return false
  }
}

/** @param {string} dir @param {string} [pom] */
export function requireJars(dir, pom) {
  if (!jarsComplete(dir, pom)) throw new Failure(`Cassandra is not in ${dir} yet: \`npm start\` fetches it.`)
}

/**
 * Fetches Cassandra and all that it needs through Maven. It is put together beside its place and moved there when it
 * is whole, so an interrupted fetch leaves nothing that could be taken for Cassandra.
 *
 * @param {string} dir
 * @param {{
 *   java: import('../setup/java.mjs').Java, report?: (text: string) => void, logFile?: string, signal?: AbortSignal,
 *   mavenArgs?: string[], pom?: string,
 * }} options pom: another set of jars than that of the embedded node
 */
export async function fetchJars(
  dir,
  { java, report = () => {}, logFile, signal, mavenArgs = [], pom = POM },
) {
  await endOrphans('fetch', { log: report })
  const partial = `${dir}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true, mode: 0o700 })
  let files = 0
  const ran = await run(
    'mvn',
    // -C: a file whose checksum is wrong is a failure, not a warning.
    [
      '-B',
      '-C',
      '-f',
      pom,
      `${PLUGIN}:copy-dependencies`,
      `-DoutputDirectory=${partial}`,
      '-DincludeScope=runtime',
      ...mavenArgs,
    ],
    {
      env: mavenEnv(java),
      cwd: dirname(dir),
      kind: 'fetch',
      logFile,
      signal,
      onLine: (line) => {
        if (!/Downloaded from .*\.jar |Copying .*\.jar/.test(line)) return
        files += 1
        report(`${files} files`)
      },
    },
  )
  if (ran.code !== 0) throw new Failure(fetchFailure(ran.output, logFile))
  const { count, bytes } = stampJars(partial, pom)
  rmSync(dir, { recursive: true, force: true })
  renameSync(partial, dir)
  report(`${count} jars, ${Math.round(bytes / 1e6)} MB`)
}

/**
 * Takes over what another data directory has already fetched. Hard links cost nothing, and outlive the original.
 *
 * @param {string} from
 * @param {string} dir
 */
export function adoptJars(from, dir) {
  const partial = `${dir}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(from)) {
    try {
      linkSync(join(from, name), join(partial, name))
    } catch {
      copyFileSync(join(from, name), join(partial, name))
    }
  }
  rmSync(dir, { recursive: true, force: true })
  renameSync(partial, dir)
}

/** @param {string} dir @param {string} pom */
function stampJars(dir, pom) {
  const sizes = readdirSync(dir).map((name) => /** @type {const} */ ([name, statSync(join(dir, name)).size]))
  if (!sizes.some(([name]) => name.startsWith('cassandra-all-'))) {
    throw new Failure(`Maven reported no failure, but ${basename(dir)} holds no Cassandra: try again.`)
  }
  writeFileSync(join(dir, STAMP), JSON.stringify({ pom: pomHash(pom), files: Object.fromEntries(sizes) }))
  return { count: sizes.length, bytes: sizes.reduce((sum, [, size]) => sum + size, 0) }
}

/**
 * @param {string} output Maven's
 * @param {string} [logFile]
 */
export function fetchFailure(output, logFile) {
  const log = logFile ? ` (log: ${logFile})` : ''
  if (/No space left on device/i.test(output))
    return `The disk filled up while fetching Cassandra: free some space, then try again${log}.`
  if (/Checksum validation failed/i.test(output))
    return `A file of Cassandra arrived damaged: try again; if it happens again, look at your Maven mirror${log}.`
  const network =
    /(Unknown host[^:\]\s]*|Connection refused|Connect(?:ion)? timed out|Network is unreachable|No route to host|offline mode|Temporary failure in name resolution|Could not transfer artifact)/i.exec(
      output,
    )
  if (network)
    return `Maven could not download Cassandra (${network[1]}): connect this machine to the internet, or name a mirror in ~/.m2/settings.xml, then try again${log}.`
  const first = output
    .split('\n')
    .find((line) => line.startsWith('[ERROR]'))
    ?.slice(8)
  return `Maven could not fetch Cassandra (${first ?? 'it did not say why'})${log}.`
}
