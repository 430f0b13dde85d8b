import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../process/run.mjs'
import { countsOf, playwrightCounts, vitestCounts } from './counts.mjs'

/**
 * @typedef {{
 *   root: string, testDir: string, env: NodeJS.ProcessEnv, filter: string, signal: AbortSignal,
 *   report: (text: string) => void,
 * }} StageContext
 * @typedef {{ counts: import('./counts.mjs').Counts, output: string }} StageResult output: what the tools said
 */

/** @param {StageContext} context @returns {Promise<StageResult>} */
export function lint(context) {
  return checks(context, [['@biomejs/biome/bin/biome', 'ci', '--colors=off', '.']])
}

/** @param {StageContext} context @returns {Promise<StageResult>} */
export function types(context) {
  return checks(context, [
    ['next/dist/bin/next', 'typegen'],
    ['typescript/bin/tsc', '--noEmit', '-p', 'scripts/test'],
    ['typescript/bin/tsc', '--noEmit', '-p', 'lib/leasehold'],
  ])
}

/** @param {'unit' | 'integration'} project @param {StageContext} context @returns {Promise<StageResult>} */
export async function vitest(project, { root, testDir, env, filter, signal, report }) {
  const file = join(testDir, `${project}.json`)
  rmSync(file, { force: true })
  // Integration tests are two projects: which run beside others, and which do not.
  const args = ['vitest/vitest.mjs', 'run', `--project=${project}*`, '--reporter=default', '--reporter=json']
  args.push(`--outputFile.json=${file}`, ...(filter ? ['-t', filter, '--passWithNoTests'] : []))
  const ran = await tool(args, { root, testDir, env, signal, report, log: project })
  return {
    counts: countsOf(file, vitestCounts, { exitCode: ran.code, mayBeEmpty: filter !== '' }),
    output: ran.output,
  }
}

/** @param {StageContext} context @returns {Promise<StageResult>} */
export async function playwright({ root, testDir, env, filter, signal, report }) {
  const file = join(testDir, 'e2e.json')
  rmSync(file, { force: true })
  const args = ['@playwright/test/cli.js', 'test', '--reporter=list,json']
  args.push(...(filter ? ['-g', filter, '--pass-with-no-tests'] : []))
  const ran = await tool(args, {
    root,
    testDir,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    signal,
    report,
    log: 'e2e',
  })
  return {
    counts: countsOf(file, playwrightCounts, { exitCode: ran.code, mayBeEmpty: filter !== '' }),
    output: ran.output,
  }
}

/**
 * Several programs that together are one test: it passes when all of them do.
 *
 * @param {StageContext} context
 * @param {string[][]} commands
 * @returns {Promise<StageResult>}
 */
async function checks({ root, testDir, env, signal, report }, commands) {
  for (const command of commands) {
    const ran = await tool(command, { root, testDir, env, signal, report, log: 'checks' })
    if (ran.code !== 0) return { counts: { passed: 0, failed: 1 }, output: ran.output }
  }
  return { counts: { passed: 1, failed: 0 }, output: '' }
}

/**
 * @param {string[]} command a script of a package, and its arguments
 * @param {Pick<StageContext, 'root' | 'testDir' | 'env' | 'signal' | 'report'> & { log: string }} options
 */
function tool([script = '', ...args], { root, testDir, env, signal, report, log }) {
  return run(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    kind: 'test-tool',
    env: { ...env, NO_COLOR: '1', FORCE_COLOR: '0' },
    signal,
    logFile: join(testDir, 'logs', `${log}.log`),
    onLine: (line) => line.trim() && report(line.trim()),
  })
}
