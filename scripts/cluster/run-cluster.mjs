/**
 * `npm run test:cluster`: three nodes and two consoles of its own, what cluster/ does with them, and the verdict. It ends
 * all that it started, also on Ctrl-C; what a crash left over is ended by the next run.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { endLeftOverNode } from '../cassandra/state/left-over.mjs'
import { onInterruption } from '../process/interruption.mjs'
import { oneAtATime } from '../process/lock.mjs'
import { endOrphans, ROOT } from '../process/registry.mjs'
import { run as runProgram } from '../process/run.mjs'
import { makeDirectory } from '../setup/directory.mjs'
import { requirePackages } from '../setup/packages.mjs'
import { Failure } from '../terminal/failure.mjs'
import { createSteps } from '../terminal/steps.mjs'
import { readArguments } from './arguments.mjs'
import { findLibfaketime } from './clocks.mjs'
import { startMachine } from './machine.mjs'
import { prepare } from './prepare.mjs'

const DIR = join(ROOT, '.leasehold-cluster')
const COMPILED = join(DIR, 'compiled')

const steps = createSteps()
const ending = new AbortController()
const { signal } = ending

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const wanted = readArguments(args)
  onInterruption((reason) => {
    steps.print(`\nEnding (${reason}); Ctrl-C again forces it.`)
    ending.abort(new Failure('The run was interrupted: its history says nothing.', { exitCode: 130 }))
  })
  makeDirectory(DIR)
  const cluster = await steps.step('compile the clients', compile)
  if (wanted.check !== null) return judge(cluster, wanted.check, wanted.expect)
  return oneAtATime('cluster', { report: steps.print, signal }, async () => {
    await endLeftOvers()
    const path = join(DIR, 'histories', `${wanted.seed}-${Date.now().toString(36)}.jsonl`)
    mkdirSync(join(DIR, 'histories'), { recursive: true, mode: 0o700 })
    await work(cluster, wanted, path)
    return judge(cluster, path, wanted.expect)
  })
}

/**
 * @typedef {{ run(options: object): Promise<void>, reportOn(path: string): { text: string, broken: string[] } }} Cluster
 */

/**
 * @param {Cluster} cluster
 * @param {import('./arguments.mjs').ClusterArguments} wanted
 * @param {string} path
 */
async function work(cluster, wanted, path) {
  const prepared = await prepare({ dir: DIR, cassandra: wanted.cassandra, steps, signal })
  const preload = wanted.faults.includes('clock')
    ? await steps.step('find libfaketime', (report) =>
        findLibfaketime({ report, signal, logFile: join(DIR, 'logs', 'apt.log') }),
      )
    : null
  const kinds = wanted.faults.filter((fault) => fault !== 'clock' || preload !== null)
  if (kinds.length < wanted.faults.length)
    steps.print('without the fault clock: there is no libfaketime here')
  const skewSeconds = wanted.maxClockSkewSeconds ?? (kinds.includes('clock') ? 2.5 : 0.5)
  const machine = await steps.step('start three nodes', (report) =>
    startMachine({ ...prepared, preload, report, signal }),
  )
  try {
    const name = `run for ${wanted.minutes} minutes on Cassandra ${wanted.cassandra}, seed ${wanted.seed}`
    await steps.step(name, async (report) => {
      const began = performance.now()
      await cluster.run({
        machine,
        seed: wanted.seed,
        minutes: wanted.minutes,
        kinds,
        maxClockSkewMs: skewSeconds * 1_000,
        path,
        signal,
        report: (/** @type {string} */ text) => {
          report(text)
          steps.print(`  ${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`)
        },
      })
      report(`history in ${path}`)
    })
  } finally {
    await steps.step('end nodes and consoles', () => machine.stop())
  }
}

/** @param {Cluster} cluster @param {string} path @param {string | null} expect @returns {number} the exit code */
function judge(cluster, path, expect) {
  if (!existsSync(path)) throw new Failure(`There is no history ${path}.`, { exitCode: 2 })
  const { text, broken } = cluster.reportOn(path)
  process.stdout.write(`\n${text}\n`)
  if (expect === null) return broken.length === 0 ? 0 : 1
  const isExpected = broken.includes(expect)
  process.stdout.write(`${isExpected ? 'as expected' : 'NOT as expected'}: ${expect}\n`)
  return isExpected ? 0 : 1
}

/** @returns {Promise<Cluster>} */
async function compile() {
  requirePackages(ROOT)
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [tsc, '-p', join(ROOT, 'cluster'), '--outDir', COMPILED]
  const ran = await runProgram(process.execPath, args, { cwd: ROOT, kind: 'compile', signal })
  if (ran.code !== 0)
    throw new Failure('The clients could not be compiled.', { details: ran.output.slice(-2_000) })
  return import(pathToFileURL(join(COMPILED, 'cluster', 'run.js')).href)
}

/** What a run that was killed left. */
async function endLeftOvers() {
  for (const i of [1, 2, 3]) await endLeftOverNode(join(DIR, 'nodes', `node${i}`), steps.print)
  const ours = (/** @type {{ dataDir?: unknown }} */ { dataDir }) => String(dataDir).startsWith(DIR)
  await endOrphans('server', { log: steps.print, which: ours })
}
