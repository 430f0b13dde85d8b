import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from '../../process/run.mjs'
import { isMachineBusy } from './busy.mjs'
import { countsOf, playwrightCounts, vitestCounts } from './counts.mjs'

const LOW_PRIORITY = new URL('low-priority.mjs', import.meta.url).href

/**
 * @typedef {{
 *   root: string, testDir: string, env: NodeJS.ProcessEnv, selection: import('../selection.mjs').Selection,
 *   signal: AbortSignal, report: (text: string) => void, lowPriority: boolean,
 * }} StageContext lowPriority: other stages, which look at when things happen, run beside it
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

/**
 * @param {string} project of vitest.config.ts, or several by a *
 * @param {StageContext} context
 * @returns {Promise<StageResult>}
 */
export async function vitest(project, { root, testDir, env, selection, signal, report, lowPriority }) {
  const name = project.replace(/-?\*$/, '')
  const file = join(testDir, `${name}.json`)
  rmSync(file, { force: true })
  const args = ['vitest/vitest.mjs', 'run', `--project=${project}`, '--reporter=default', '--reporter=json']
  args.push(`--outputFile.json=${file}`, ...selection.files)
  const isPart = selection.files.length > 0 || selection.name !== ''
  if (selection.name) args.push('-t', selection.name)
  // A project need not have any of the files.
  if (isPart) args.push('--passWithNoTests')
  const halved = name.startsWith('integration') && !isPart && (await isMachineBusy())
  if (halved) report('others keep this machine busy: half the test files at a time')
  const ran = await tool(args, {
    root,
    testDir,
    env: halved ? { ...env, LEASEHOLD_TEST_HALF: '1' } : env,
    signal,
    report,
    lowPriority,
    log: name,
  })
  return {
    counts: countsOf(file, vitestCounts, { exitCode: ran.code, mayBeEmpty: isPart }),
    output: ran.output,
  }
}

/**
 * @param {StageContext} context
 * @param {{ project?: string }} [options] project: of playwright.config.ts, without those that it depends on; left out: all
 * @returns {Promise<StageResult>}
 */
export async function playwright(
  { root, testDir, env, selection, signal, report, lowPriority },
  { project } = {},
) {
  const name = project === undefined ? 'e2e' : `e2e-${project}`
  const file = join(testDir, `${name}.json`)
  rmSync(file, { force: true })
  const args = ['@playwright/test/cli.js', 'test', '--reporter=list,json']
  // Another run of Playwright, which empties its directory when it begins, may be under way.
  if (project !== undefined) args.push(`--project=${project}`, `--output=${join(testDir, name)}`)
  args.push(...selection.files.map((each) => each.replaceAll('.', '\\.')))
  const isPart = selection.files.length > 0 || selection.name !== ''
  if (selection.name) args.push('-g', selection.name)
  if (isPart) args.push('--pass-with-no-tests')
  if (isPart || project !== undefined) args.push('--no-deps')
  // The other projects have one test, or some that need no more.
  if (!isPart && (project ?? 'console') === 'console' && (await isMachineBusy())) args.push('--workers=2')
  const ran = await tool(args, {
    root,
    testDir,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    signal,
    report,
    lowPriority,
    log: name,
  })
  return {
    counts: countsOf(file, playwrightCounts, { exitCode: ran.code, mayBeEmpty: isPart }),
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
async function checks({ root, testDir, env, signal, report, lowPriority }, commands) {
  for (const command of commands) {
    const ran = await tool(command, { root, testDir, env, signal, report, lowPriority, log: 'checks' })
    if (ran.code !== 0) return { counts: { passed: 0, failed: 1 }, output: ran.output }
  }
  return { counts: { passed: 1, failed: 0 }, output: '' }
}

/** @param {StageContext} context @returns {Promise<StageResult>} */
export async function build({ root, testDir, env, signal, report, lowPriority }) {
  const script = join(root, 'scripts', 'test', 'run', 'build.mjs')
  // Its own log is the one of Next.
  const ran = await tool([script], { root, testDir, env, signal, report, lowPriority, log: 'build-stage' })
  return { counts: { passed: 0, failed: ran.code === 0 ? 0 : 1 }, output: ran.output }
}

/**
 * @param {string[]} command a script, by its path or by its place in a package; and its arguments
 * @param {Pick<StageContext, 'root' | 'testDir' | 'env' | 'signal' | 'report' | 'lowPriority'> & { log: string }} options
 */
function tool([script = '', ...args], { root, testDir, env, signal, report, lowPriority, log }) {
  const low = lowPriority ? ['--import', LOW_PRIORITY] : []
  return run(process.execPath, [...low, resolve(root, 'node_modules', script), ...args], {
    cwd: root,
    kind: 'test-tool',
    env: { ...env, NO_COLOR: '1', FORCE_COLOR: '0' },
    signal,
    logFile: join(testDir, 'logs', `${log}.log`),
    onLine: (line) => line.trim() && report(line.trim()),
  })
}
