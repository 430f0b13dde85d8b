/** A start that is cut off at each of its steps, as it is typed. `npm run dev` has the steps of `npm start` but the build. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nodePlaces } from '../cassandra/settings/places.mjs'
import { sendSignal, until } from '../process/ending.mjs'
import { processIdentity } from '../process/identity.mjs'
import { livePidRecord } from '../process/pid-file.mjs'
import { randomFreePorts } from '../process/ports.mjs'
import { ROOT, registered } from '../process/registry.mjs'
import { connectionFile } from './connection-file.mjs'

const MINUTES = 60_000
const dataDir = join(process.env.LEASEHOLD_TEST_DIR ?? '', 'nodes', 'cut-off')
const { pidFile, ownerFile, startupLog, systemLog } = nodePlaces(dataDir)

/** @type {import('node:child_process').ChildProcess[]} */
const starts = []
/** @type {number} */
let port
beforeAll(async () => {
  if (!process.env.LEASEHOLD_TEST_DIR) throw new Error('LEASEHOLD_TEST_DIR is not set: run `npm test`.')
  port = (await randomFreePorts(1))[0] ?? 0
})
afterAll(() => {
  for (const start of starts) start.kill('SIGTERM')
})

function start() {
  const { CASSANDRA_CONTACT_POINTS: _1, LEASEHOLD_ADMIN_PASSWORD: _2, ...env } = process.env
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'dev.mjs')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, PORT: String(port), LEASEHOLD_DATA_DIR: dataDir },
  })
  starts.push(child)
  const heard = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      heard.text += text
    })
  const ended = new Promise((done) => child.once('close', done))
  return { child, heard, ended }
}

/** The node's process, once there is one other than `earlier`. @param {number} [earlier] */
async function nodeProcess(earlier) {
  const pid = () => livePidRecord(pidFile)?.pid
  expect(await until(() => pid() !== undefined && pid() !== earlier, 3 * MINUTES)).toBe(true)
  return /** @type {number} */ (pid())
}

it(
  'ends by SIGTERM while Cassandra starts; the next one waits for its end, and ends with the log when its own node is killed',
  async () => {
    const first = start()
    const node = await nodeProcess()
    first.child.kill('SIGTERM')
    const second = start()
    expect(await first.ended).toBe(0)
    expect(first.heard.text).toContain('– start Cassandra')
    expect(processIdentity(node)).toBeNull()

    await nodeProcess(node)
    expect(second.heard.text).not.toContain('already running')
    // It has a node, and the console is not ready.
    expect(await until(() => second.heard.text.includes('✓ start Cassandra'), 4 * MINUTES)).toBe(true)
    // Not before: where another program takes its port first, a start begins another node.
    sendSignal(await nodeProcess(node), 'SIGKILL', false)
    expect(await second.ended).toBe(1)
    expect(second.heard.text).toContain('\nEnding (the end of Cassandra).\n')
    expect(second.heard.text).toContain(`Cassandra ended by SIGKILL: see ${systemLog}.`)
    expect(second.heard.text).not.toContain('CASSANDRA_CONTACT_POINTS')
    expect(second.heard.text).not.toContain('✓ stop Cassandra')

    expect(existsSync(startupLog)).toBe(true)
    expect(existsSync(connectionFile(dataDir))).toBe(false)
    expect(livePidRecord(ownerFile)).toBeNull()
    expect(registered('server').filter((record) => record.dataDir === dataDir)).toEqual([])
  },
  10 * MINUTES,
)
