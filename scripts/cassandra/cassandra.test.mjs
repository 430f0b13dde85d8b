import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { adoptJars, fetchFailure, jarsComplete, requireJars } from './jars.mjs'
import { cassandraYaml, logbackXml } from './settings/config.mjs'
import { javaArguments, javaEnvironment, markOf } from './settings/java-options.mjs'
import { nodePlaces } from './settings/places.mjs'
import { isNodeOf } from './state/left-over.mjs'
import { answersCql } from './state/native-protocol.mjs'
import { lastWords, sentenceFor, tookItsPort } from './state/obituary.mjs'
import { hasItsPorts, silence } from './state/startup.mjs'
import { VERSIONS, versionOf } from './versions.mjs'

/** @type {string} */
let dir
beforeEach(() => {
  dir = temporaryFolder('leasehold-node')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('configuration', () => {
  const yaml = cassandraYaml({ storage: '/data/my "own"/storage', nativePort: 9042, storagePort: 7000 })
  it('keeps to loopback', () => {
    expect(yaml.match(/^(listen|rpc)_address: .*/gm)).toEqual([
      'listen_address: 127.0.0.1',
      'rpc_address: 127.0.0.1',
    ])
  })
  it('acknowledges what is on the disk, and decides by Paxos v2', () => {
    expect(yaml).toContain('\ncommitlog_sync: batch\n')
    expect(yaml).toContain('\npaxos_variant: v2\n')
  })
  it('quotes paths', () => {
    expect(yaml).toContain('- "/data/my \\"own\\"/storage/data"')
    expect(logbackXml({ logs: '/a<b&c' })).toContain('/a&#60;b&#38;c/system.log')
  })
})

describe('the arguments of java', () => {
  it('hold the mark by which the node of a directory is known', () => {
    const jarsDir = join(dir, 'jars')
    mkdirSync(jarsDir)
    writeFileSync(join(jarsDir, 'jamm-0.4.0.jar'), '')
    const args = javaArguments({ dataDir: '/d', jarsDir, heapMb: 512 })
    expect(args).toContain(`-javaagent:${jarsDir}/jamm-0.4.0.jar`)
    expect(isNodeOf(['java', ...args], '/d')).toBe(true)
    expect(isNodeOf(['java', ...args], '/d2')).toBe(false)
    expect(isNodeOf(['tail', '-f', markOf('/d')], '/d')).toBe(false)
  })
})

it('gives Java of the environment what Java needs, and nothing that is meant for others', () => {
  const needed = { PATH: '/bin', HOME: '/h', LC_ALL: 'C', TZ: 'UTC', JAVA_HOME: '/j' }
  const others = {
    LEASEHOLD_ADMIN_PASSWORD: 'x',
    CASSANDRA_PASSWORD: 'x',
    JAVA_TOOL_OPTIONS: '-Xmx1m',
    PATHS: 'x',
  }
  expect(javaEnvironment({ ...needed, ...others })).toEqual(needed)
})

it('a Java that cannot be started is a Failure', () => {
  const [pom, jars] = [join(dir, 'pom.xml'), join(dir, 'jars')]
  writeFileSync(pom, '')
  mkdirSync(jars)
  const stamp = { pom: createHash('sha256').update('').digest('hex'), files: {} }
  writeFileSync(join(jars, 'complete.json'), JSON.stringify(stamp))
  const options = { dataDir: join(dir, 'data'), jarsDir: jars, pom, java: join(dir, 'no-java') }
  const module = fileURLToPath(new URL('node.mjs', import.meta.url))
  // In a process of its own: an `error` event without a listener ends the process that asked.
  const program = `
    import { startNode } from ${JSON.stringify(module)}
    try { await startNode(${JSON.stringify(options)}) }
    catch (error) { console.log(error.name + ': ' + error.message) }`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(said).toContain('Failure: Java could not be started')
})

describe('jars', () => {
  it('are not there until they are stamped, for this pom, in full', () => {
    const jars = join(dir, 'jars')
    expect(jarsComplete(jars)).toBe(false)
    expect(() => requireJars(jars)).toThrow(/npm start/)
    mkdirSync(jars)
    writeFileSync(join(jars, 'complete.json'), JSON.stringify({ pom: 'another', files: {} }))
    expect(jarsComplete(jars)).toBe(false)
  })
  it('are adopted whole', () => {
    const from = join(dir, 'from')
    mkdirSync(from)
    writeFileSync(join(from, 'a.jar'), 'a')
    adoptJars(from, join(dir, 'to'))
    rmSync(from, { recursive: true })
    adoptJars(join(dir, 'to'), join(dir, 'to2'))
    expect(jarsComplete(join(dir, 'to2'))).toBe(false)
  })
  it.each([
    [
      'Unknown host repo.maven.apache.org: Name or service not known',
      /could not download.*Unknown host.*internet/,
    ],
    ['Cannot access central in offline mode', /offline mode/],
    ['java.io.IOException: No space left on device', /disk filled up/],
    ['Checksum validation failed, expected a but is b', /arrived damaged/],
    ['[ERROR] Something odd', /\(Something odd\)/],
  ])('that cannot be fetched are explained: %s', (output, sentence) => {
    expect(fetchFailure(output)).toMatch(sentence)
  })
})

it.each(VERSIONS)('the pom of %s has no comment that XML forbids', (version) => {
  const { pom } = versionOf(version)
  if (pom === undefined) return
  const comments = [...readFileSync(pom, 'utf8').matchAll(/<!--([\s\S]*?)-->/g)]
  for (const [, comment] of comments) expect(comment).not.toContain('--')
})

describe('why a node ended', () => {
  it.each([
    ['java.io.IOException: No space left on device', /the disk is full/],
    ['java.net.BindException: Address already in use', /took one of its ports/],
    ['Terminating due to java.lang.OutOfMemoryError: Java heap space', /too little memory/],
    [
      'Exception (x.ConfigurationException) encountered during startup: No seeds',
      /could not start: No seeds/,
    ],
    ['nothing of note, -XX:+ExitOnOutOfMemoryError', /ended by SIGKILL: see \/log/],
  ])('%s', (text, sentence) => {
    expect(sentenceFor(text, 'by SIGKILL', '/log')).toMatch(sentence)
  })
})

describe('answersCql', () => {
  /** @param {(socket: import('node:net').Socket) => void} serve @param {number} [withinMs] */
  const at = async (serve, withinMs = 60_000) => {
    const server = createServer(serve).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    const answers = await answersCql('127.0.0.1', port, withinMs)
    server.close()
    return answers
  }
  it('believes a SUPPORTED frame, and nothing else', async () => {
    expect(await at((socket) => socket.end(Buffer.from([0x84, 0, 0, 0, 0x06, 0, 0, 0, 0])))).toBe(true)
    expect(await at((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))).toBe(false)
    expect(await at(() => {}, 200)).toBe(false)
    expect(await answersCql('127.0.0.1', 1)).toBe(false)
  })
})

describe('the start of a node', () => {
  /** @param {string} text */
  const startedWith = (text) => {
    const places = nodePlaces(dir)
    mkdirSync(places.logs, { recursive: true })
    writeFileSync(places.startupLog, text)
    return places
  }
  it('has its ports when it says so itself, whatever answers there', () => {
    expect(hasItsPorts(nodePlaces(dir))).toBe(false)
    expect(hasItsPorts(startedWith('2026-11-22 14:11:13,702 INFO  Hostname: vm\n'))).toBe(false)
    expect(hasItsPorts(startedWith('2026-11-22 14:11:13,861 INFO  Startup complete\n'))).toBe(true)
  })
  it.each([
    ['java.lang.IllegalStateException: Failed to bind port 9042 on 127.0.0.1.', true],
    ['ConfigurationException: /127.0.0.1:7000 is in use by another process.', true],
    ['java.lang.IllegalStateException: no seeds', false],
  ])('that failed by "%s" lost a port to another program: %s', (text, lost) => {
    expect(tookItsPort(startedWith(`ERROR Exception encountered during startup\n${text}\n`))).toBe(lost)
  })
  it('may take any time while it writes, and is stuck when it does not', () => {
    const places = startedWith('')
    let nowMs = 0
    const isSilent = silence(places, { limitMs: 1_000, now: () => nowMs })
    for (nowMs = 0; nowMs < 5_000; nowMs += 900) {
      writeFileSync(places.systemLog, `${nowMs} `, { flag: 'a' })
      expect(isSilent()).toBe(false)
    }
    nowMs += 1_000
    expect(isSilent()).toBe(true)
  })
  it('is described by the last line of its log', () => {
    const places = startedWith('')
    expect(lastWords(places, 0)).toBeNull()
    const earlier = '2026-11-22 14:00:00,000 INFO  [main] CommitLog: of an earlier start\n'
    writeFileSync(
      places.systemLog,
      `${earlier}2026-11-22 14:23:19,637 INFO  [main] CommitLog: Log replay complete, 0 replayed\n\tat a stack\n`,
    )
    expect(lastWords(places, earlier.length)).toBe('Log replay complete, 0 replayed')
  })
})
