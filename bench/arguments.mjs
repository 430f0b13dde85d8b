import { Failure } from '../scripts/terminal/failure.mjs'

export const NAMES = ['api', 'list-page', 'page', 'with-lock', 'takeover', 'keep-alive', 'audit', 'watch']

export const BENCH_HELP = `npm run bench: measures the figures that the documentation claims

Usage
  npm run bench                   all benchmarks
  npm run bench -- NAME [NAME…]   only these, in this order
  npm run bench -- --help         this text

  api          /v1/locks by token, beside the driver with the same statements
  list-page    GET /v1/leases with 500 leases, beside 50 SERIAL reads by the driver
  page         the list in Chromium: size of its scripts, idle main thread, time to a lease
  with-lock    withLock around nothing, beside the driver with the same statements
  takeover     how soon a waiter holds a lease, after the holder was killed or released it
  keep-alive   one process keeps 1,000 leases alive for five minutes
  audit        appends to the audit log
  watch        GET /v1/leases and /v1/watch with 100,000 leases and 200 viewers

It starts a Cassandra node and a console of its own in .leasehold-bench/ and builds the
console in .next-test/. Figures are of this machine: run nothing else meanwhile.
Each benchmark ends with its claim: "holds", or "DOES NOT HOLD".

Exit code: 0 when every claim holds; 1 when one does not, or a benchmark failed; 2 when
the arguments are wrong.

Examples
  npm run bench
  npm run bench -- takeover with-lock
`

/** @param {string[]} args @returns {{ help: boolean, names: string[] }} names: in the order in which they run */
export function readArguments(args) {
  if (args.includes('--help') || args.includes('-h')) return { help: true, names: [] }
  const unknown = args.find((name) => !NAMES.includes(name))
  if (unknown !== undefined)
    throw new Failure(`There is no benchmark "${unknown}": see npm run bench -- --help.`, { exitCode: 2 })
  return { help: false, names: args.length > 0 ? args : NAMES }
}
