import { VERSIONS } from '../cassandra/versions.mjs'
import { Failure } from '../terminal/failure.mjs'

/** In the order in which their results matter. */
export const STAGES = /** @type {const} */ ([
  'lint',
  'types',
  'unit',
  'integration',
  'e2e',
  'long',
  'pictures',
])
/** They take minutes by their nature: they run only when they are named. */
const ASKED_FOR = ['long', 'pictures']

export const TEST_HELP = `npm test: lint, types and all tests, from a fresh clone

Usage
  npm test                              all stages but long and pictures; stops at the first that fails
  npm test -- --only STAGE[,STAGE…]     ${STAGES.join(', ')}
  npm test -- [--only …] -- WORDS       only some tests (see "One test")
  npm test -- --cassandra VERSION       on another one than 5.0: ${VERSIONS.slice(1).join(', ')} ("v1": Paxos v1)
  npm test -- --node                    keeps a Cassandra running for the tests, until Ctrl-C
  npm test -- --help                    this text
  npm run test:long                     the same as npm test -- --only long

  lint          format and lint (Biome)
  types         tsc, with Next's route types
  unit          tests without Cassandra; the contract suites on the in-memory store
  integration   tests on a real Cassandra
  e2e           Chromium, the built console, a real Cassandra
  long          tests on a real Cassandra that need minutes or statistics: a run under
                1,000 faults and the takeovers of 25 killed holders (npm test has 200
                and 5); all random schedules of the protocols (npm test has a quarter); a
                hundred simultaneous starts of two consoles on an empty cluster;
                Chromium while two of three nodes are gone
  pictures      no tests: a picture of every state of every page; see npm run pictures

It installs what it needs: packages, Java, Maven, Cassandra, Chromium. It has ports and
directories of its own (.leasehold-test/, .next-test/), so it runs beside npm start. Stages
overlap: lint, types, unit and the build run at a low priority beside the integration
tests, which mostly wait. Logs: .leasehold-test/logs/.
The last line is "N passed, N failed". The exit code is 0 only when nothing failed and
every stage ran something.

One test
  If each of the WORDS occurs in the path of some test file, the files with at least one
  of them run. Otherwise WORDS is a regular expression: the tests whose name matches it
  run, in the files that contain each word.
  While npm test -- --node runs in another terminal, tests use its Cassandra, and begin
  within three seconds. Each run empties it first.

Environment
  CHROMIUM      the browser for e2e; default: one on the PATH, from apt, or Playwright's
  JAVA_HOME     the Java to use

Examples
  npm test -- --only unit
  npm test -- --only integration -- sessions
  npm test -- --only unit,integration -- "zombie"
`

/** @typedef {typeof STAGES[number]} Stage */
/**
 * @typedef {{
 *   does: 'test' | 'help' | 'hold-node', stages: Stage[], words: string[], cassandra: import('../cassandra/versions.mjs').Version,
 * }} TestArguments words: which tests; none means all
 */

/** @param {string[]} args @returns {TestArguments} */
export function readArguments(args) {
  const split = args.indexOf('--')
  const own = split < 0 ? args : args.slice(0, split)
  const words = split < 0 ? [] : args.slice(split + 1).flatMap((it) => it.split(/\s+/).filter(Boolean))
  /** @type {Set<string>} */
  const only = new Set()
  /** @type {import('../cassandra/versions.mjs').Version} */
  let cassandra = '5.0'
  let holdsNode = false
  for (let i = 0; i < own.length; i += 1) {
    const arg = own[i] ?? ''
    if (arg === '--help' || arg === '-h') return { does: 'help', stages: [], words, cassandra }
    if (arg === '--node') {
      holdsNode = true
      continue
    }
    if (arg === '--cassandra') {
      cassandra = versionNamed(own[++i] ?? '')
      continue
    }
    const value = arg.startsWith('--only=') ? arg.slice(7) : arg === '--only' ? (own[++i] ?? '') : null
    if (value === null) throw wrong(`npm test knows no argument "${arg}"`)
    for (const name of value.split(',')) {
      if (!STAGES.some((stage) => stage === name)) throw wrong(`There is no stage "${name}"`)
      only.add(name)
    }
  }
  if (holdsNode) return { does: 'hold-node', stages: [], words, cassandra }
  const stages = STAGES.filter((stage) => (only.size === 0 ? !ASKED_FOR.includes(stage) : only.has(stage)))
  return { does: 'test', stages, words, cassandra }
}

/** @param {string} name */
function versionNamed(name) {
  const version = VERSIONS.find((it) => it === name)
  if (version === undefined) throw wrong(`There is no Cassandra "${name}"`)
  return version
}

/** @param {string} what */
const wrong = (what) => new Failure(`${what}: see npm test -- --help.`, { exitCode: 2 })
