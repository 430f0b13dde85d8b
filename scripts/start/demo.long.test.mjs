/** `npm run demo` as it is typed, on a Cassandra and data of its own: it opens with a run, whose leader lives until it has a viewer. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodePlaces } from '../cassandra/settings/places.mjs'
import { until } from '../process/ending.mjs'
import { processIdentity } from '../process/identity.mjs'
import { livePidRecord } from '../process/pid-file.mjs'
import { randomFreePorts } from '../process/ports.mjs'
import { ROOT, registered } from '../process/registry.mjs'

const MINUTES = 60_000
const password = 'correct horse battery'

it(
  'opens with a run of the lab, plays it to its first viewer, and leaves nothing running after SIGTERM',
  async () => {
    if (!process.env.LEASEHOLD_TEST_DIR) throw new Error('LEASEHOLD_TEST_DIR is not set: run `npm test`.')
    const dataDir = join(process.env.LEASEHOLD_TEST_DIR, 'nodes', 'demo')
    const [port = 0] = await randomFreePorts(1)
    const { CASSANDRA_CONTACT_POINTS: _, ...env } = process.env
    const npm = spawn('npm', ['run', 'demo'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...env, PORT: String(port), LEASEHOLD_DATA_DIR: dataDir, LEASEHOLD_ADMIN_PASSWORD: password },
    })
    const exited = new Promise((done) => npm.once('exit', done))
    let said = ''
    npm.stdout.on('data', (text) => {
      said += text
    })
    const hasEnded = () => npm.exitCode !== null
    expect(await until(() => /^demo: \S+\n/m.test(said) || hasEnded(), 8 * MINUTES)).toBe(true)
    const url = `http://localhost:${port}`
    const [, run = ''] = /^demo: (\S+)\n/m.exec(said)?.[1]?.match(/\/lab\/([a-z0-9]{8})$/) ?? []
    expect(said).toContain(`demo: ${url}/lab/${run}\n`)

    const signedIn = await fetch(`${url}/v1/session`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const read = async () => {
      const answer = await fetch(`${url}/v1/lab/runs/${run}`, { headers: { cookie } })
      return /** @type {{ state: string, story: { state: string }, entries: { kind: string }[] }} */ (
        await answer.json()
      )
    }
    const has = async (/** @type {string} */ kind) =>
      (await read()).entries.some((entry) => entry.kind === kind)
    expect(await until(() => has('renewed'), MINUTES)).toBe(true)
    const before = await read()
    expect([before.state, before.story.state]).toEqual(['running', 'paused'])
    expect(before.entries.some(({ kind }) => kind === 'fault')).toBe(false)
    const leaving = new AbortController()
    const stream = await fetch(`${url}/v1/lab/runs/${run}/stream`, {
      headers: { cookie },
      signal: leaving.signal,
    })
    expect(stream.status).toBe(200)
    expect(await until(() => has('fault'), MINUTES)).toBe(true)
    leaving.abort()

    const node = livePidRecord(nodePlaces(dataDir).pidFile)
    const server = registered('server').find((record) => record.dataDir === dataDir)
    npm.kill('SIGTERM')
    await exited
    // npm may end before the command that it passed the signal on to.
    for (const pid of [node?.pid ?? 0, server?.pid ?? 0])
      expect(await until(() => processIdentity(pid) === null, MINUTES)).toBe(true)
    expect(registered('server').filter((record) => record.dataDir === dataDir)).toEqual([])
  },
  10 * MINUTES,
)
