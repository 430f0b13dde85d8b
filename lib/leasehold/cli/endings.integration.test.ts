/** How waits end, and that interrupted commands end promptly, also when Cassandra is silent. As processes of their own, on a real Cassandra. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../scripts/test/temporary-folder.mjs'
import { CassandraLeaseStore, type CassandraSession, tables } from '../cassandra/index.ts'
import { LeaseProtocol } from '../lease/index.ts'
import { testContactPoint, testCredentialsEnvironment, testSession } from '../test/node-session.ts'
import { FaultProxy } from '../testing/index.ts'
import { exitCode } from './process/exit-codes.ts'
import { BuiltCommand } from './test-command.ts'

const keyspace = 'cli_endings_test'
let session: CassandraSession
let leases: LeaseProtocol
let leasehold: BuiltCommand
const names = (
  (count) => () =>
    `endings/${process.pid}/${++count}`
)(0)

beforeAll(async () => {
  session = await testSession(keyspace)
  for (const table of [tables.leases, tables.election_terms, tables.lock_tickets])
    await session.client.execute(table.replaceAll('$k', keyspace))
  leases = new LeaseProtocol({ store: new CassandraLeaseStore(session) })
  leasehold = new BuiltCommand({ ...testCredentialsEnvironment(), CASSANDRA_KEYSPACE: keyspace })
})
afterAll(async () => {
  leasehold?.remove()
  await session?.close()
})
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function until(what: string, look: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + 150_000; performance.now() < endMs; await pause(20))
    if (await look()) return
  throw new Error(`Not within 150 s: ${what}`)
}

/** Each test has a proxy of its own: they mostly wait, and run beside each other. */
async function withProxy(test: (proxy: FaultProxy, start: Start) => Promise<void>): Promise<void> {
  const [host = '', port] = testContactPoint().split(':')
  const proxy = await FaultProxy.listen(host, Number(port))
  try {
    await test(proxy, (args) => {
      const dashes = args.indexOf('--')
      const at = dashes === -1 ? args.length : dashes
      return leasehold.start([
        ...args.slice(0, at),
        '--contact-points',
        proxy.contactPoint,
        ...args.slice(at),
      ])
    })
  } finally {
    await proxy.close()
  }
}
type Start = (args: string[]) => ReturnType<BuiltCommand['start']>

/** `secondMs`: a second on an idle machine. How long a command takes that does nothing, at the same time, shows how busy this one is. */
async function interrupted(running: ReturnType<Start>, signal: NodeJS.Signals) {
  let isOver = false
  let idleMs = 0
  const idling = (async () => {
    while (!isOver) {
      const beganMs = performance.now()
      await leasehold.run(['--version'])
      idleMs = Math.max(idleMs, performance.now() - beganMs)
    }
  })()
  const beganMs = performance.now()
  process.kill(running.pid, signal)
  const ended = await running.finished
  const tookMs = performance.now() - beganMs
  isOver = true
  await idling
  return { ...ended, tookMs, secondMs: 1_000 + idleMs }
}

describe.concurrent('interrupted while Cassandra is silent', () => {
  it.each([
    ['run', ['--', 'true'], 130],
    ['elect', ['--', 'true'], 130],
    ['elect', [], exitCode.done],
    ['elect', ['--observe'], exitCode.done],
    ['ls', ['--watch', '--json'], exitCode.done],
  ])('%s NAME %j ends within a second', (command, rest, code) =>
    withProxy(async (proxy, start) => {
      const name = names()
      await leases.tryAcquire(name, { owner: 'someone', ttlSeconds: 180 })
      const asks = proxy.requested(name)
      const running = start([command, name, ...rest])
      // It waits, or watches. A list does not send the prefix; it prints what it finds.
      if (command === 'ls') await until('the lease is printed', () => running.stdout().includes('someone'))
      else await asks
      await pause(1_000)
      proxy.holdAnswers()
      await pause(1_500)
      const ended = await interrupted(running, 'SIGINT')
      expect(ended).toMatchObject({ code })
      expect(ended.tookMs).toBeLessThan(ended.secondMs)
      expect((await leases.read(name))?.owner).toBe('someone')
    }),
  )

  it('run ends within a second while it connects', () =>
    withProxy(async (proxy, start) => {
      proxy.holdAnswers()
      const connects = proxy.requested('CQL_VERSION')
      const running = start(['run', names(), '--', 'true'])
      await connects
      await pause(500)
      const ended = await interrupted(running, 'SIGTERM')
      expect(ended).toMatchObject({ code: 143, stdout: '' })
      expect(ended.tookMs).toBeLessThan(ended.secondMs)
    }))

  it('a leader waits for the answer to its resignation, but not for long', () =>
    withProxy(async (proxy, start) => {
      const group = names()
      const running = start(['elect', group, '--ttl', '30', '--json'])
      await until('it is elected', () => running.stdout().includes('elected'))
      proxy.holdAnswers()
      await pause(200)
      const ended = await interrupted(running, 'SIGTERM')
      expect(ended.code).toBe(exitCode.done)
      expect(ended.stderr).toContain(`The release of "${group}" is not answered.`)
      expect(ended.stdout).not.toContain('resigned')
      expect(ended.tookMs).toBeLessThan(2_500 + ended.secondMs)
    }))
})

