/**
 * `npm run pictures` takes the pictures of the documentation from a running console: an embedded node of its own, leases
 * as they are in a busy afternoon, and docs/leases.png, docs/lease.png and docs/audit.png. Ends what it started.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DemoLeases } from './pictures/demo-leases.mjs'
import { takePictures } from './pictures/take-pictures.mjs'
import { randomFreePorts } from './process/ports.mjs'
import { ROOT } from './process/registry.mjs'
import { connectionFile } from './start/connection-file.mjs'
import { runCommand } from './terminal/command.mjs'
import { Failure } from './terminal/failure.mjs'

const password = randomBytes(18).toString('base64url')

await runCommand(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'leasehold-pictures-'))
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
    await ready(url, start)
    const demo = new DemoLeases(url, password, JSON.parse(readFileSync(connectionFile(dataDir), 'utf8')))
    try {
      await demo.begin()
      await takePictures({ url, folder: join(ROOT, 'docs'), session: demo.session })
    } finally {
      await demo.end()
    }
  } finally {
    start.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** @param {string} url @param {import('node:child_process').ChildProcess} start */
async function ready(url, start) {
  for (;;) {
    if (start.exitCode !== null) throw new Failure('The console did not start: see above.')
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok) return
    await sleep(500)
  }
}
