/** `npm run dev` as it is typed, on a Cassandra and data of its own. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodePlaces } from '../cassandra/settings/places.mjs'
import { until } from '../process/ending.mjs'
import { processIdentity } from '../process/identity.mjs'
import { livePidRecord } from '../process/pid-file.mjs'
import { probePort, randomFreePorts } from '../process/ports.mjs'
import { ROOT, registered } from '../process/registry.mjs'

const MINUTES = 60_000

it(
  'brings up Cassandra and the console, answers, and leaves nothing running after SIGTERM',
  async () => {
    if (!process.env.LEASEHOLD_TEST_DIR) throw new Error('LEASEHOLD_TEST_DIR is not set: run `npm test`.')
    const dataDir = join(process.env.LEASEHOLD_TEST_DIR, 'nodes', 'develop')
    const [port = 0] = await randomFreePorts(1)
    const { CASSANDRA_CONTACT_POINTS: _1, LEASEHOLD_ADMIN_PASSWORD: _2, ...env } = process.env
    const npm = spawn('npm', ['run', 'dev'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...env, PORT: String(port), LEASEHOLD_DATA_DIR: dataDir },
    })
    const exited = new Promise((done) => npm.once('exit', done))
    let said = ''
    npm.stdout.on('data', (text) => {
      said += text
    })
    const hasEnded = () => npm.exitCode !== null
    expect(await until(() => said.includes('Ctrl-C stops Leasehold') || hasEnded(), 8 * MINUTES)).toBe(true)
    expect(said).toContain(`console     http://localhost:${port}\n`)
    expect(said).toMatch(/^sign-in link: http:\/\/localhost:\d+\/setup#/m)

    const node = livePidRecord(nodePlaces(dataDir).pidFile)
    const server = registered('server').find((record) => record.dataDir === dataDir)
    expect(node).not.toBeNull()
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    const page = await fetch(`http://127.0.0.1:${port}/sign-in`, { signal: AbortSignal.timeout(2 * MINUTES) })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Sign in')

    npm.kill('SIGTERM')
    await exited
    // npm may end before the command that it passed the signal on to.
    for (const pid of [node?.pid ?? 0, server?.pid ?? 0])
      expect(await until(() => processIdentity(pid) === null, MINUTES)).toBe(true)
    expect(await until(async () => (await probePort(port)) === 'free', MINUTES)).toBe(true)
    expect(await until(() => livePidRecord(nodePlaces(dataDir).ownerFile) === null, MINUTES)).toBe(true)
    expect(registered('server').filter((record) => record.dataDir === dataDir)).toEqual([])
  },
  10 * MINUTES,
)