describe.concurrent('when the reader of its output has gone', () => {
  it('a candidate that is elected then resigns, and does not end as done', () =>
    withProxy(async (_proxy, start) => {
      const group = names()
      const before = await leases.tryAcquire(group, { owner: 'someone', ttlSeconds: 600 })
      const running = start(['elect', group, '--ttl', '120', '--json'])
      await until('it waits', () => running.stdout().includes('someone'))
      running.closeOutput()
      if (before.kind === 'acquired') await leases.release(before.tenure)
      const { code } = await running.finished
      expect(code).toBe(exitCode.outputClosed)
      expect(await leases.read(group)).toBeNull()
    }))

  it.each([
    ['ls', []],
    ['ls', ['--watch', '--json']],
    ['elect', ['--observe']],
  ])('%s NAME %j ends, quietly, and not as done', (command, rest) =>
    withProxy(async (_proxy, start) => {
      const name = names()
      await leases.tryAcquire(name, { owner: 'someone', ttlSeconds: 180 })
      const running = start([command, name, ...rest])
      running.closeOutput()
      const { code, stderr } = await running.finished
      expect([code, stderr]).toEqual([exitCode.outputClosed, ''])
    }),
  )
})

it.runIf(existsSync('/dev/full'))('a full disk under its output is a failure, and it says so', async () => {
  const shell = spawn('sh', ['-c', `exec '${process.execPath}' '${leasehold.script}' --help >/dev/full`])
  let stderr = ''
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = await once(shell, 'close')
  expect(code).toBe(exitCode.failed)
  expect(stderr).toMatch(/^leasehold: The output cannot be written: .*ENOSPC.*\.\n$/)
})

it('passes on the exit code of the command, also when its lease cannot be released', () =>
  withProxy(async (proxy, start) => {
    const name = names()
    // It ends when no answer comes any more, however late that is.
    const silent = join(temporaryFolder('leasehold-silent'), 'silent')
    const script = `echo up; while [ ! -f '${silent}' ]; do sleep 0.05; done; exit 7`
    const running = start(['run', name, '--', 'sh', '-c', script])
    await until('the command runs', () => running.stdout().includes('up'))
    proxy.holdAnswers()
    writeFileSync(silent, '')
    const { code, stderr } = await running.finished
    expect(code).toBe(7)
    expect(stderr).toContain(
      `The release of "${name}" is not answered. It is usually free again within 30 s.`,
    )
  }))

it('says in a log for whom it waits, and that it then holds the lease', () =>
  withProxy(async (_proxy, start) => {
    const name = names()
    const held = await leases.tryAcquire(name, { owner: 'someone', ttlSeconds: 600 })
    const waiting = start(['run', name, '--', 'true'])
    await until('it says that it waits', () => waiting.stderr() !== '')
    if (held.kind === 'acquired') await leases.release(held.tenure)
    const { code, stderr } = await waiting.finished
    expect(code).toBe(0)
    expect(stderr.trim().split('\n')).toEqual([
      `leasehold: waiting up to 60 s for "${name}", held by someone.`,
      expect.stringMatching(`^leasehold: holds "${name}" with the token \\d+\\.$`),
    ])
  }))

it('--fair: waiters acquire in the order in which they began to wait', () =>
  withProxy(async (_proxy, start) => {
    const name = names()
    const held = await leases.tryAcquire(name, { ttlSeconds: 600 })
    // When each command began: how soon the processes end afterwards says nothing of it.
    const order = join(temporaryFolder('leasehold-order'), 'order')
    const waiters: Promise<unknown>[] = []
    for (const waiter of ['1', '2', '3']) {
      const run = start([
        'run',
        name,
        '--fair',
        '--wait',
        '10m',
        '--',
        'sh',
        '-c',
        `echo ${waiter} >> '${order}'; sleep 0.2`,
      ])
      waiters.push(run.finished)
      const tickets = () =>
        session.client.execute(`SELECT owner FROM "${keyspace}".lock_tickets WHERE name = ?`, [name], {
          prepare: true,
        })
      await until('it has a ticket', async () => (await tickets()).rowLength >= Number(waiter))
    }
    if (held.kind === 'acquired') await leases.release(held.tenure)
    await Promise.all(waiters)
    expect(readFileSync(order, 'utf8')).toBe('1\n2\n3\n')
  }))
