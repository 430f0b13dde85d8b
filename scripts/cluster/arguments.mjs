import { VERSIONS } from '../cassandra/versions.mjs'
import { Failure } from '../terminal/failure.mjs'

/** As cluster/faults/plan.ts carries them out. */
export const FAULTS = /** @type {const} */ ([
  'kill',
  'stop',
  'restart',
  'quorum',
  'clock',
  'slow',
  'cut',
  'half-open',
  'console',
])

export const CLUSTER_HELP = `npm run test:cluster: three nodes and two consoles under faults, and a checker of what came of it

Usage
  npm run test:cluster                              10 minutes, all faults, a random seed
  npm run test:cluster -- --minutes N               how long clients work
  npm run test:cluster -- --seed N                  repeats a plan of faults; the machine's timing differs
  npm run test:cluster -- --faults FAULT[,FAULT…]   only these; "none" for none
  npm run test:cluster -- --max-clock-skew SECONDS  the bound that clients assume; default: 2.5 where clocks
                                                    differ, else the library's 0.5
  npm run test:cluster -- --cassandra VERSION       ${VERSIONS.join(', ')}; -v1: with Paxos v1
  npm run test:cluster -- --expect "LAW"            succeeds only if this law is broken
  npm run test:cluster -- --check FILE              checks a history again, and runs nothing
  npm run test:cluster -- --help                    this text

Faults
  kill        a node is killed (SIGKILL), and started again
  stop        a node is stopped (SIGSTOP) for 20 s
  restart     each node in turn is asked to end, and started again
  quorum      two nodes are killed, and started again 30 s later
  clock       a node starts with a clock 2 s ahead; needs libfaketime
  slow        every statement to one node takes 0.3 s longer
  cut         clients cannot reach one node
  half-open   connections to one node stay open, and nothing passes
  console     a console is killed, and started again

It needs 3 GB of memory. Nodes, consoles and logs are in .leasehold-cluster/, histories in
.leasehold-cluster/histories/. The exit code is 0 when the history breaks no law; docs/cluster-test.md
names the laws, and the format of a history.
`

/** @typedef {typeof FAULTS[number]} FaultName */
/**
 * @typedef {{
 *   help: boolean, seed: number, minutes: number, faults: FaultName[], maxClockSkewSeconds: number | null,
 *   expect: string | null, check: string | null, cassandra: import('../cassandra/versions.mjs').Version,
 * }} ClusterArguments maxClockSkewSeconds: null: as the faults need it
 */

/** @param {string[]} args @returns {ClusterArguments} */
export function readArguments(args) {
  /** @type {ClusterArguments} */
  const wanted = {
    help: false,
    seed: Math.floor(Math.random() * 1_000_000),
    minutes: 10,
    faults: [...FAULTS],
    maxClockSkewSeconds: null,
    expect: null,
    check: null,
    cassandra: VERSIONS[0],
  }
  for (let i = 0; i < args.length; i += 1) {
    const name = args[i] ?? ''
    if (name === '--help' || name === '-h') return { ...wanted, help: true }
    if (!/^--(seed|minutes|faults|max-clock-skew|expect|check|cassandra)$/.test(name))
      throw wrong(`npm run test:cluster knows no argument "${name}"`)
    const value = args[++i] ?? ''
    if (value === '') throw wrong(`${name} needs a value`)
    if (name === '--seed') wanted.seed = numberOf(name, value, /^[0-9]{1,9}$/)
    else if (name === '--minutes') wanted.minutes = numberOf(name, value, /^[0-9]{1,4}(\.[0-9]+)?$/)
    else if (name === '--max-clock-skew')
      wanted.maxClockSkewSeconds = numberOf(name, value, /^[0-9](\.[0-9]{1,3})?$/)
    else if (name === '--faults') wanted.faults = value === 'none' ? [] : value.split(',').map(faultOf)
    else if (name === '--cassandra') wanted.cassandra = versionNamed(value)
    else wanted[name === '--expect' ? 'expect' : 'check'] = value
  }
  return wanted
}

/** @param {string} text */
function versionNamed(text) {
  const version = VERSIONS.find((it) => it === text)
  if (version === undefined) throw wrong(`There is no Cassandra "${text}"`)
  return version
}

/** @param {string} text @returns {FaultName} */
function faultOf(text) {
  const fault = FAULTS.find((it) => it === text)
  if (fault === undefined) throw wrong(`There is no fault "${text}"`)
  return fault
}

/** @param {string} name @param {string} text @param {RegExp} pattern */
function numberOf(name, text, pattern) {
  if (!pattern.test(text)) throw wrong(`${name} needs a number`)
  return Number(text)
}

/** @param {string} what */
const wrong = (what) => new Failure(`${what}: see npm run test:cluster -- --help.`, { exitCode: 2 })
