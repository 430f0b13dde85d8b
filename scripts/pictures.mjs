/**
 * `npm run pictures` takes the pictures of the documentation from a running console: an embedded node of its own, leases
 * as they are in a busy afternoon, a run of the election lab, and the files of docs/ that HELP names. Ends what it started.
 * `npm run pictures -- all` runs e2e/pictures, by the means of `npm test`.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeIndex } from './pictures/index-page.mjs'
import { randomFreePorts } from './process/ports.mjs'
import { ROOT } from './process/registry.mjs'
import { connectionFile } from './start/connection-file.mjs'
import { runCommand } from './terminal/command.mjs'
import { Failure } from './terminal/failure.mjs'
import { PICTURES } from './test/run/plan.mjs'
import { temporaryFolder } from './test/temporary-folder.mjs'

const HELP = `npm run pictures: takes the pictures of the documentation

Starts a console of its own on an embedded Cassandra, with leases of a busy afternoon, and writes
docs/leases.png, lease.png, attention.png, doctor.png and audit.png; and docs/lab.png and
lab-takeover.png, which moves, from a run of the election lab. Takes some minutes. Needs Chromium.

Usage
  npm run pictures                 writes the seven files
  npm run pictures -- lab          writes the two of the lab alone
  npm run pictures -- all          every state of every page, to be looked at beside its drawing:
                                   at 1440, 900 and 390 pixels, dark and light
  npm run pictures -- all WORDS    only the files of e2e/pictures with these words in their path,
                                   or the states with these words in their name
  npm run pictures -- --help       this text

"all" writes .leasehold-pictures/, with an index.html. It keeps the pictures that it does not take
again. It runs as npm test does, on the same Cassandra and build, and takes about ten minutes.

Exit code: 0; 1 when it failed; 2 when the arguments are wrong.
`

const password = randomBytes(18).toString('base64url')

await runCommand(async (args) => {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP)
    return
  }
  if (args[0] === 'all') return takeAll(args.slice(1))
  const labAlone = args.length === 1 && args[0] === 'lab'
  if (args.length > 0 && !labAlone)
    throw new Failure(`npm run pictures knows no argument "${args[0]}": see npm run pictures -- --help.`, {
      exitCode: 2,
    })
  const dataDir = temporaryFolder('leasehold-pictures')
  const [port] = await randomFreePorts(1)
  const url = `http://localhost:${port}`
  const start = spawn(process.execPath, [join(ROOT, 'scripts', 'start.mjs')], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: url,
      LEASEHOLD_DATA_DIR: dataDir,
      LEASEHOLD_ADMIN_PASSWORD: password,
    },
  })
  const ended = new Promise((resolve) => start.once('exit', resolve))
  try {
    const node = connectionFile(dataDir)
    await ready(url, start, node)
    // They need the packages, which the start has installed.
    const { DemoLeases } = await import('./pictures/demo-leases.mjs')
    const { takePictures } = await import('./pictures/take-pictures.mjs')
    const demo = new DemoLeases(url, password, JSON.parse(readFileSync(node, 'utf8')))
    try {
      await demo.begin()
      await takePictures({ url, folder: join(ROOT, 'docs'), session: demo.session, labAlone })
    } finally {
      await demo.end()
    }
  } finally {
    start.kill('SIGTERM')
    await ended
  }
})

/** @param {string[]} words @returns {Promise<number>} the exit code */
async function takeAll(words) {
  const { main } = await import('./test/run-tests.mjs')
  const code = await main(['--only', 'pictures', '--', ...words])
  writeIndex(PICTURES)
  process.stdout.write(`${join(PICTURES, 'index.html')}\n`)
  return code
}

/**
 * The file of the node is written once the console answers.
 *
 * @param {string} url
 * @param {import('node:child_process').ChildProcess} start
 * @param {string} node
 */
async function ready(url, start, node) {
  for (;;) {
    if (start.exitCode !== null) throw new Failure('The console did not start: see above.')
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok && existsSync(node)) return
    await sleep(500)
  }
}
