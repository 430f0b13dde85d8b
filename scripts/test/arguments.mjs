import { Failure } from '../terminal/failure.mjs'

/** In the order in which they run. */
export const STAGES = /** @type {const} */ (['lint', 'types', 'unit', 'integration', 'e2e'])

export const TEST_HELP = `npm test: everything that can be checked, from a fresh clone

Usage
  npm test                              all stages, in this order; the first failure ends it
  npm test -- --only STAGE[,STAGE…]     ${STAGES.join(', ')}
  npm test -- [--only …] -- WORDS       only tests whose name matches WORDS
  npm test -- --help                    this text

  lint          format and lint (Biome)
  types         tsc, with Next's route types
  unit          without Cassandra; the contract suites on the in-memory store
  integration   on a real Cassandra
  e2e           Chromium, the built console, a real Cassandra

It sets up what it needs (packages, Java, Maven, Cassandra, Chromium), on ports and in
directories of its own (.leasehold-test/, .next-test/), so it runs beside npm start. The
last line is "N passed, N failed"; the exit code is 0 only when nothing failed and every
stage ran something. Logs: .leasehold-test/logs/.

Environment
  CHROMIUM      the browser for e2e; else one on the PATH, apt's, or Playwright's own
  JAVA_HOME     the Java to use, if there are several

Examples
  npm test -- --only unit
  npm test -- --only unit,integration -- "zombie"
`

/** @typedef {typeof STAGES[number]} Stage */
/** @typedef {{ help: boolean, stages: Stage[], filter: string }} TestArguments */

/** @param {string[]} args @returns {TestArguments} */
export function readArguments(args) {
  const split = args.indexOf('--')
  const own = split < 0 ? args : args.slice(0, split)
  const filter = split < 0 ? '' : args.slice(split + 1).join(' ')
  /** @type {Set<string>} */
  const only = new Set()
  for (let i = 0; i < own.length; i += 1) {
    const arg = own[i] ?? ''
    if (arg === '--help' || arg === '-h') return { help: true, stages: [], filter: '' }
    const value = arg.startsWith('--only=') ? arg.slice(7) : arg === '--only' ? (own[++i] ?? '') : null
    if (value === null) throw wrong(`npm test knows no argument "${arg}"`)
    for (const name of value.split(',')) {
      if (!STAGES.some((stage) => stage === name)) throw wrong(`There is no stage "${name}"`)
      only.add(name)
    }
  }
  const stages = STAGES.filter((stage) => only.size === 0 || only.has(stage))
  return { help: false, stages, filter }
}

/** @param {string} what */
const wrong = (what) => new Failure(`${what}: see npm test -- --help.`, { exitCode: 2 })
