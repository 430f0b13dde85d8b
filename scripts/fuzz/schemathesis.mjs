import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../process/run.mjs'
import { Failure } from '../terminal/failure.mjs'

const HERE = import.meta.dirname
const REQUIREMENTS = join(HERE, 'requirements.txt')

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'unsupported_method',
  'allow_header_conformance',
]

/**
 * Installs Schemathesis as requirements.txt pins it, unless it is there.
 *
 * @param {string} dir
 * @param {{ logFile: string, report: (text: string) => void, signal: AbortSignal }} options
 * @returns {Promise<string>} the program
 */
export async function ensureSchemathesis(dir, { logFile, report, signal }) {
  const stamp = join(dir, 'installed')
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex')
  const program = join(dir, 'bin', 'schemathesis')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
    report('as installed before')
    return program
  }
  rmSync(dir, { recursive: true, force: true })
  const options = { logFile, signal, kind: 'fuzz' }
  const made = await run('python3', ['-m', 'venv', dir], options)
  if (made.code !== 0)
    throw new Failure(
      `Python 3.10 or later with venv is needed: install python3 and python3-venv (log: ${logFile}).`,
    )
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS]
  const installed = await run(join(dir, 'bin', 'python'), pip, options)
  if (installed.code !== 0) throw new Failure(`Schemathesis could not be installed: see ${logFile}.`)
  writeFileSync(stamp, wanted)
  return program
}

/**
 * @typedef {{
 *   requests: number, statuses: Record<string, number>, operations: Record<string, number>,
 *   answers: Record<string, number>,
 * }} Counts
 */

/**
 * One run as one role.
 *
 * @param {string} program
 * @param {{
 *   role: string, document: string, url: string, perRoute: number, routes: string[], seed: number, seeded: object,
 *   password: string, dir: string, signal: AbortSignal, report: (text: string) => void,
 * }} options document: a file; perRoute: how many requests each operation gets, about
 * @returns {Promise<{ failed: boolean, counts: Counts, output: string }>}
 */
export async function fuzzAs(program, options) {
  const { role, document, url, perRoute, routes, seed, seeded, password, dir, signal, report } = options
  const countsFile = join(dir, `counts-${role}.json`)
  rmSync(countsFile, { force: true })
  const args = ['--config-file', join(HERE, 'schemathesis.toml')]
  args.push('run', document, '--url', url, '--seed', String(seed), '--max-examples', String(perRoute))
  args.push('--checks', CHECKS.join(','), '--continue-on-failure', '--no-shrink', '--request-timeout', '30')
  args.push('--suppress-health-check', 'all', '--warnings', 'off', '--no-color')
  for (const route of routes) args.push('--include-operation-id', route)
  const ran = await run(program, args, {
    cwd: dir,
    kind: 'fuzz',
    signal,
    logFile: join(dir, 'logs', `fuzz-${role}.log`),
    onLine: (line) => line.trim() && report(line.trim()),
    env: {
      ...process.env,
      PYTHONPATH: HERE,
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_HOOKS: 'caller',
      FUZZ_URL: url,
      FUZZ_ROLE: role,
      FUZZ_SEED: String(seed),
      FUZZ_SEEDED: JSON.stringify(seeded),
      FUZZ_PASSWORD: password,
      FUZZ_COUNTS: countsFile,
    },
  })
  if (!existsSync(countsFile)) throw new Failure(`Schemathesis did not run:\n${ran.output}`)
  return {
    failed: ran.code !== 0,
    counts: JSON.parse(readFileSync(countsFile, 'utf8')),
    output: ran.output,
  }
}
