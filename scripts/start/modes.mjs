import { join } from 'node:path'
import { DEMO_HELP, DEVELOP_HELP, START_HELP } from './help.mjs'

/**
 * What sets `npm start` and `npm run dev` apart. All else is the same: the node, its roles, how it ends.
 *
 * @typedef {{
 *   command: string, help: string, dataDirName: string, builds: boolean, env?: Record<string, string>,
 *   server(where: { root: string, host: string, port: number }): Partial<Parameters<
 *     typeof import('../console/server.mjs').startServer>[0]>,
 * }} Mode dataDirName: of the data directory, unless LEASEHOLD_DATA_DIR says. env: further
 *   variables of the console
 */

/** @type {Mode} */
export const START = {
  command: 'npm start',
  help: START_HELP,
  dataDirName: '.leasehold',
  builds: true,
  server: () => ({}),
}

/** @type {Mode} */
export const DEMO = {
  ...START,
  command: 'npm run demo',
  help: DEMO_HELP,
  env: { LEASEHOLD_DEMO: '1' },
}

/** The first page is compiled when it is asked for; /readyz among the first. */
const DEVELOP_READY_MS = 180_000

/** @type {Mode} */
export const DEVELOP = {
  command: 'npm run dev',
  help: DEVELOP_HELP,
  dataDirName: '.leasehold-dev',
  builds: false,
  server: ({ root, host, port }) => ({
    entry: [join(root, 'node_modules', 'next', 'dist', 'bin', 'next'), 'dev', '-H', host, '-p', String(port)],
    nodeEnv: 'development',
    // Next restarts its process when its configuration changes.
    keepSecrets: true,
    readyWithinMs: DEVELOP_READY_MS,
  }),
}
