import { parseArgs } from 'node:util'
import { Failure } from '../scripts/terminal/failure.mjs'

/** In this order they run. Each has a file in its folder. */
const FOLDERS = {
  api: 'console',
  operations: 'console',
  routing: 'library',
  'list-page': 'console',
  page: 'pages',
  'with-lock': 'library',
  takeover: 'library',
  peers: 'library',
  contention: 'library',
  'keep-alive': 'library',
  audit: 'console',
  watch: 'console',
  'watch-page': 'pages',
  'history-page': 'pages',
}
export const NAMES = Object.keys(FOLDERS)

/** The file of a benchmark, beside this one. @param {string} name */
export const fileOf = (name) => `./${FOLDERS[name]}/${name}.mjs`

/** These need Cassandra and the library alone: no console is built and started for them. */
const WITHOUT_CONSOLE = ['with-lock', 'takeover', 'peers', 'contention', 'routing', 'keep-alive']

export const BENCH_HELP = `npm run bench: measures the figures that the documentation claims

Usage
  npm run bench                   all benchmarks
  npm run bench -- NAME [NAME…]   only these, in this order
  npm run bench -- --quick NAME   watch, the pages, peers, contention, routing, operations at a small
                                  scale: whether they run
  npm run bench -- --help         this text

  api          /v1/locks by token, beside the driver with the same statements
  operations   acquire and release, renewal, confirmed read: the bare driver, the library and
               /v1/locks, with 1 to 64 in flight
  routing      acquire and release on three nodes: the driver's policy beside the first replica,
               with and without the read of the token
  list-page    GET /v1/leases with 500 leases, beside 50 SERIAL reads by the driver
  page         the list in Chromium: size of its scripts, idle main thread, time to a lease
  with-lock    withLock around nothing, beside the driver with the same statements
  takeover     how soon a waiter holds a lease, after the holder was killed or released it
  peers        the same beside etcd, ZooKeeper and Redis, with 1 waiter and with 50
  contention   1 to 100 contenders for one lease: naive retries, the library's wait, fair mode
  keep-alive   one process keeps 1,000 leases alive for five minutes
  audit        appends to the audit log
  watch        GET /v1/leases and /v1/watch: 1,000 to 100,000 leases, 1 to 500 viewers
  watch-page   the live list in Chromium: how soon a change is on screen, frames, heap,
               processor; a minute with 5,000 leases, or --minutes 10
  history-page the page of a lease in Chromium, with 3,000 events of its history

Options
  --json FILE  writes all results of this run to FILE
  --docs       puts the results into docs/performance.json, and into the pages that are made from
               it: docs/performance.md and docs/comparison.md. Those of --quick are marked there
  --install    peers: installs servers that are missing (as root, on Debian: etcd-server,
               zookeeper, redis-server). Without it a missing server is skipped. Debian may
               start etcd and redis-server as services: the bench does not use those

It starts a Cassandra node and, for those that need it, a console of its own in
.leasehold-bench/, and builds the console in .next-test/. Figures are of this machine: run
nothing else meanwhile. Each benchmark ends with its claim: "holds", or "DOES NOT HOLD".

Exit code: 0 when every claim holds; 1 when one does not, or a benchmark failed; 2 when
the arguments are wrong.

Examples
  npm run bench
  npm run bench -- takeover with-lock
  npm run bench -- peers --install --docs
  npm run bench -- watch watch-page --minutes 10
`

/**
 * @param {string[]} args
 * @returns {{ help: boolean, names: string[], needsConsole: boolean, isQuick: boolean, minutes: number,
 *   json: string | undefined, isForDocs: boolean, mayInstall: boolean }} names: in the order in which they run
 */
export function readArguments(args) {
  const { values, positionals } = parsed(args)
  const unknown = positionals.find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw wrong(`There is no benchmark "${unknown}"`)
  const minutes = Number(values.minutes ?? 1)
  if (!(minutes > 0)) throw wrong('--minutes takes a number above 0')
  const names = positionals.length > 0 ? positionals : NAMES
  return {
    help: values.help === true,
    names,
    needsConsole: names.some((name) => !WITHOUT_CONSOLE.includes(name)),
    isQuick: values.quick === true,
    minutes,
    json: values.json,
    isForDocs: values.docs === true,
    mayInstall: values.install === true,
  }
}

/** @param {string[]} args */
function parsed(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        quick: { type: 'boolean' },
        minutes: { type: 'string' },
        json: { type: 'string' },
        docs: { type: 'boolean' },
        install: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw wrong(/** @type {Error} */ (error).message.split('. ')[0] ?? '')
  }
}

/** @param {string} sentence */
const wrong = (sentence) => new Failure(`${sentence}: see npm run bench -- --help.`, { exitCode: 2 })
