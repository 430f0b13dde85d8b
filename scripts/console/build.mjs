import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { oneAtATime } from '../process/lock.mjs'
import { registered } from '../process/registry.mjs'
import { run } from '../process/run.mjs'
import { Failure } from '../terminal/failure.mjs'
import { compileServer } from './compile-server.mjs'

/** What a build is made from. Tests are not, nor is anything that is only read at run time. */
const SOURCES = [
  'app',
  'components',
  'lib',
  'public',
  'instrumentation.ts',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]
const LEFT_OUT = /^(node_modules|dist|\..*)$|\.test\.tsx?$|\.md$/

/** @param {string} root @param {string} distDir relative to root */
export const stampOf = (root, distDir) => join(root, distDir, 'leasehold-build.json')

/**
 * A hash over everything that a build depends on: names, contents, the Node that builds.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 */
export function fingerprint(root, env = process.env) {
  const hash = createHash('sha256').update(process.version)
  for (const [name, value] of Object.entries(env).sort()) {
    // Next copies these into the pages.
    if (name.startsWith('NEXT_PUBLIC_')) hash.update(`${name}=${value}\0`)
  }
  for (const path of SOURCES.flatMap((name) => filesUnder(root, name))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** @param {string} root @param {string} path @returns {string[]} sorted, relative to root */
function filesUnder(root, path) {
  try {
    return readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => !LEFT_OUT.test(entry.name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) =>
        entry.isDirectory() ? filesUnder(root, join(path, entry.name)) : [join(path, entry.name)],
      )
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOTDIR') return [path]
    if (code === 'ENOENT') return []
    throw error
  }
}

/**
 * Builds the console, unless it was built from these very sources. The stamp is written last and removed first: a
 * build that was interrupted is done again.
 *
 * @param {string} root
 * @param {{
 *   distDir?: string, report: (text: string) => void, logFile: string, signal?: AbortSignal,
 * }} options
 */
export async function ensureBuild(root, { distDir = '.next', report, logFile, signal }) {
  const stamp = stampOf(root, distDir)
  const wanted = fingerprint(root)
  if (builtFrom(stamp) === wanted) return report('as built before')
  const kind = `build${distDir}`
  await oneAtATime(kind, { report, signal }, async () => {
    if (builtFrom(stamp) === wanted) return report('as built before')
    const [server] = registered('server').filter((it) => !it.orphan && it.distDir === distDir)
    if (server) {
      throw new Failure(
        `The sources have changed since the console at port ${server.port} (process ${server.pid}) was built, and building anew would break it: stop it first.`,
      )
    }
    rmSync(stamp, { force: true })
    const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next')
    const ran = await run(process.execPath, [next, 'build'], {
      cwd: root,
      kind,
      logFile,
      signal,
      env: {
        ...process.env,
        NEXT_TELEMETRY_DISABLED: '1',
        NODE_ENV: 'production',
        LEASEHOLD_DIST_DIR: distDir,
      },
      onLine: (line) => plain(line) && report(plain(line)),
    })
    if (ran.code !== 0) throw buildFailure(ran.output, logFile)
    const compiled = await compileServer(root, distDir, { kind, signal })
    if (compiled.code !== 0) throw buildFailure(compiled.output, logFile)
    writeFileSync(stamp, JSON.stringify({ sources: wanted }))
    report('done')
  })
}

/** @param {string} stamp @returns {string | null} */
function builtFrom(stamp) {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8')).sources
  } catch {
    return null
  }
}

/** @param {string} output @param {string} logFile */
function buildFailure(output, logFile) {
  if (/ENOSPC|No space left/i.test(output)) {
    return new Failure(
      `The disk filled up while building the console: free some space, then try again (log: ${logFile}).`,
    )
  }
  return new Failure(`The console could not be built: see ${logFile}.`, {
    details: output.split('\n').map(plain).filter(Boolean).slice(-25).join('\n'),
  })
}

/** Without colours and decoration. @param {string} line */
const plain = (line) =>
  stripVTControlCharacters(line)
    .replace(/^[\s▲✓○ƒ]+/, '')
    .trim()
