/** The server's process, with a server of the test's own that answers and logs as each test wants. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { randomFreePorts } from '../process/ports.mjs'
import { registered } from '../process/registry.mjs'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { SECRET_VARIABLES } from './secrets.mjs'
import { startServer } from './server.mjs'

/** @type {string} */
let dir
/** @type {import('./server.mjs').Server | undefined} */
let server
beforeEach(() => {
  dir = temporaryFolder('leasehold-server')
})
afterEach(async () => {
  await server?.stop()
  server = undefined
  rmSync(dir, { recursive: true, force: true })
})

/** @param {string} script run once it is asked for /say @param {Partial<Parameters<typeof startServer>[0]>} [options] */
async function start(script, options = {}) {
  const entry = join(dir, 'server.mjs')
  writeFileSync(
    entry,
    `import { readFileSync } from 'node:fs'
    import { createServer } from 'node:http'
    const names = ${JSON.stringify(SECRET_VARIABLES)}
    const secrets = names.map((name) => {
      const file = process.env[name + '_FILE']
      return [name, process.env[name] || (file ? readFileSync(file, 'utf8') : null)]
    })
    createServer(async (request, response) => {
      if (request.url === '/say') { ${script} }
      response.end(JSON.stringify(Object.fromEntries(secrets)))
    }).listen(Number(process.env.PORT), process.env.HOST)`,
  )
  const [port = 0] = await randomFreePorts(1)
  server = await startServer({ root: dir, host: '127.0.0.1', port, entry: [entry], ...options })
  return server
}

describe.runIf(process.platform === 'linux')('the environment of the serving process', () => {
  it('holds no secret, whichever it was given, and the files are gone once it is ready', async () => {
    const given = Object.fromEntries(SECRET_VARIABLES.map((name) => [name, `canary of ${name}`]))
    const { pid, url } = await start('', { env: given })
    expect(await (await fetch(url)).json()).toEqual(given)
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    expect(environment).toContain('CASSANDRA_SCHEMA_PASSWORD_FILE=')
    expect(environment).not.toContain('canary')
    const file = /CASSANDRA_SCHEMA_PASSWORD_FILE=([^\0]+)/.exec(environment)?.[1] ?? ''
    expect(existsSync(file)).toBe(false)
  })
})

it('is registered with the build that it serves; a development server builds elsewhere', async () => {
  for (const [nodeEnv, distDir] of /** @type {const} */ ([
    ['production', '.next'],
    ['development', '.next/dev'],
  ])) {
    const { pid, stop } = await start('', { nodeEnv })
    expect(registered('server').find((record) => record.pid === pid)).toMatchObject({ distDir })
    await stop()
  }
})

it.each(['missing', 'a-file/below-it'])(
  'a server that cannot be started is a Failure, and leaves no secrets: its folder is %s',
  (folder) => {
    writeFileSync(join(dir, 'a-file'), '')
    const module = fileURLToPath(new URL('server.mjs', import.meta.url))
    const registry = fileURLToPath(new URL('../process/registry.mjs', import.meta.url))
    // In a process of its own: an `error` event without a listener ends the process that asked.
    const program = `
    import { readdirSync } from 'node:fs'
    import { REGISTRY } from ${JSON.stringify(registry)}
    import { startServer } from ${JSON.stringify(module)}
    const root = ${JSON.stringify(join(dir, folder))}
    const env = { CASSANDRA_PASSWORD: 'pw' }
    try { await startServer({ root, host: '127.0.0.1', port: 1, env }) }
    catch (error) { console.log(error.name + ': ' + error.message) }
    console.log(readdirSync(REGISTRY).filter((name) => name.startsWith('secrets-' + process.pid + '-')).length)`
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
    expect(said).toMatch(/^Failure: Node\.js could not be started again \(.*\)\.\n0\n$/)
  },
)

describe('the log', () => {
  it('keeps to two files of its size while the server writes, and loses none of the last lines', async () => {
    const limitBytes = 100_000
    const logFile = join(dir, 'logs', 'console.log')
    const lines = 20_000
    const script = `for (let i = 0; i < ${lines}; i += 1) process.stdout.write('{"line":' + i + '}\\n')
      await new Promise((done) => process.stdout.write('', done))`
    const { url, stop } = await start(script, { logFile, logLimitBytes: limitBytes })
    await fetch(`${url}/say`)
    await stop()
    expect(readdirSync(join(dir, 'logs')).sort()).toEqual(['console.log', 'console.log.1'])
    const kept = [`${logFile}.1`, logFile].flatMap((file) => {
      expect(statSync(file).size).toBeLessThanOrEqual(limitBytes)
      return readFileSync(file, 'utf8').split('\n').slice(0, -1)
    })
    const first = JSON.parse(kept[0] ?? '').line
    expect(kept.map((line) => JSON.parse(line).line)).toEqual(
      Array.from({ length: lines - first }, (_, i) => first + i),
    )
  })
  it('of a server that floods it, in a line without an end, does not fill the memory of this process', async () => {
    const script = `const text = 'x'.repeat(1 << 20)
      for (let i = 0; i < 150; i += 1) await new Promise((done) => process.stdout.write(text, done))`
    const before = process.memoryUsage().rss
    let most = 0
    const onLine = () => {
      most = Math.max(most, process.memoryUsage().rss - before)
    }
    const { url, stop } = await start(script, {
      logFile: join(dir, 'console.log'),
      logLimitBytes: 1e7,
      onLine,
    })
    await fetch(`${url}/say`)
    await stop()
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(200 * 1024 * 1024)
  })
})
