/**
 * The commands that connect by themselves, to a node that is reached by TLS alone: a server with a certificate in front of
 * the node of the tests. Java's keytool makes the certificate; every machine with a Cassandra has it.
 */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { createServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../process/registry.mjs'
import { requireJava } from '../setup/java.mjs'
import { temporaryFolder } from '../test/temporary-folder.mjs'

const folder = temporaryFolder('leasehold-tls')
const password = 'of-the-test'

/** A key with a certificate of its own. @param {string} keytool @param {string} name */
function certificate(keytool, name) {
  const store = join(folder, `${name}.p12`)
  const pem = join(folder, `${name}.pem`)
  const of = ['-keystore', store, '-storepass', password, '-alias', name]
  const made = ['-keyalg', 'RSA', '-keysize', '2048', '-dname', `CN=${name}`, '-ext', 'san=ip:127.0.0.1']
  execFileSync(keytool, ['-genkeypair', ...of, ...made, '-storetype', 'PKCS12'], { stdio: 'pipe' })
  execFileSync(keytool, ['-exportcert', '-rfc', ...of, '-file', pem], { stdio: 'pipe' })
  return { pfx: readFileSync(store), pem }
}

/** @type {import('node:tls').Server} */
let server
/** @type {Record<string, string>} */
let environment
let strangersPem = ''
/** How long the node keeps a connection waiting. */
let heldMs = 0

beforeAll(async () => {
  const { LEASEHOLD_TEST_CONTACT_POINT: node = '', LEASEHOLD_TEST_USERNAME: username } = process.env
  if (node === '') throw new Error('LEASEHOLD_TEST_CONTACT_POINT is not set: run `npm test`.')
  const [host = '', port] = node.split(':')
  const keytool = join(dirname((await requireJava()).path), 'keytool')
  const { pfx, pem } = certificate(keytool, 'node')
  strangersPem = certificate(keytool, 'stranger').pem
  server = createServer({ pfx, passphrase: password }, (client) => {
    const upstream = connect(Number(port), host)
    for (const [one, other] of /** @type {const} */ ([
      [client, upstream],
      [upstream, client],
    ])) {
      setTimeout(() => one.pipe(other), heldMs)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  // A client that speaks no TLS, or trusts another authority.
  server.on('tlsClientError', () => {})
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)))
  const { port: encrypted } = /** @type {import('node:net').AddressInfo} */ (server.address())
  environment = {
    CASSANDRA_CONTACT_POINTS: `127.0.0.1:${encrypted}`,
    CASSANDRA_KEYSPACE: 'leasehold_without_a_log',
    CASSANDRA_TLS_CA: pem,
    LEASEHOLD_AUDIT_KEY: Buffer.alloc(32).toString('hex'),
    LEASEHOLD_DATA_DIR: folder,
  }
  if (username === undefined) return
  environment.CASSANDRA_USERNAME = username
  environment.CASSANDRA_PASSWORD = process.env.LEASEHOLD_TEST_PASSWORD ?? ''
})
afterAll(() => server?.close())

/** @param {string[]} args @param {Record<string, string>} [more] */
async function run(args, more = {}) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const stream of /** @type {const} */ (['stdout', 'stderr']))
    child[stream].on('data', (text) => {
      said[stream] += text
    })
  const code = await new Promise((done) => child.once('close', done))
  return { code, ...said }
}

describe('over TLS, with the variables of the console', () => {
  it('npm run cql runs its statement', async () => {
    const statement = 'SELECT key FROM system.local'
    heldMs = 1_500
    const { code, stdout, stderr } = await run(['scripts/cql.mjs', statement])
    heldMs = 0
    expect([code, stdout]).toEqual([0, '{"key":"local"}\n'])
    // A caller that reads the result reads stdout.
    expect(stderr).toContain('Waiting for Cassandra')
  })

  it('npm run cql refuses a node whose certificate comes from another authority', async () => {
    const { code, stderr } = await run(['scripts/cql.mjs', 'SELECT key FROM system.local'], {
      CASSANDRA_TLS_CA: strangersPem,
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/self.signed certificate|unable to verify/i)
  })

  // They have connected: what they say is what they read.
  it.each(['verify', 'export'])('npm run audit -- %s reads', async (command) => {
    const { code, stderr } = await run(['scripts/audit.mjs', command])
    expect(stderr).toContain('There is no audit log in the keyspace leasehold_without_a_log')
    expect(code).toBe(2)
  })
})
