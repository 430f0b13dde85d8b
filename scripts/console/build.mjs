import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { oneAtATime } from '../process/lock.mjs'
import { registered } from '../process/registry.mjs'
import { run } from '../process/run.mjs'
import { Failure } from '../terminal/failure.mjs'
import { compileServer } from './compile-server.mjs'

/** Below these, a build reads all. A test follows the imports of their files, and fails when one leads elsewhere. */
export const SOURCE_DIRECTORIES = ['app', 'components', 'lib', 'public']
/**
 * At the top, a build reads the files whose names mean something to Next, to its compilers or to npm. Any other file there
 * may be a user's own script.
 */
const BUILT_AT_TOP = [
  /^(proxy|middleware|instrumentation(-client)?|mdx-components)\.[cm]?[jt]sx?$/,
  /^(?!(playwright|vitest)\.)[\w-]+\.config\.[cm]?[jt]s$/,
  /^(package|package-lock|jsconfig|tsconfig(\.[\w-]+)?)\.json$/,
  /^\.(env|babelrc|browserslistrc|postcssrc)(\.|$)/,
]
/** @param {string} name */
export const isBuiltAtTop = (name) => BUILT_AT_TOP.some((names) => names.test(name))

const LEFT_OUT =
  /^(node_modules|dist|\.(?!(env|babelrc|browserslistrc|postcssrc)(\.|$)).*)$|\.test\.tsx?$|\.(md|tsbuildinfo)$/

/** @param {string} root @param {string} distDir relative to root */
const stampOf = (root, distDir) => join(root, distDir, 'leasehold-build.json')

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
  for (const path of sourcesOf(root)) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** @param {string} root @returns {string[]} sorted, relative to root */
function sourcesOf(root) {
  const atTop = namesIn(root).filter((name) =>
    statSync(join(root, name)).isDirectory() ? SOURCE_DIRECTORIES.includes(name) : isBuiltAtTop(name),
  )
  return atTop.flatMap((name) => filesBelow(root, name))
}

/** @param {string} root @param {string} path @returns {string[]} */
function filesBelow(root, path) {
  const what = statSync(join(root, path))
  if (what.isDirectory())
    return namesIn(join(root, path)).flatMap((name) => filesBelow(root, join(path, name)))
  return what.isFile() ? [path] : []
}

/** @param {string} directory */
const namesIn = (directory) =>
  readdirSync(directory)
    .filter((name) => !LEFT_OUT.test(name))
    .sort()

/** Whether the build that is there was made from these very sources. @param {string} root */
export const isBuilt = (root, distDir = '.next') => builtFrom(stampOf(root, distDir)) === fingerprint(root)

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
        `The sources have changed since the console at port ${server.port} (process ${server.pid}) was built, and a new build would break it: stop it first.`,
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
