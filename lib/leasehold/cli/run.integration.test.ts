/** `leasehold run`, as processes of its own, on a real Cassandra and real clocks. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../scripts/test/temporary-folder.mjs'
import { CassandraLeaseStore, type CassandraSession, tables } from '../cassandra/index.ts'
import { LeaseProtocol } from '../lease/index.ts'
import { Operator } from '../operator/index.ts'
import {
  testContactPoint,
  testCredentialsEnvironment,
  testKeptTtlSeconds,
  testSession,
} from '../test/node-session.ts'
import { FaultProxy } from '../testing/index.ts'
import { defaultMaxClockSkewMs, tenureMs } from '../time/index.ts'
import { credentialVariables } from './connection/connection.ts'
import { exitCode } from './process/exit-codes.ts'
import { BuiltCommand } from './test-command.ts'
import { isAlive, type ProcessSession, sessionOf, signalAll } from './watchdog/process-session.ts'

/** The shorter TTLs of these tests are too short for Paxos v1. */
const ttl = (seconds: number) => String(Math.max(seconds, testKeptTtlSeconds(defaultMaxClockSkewMs)))
let session: CassandraSession
let leases: LeaseProtocol
let leasehold: BuiltCommand
const folder = temporaryFolder('leasehold-run')
const names = (
  (count) => () =>
    `run/${process.pid}/${++count}`
)(0)
const file = (
  (count) => () =>
    join(folder, String(++count))
)(0)

const environment = () => ({
  CASSANDRA_CONTACT_POINTS: testContactPoint(),
  ...testCredentialsEnvironment(),
  CASSANDRA_KEYSPACE: 'cli_run_test',
})

beforeAll(async () => {
  session = await testSession('cli_run_test')
  await session.client.execute(tables.leases.replace('$k', 'cli_run_test'))
  leases = new LeaseProtocol({ store: new CassandraLeaseStore(session) })
  leasehold = new BuiltCommand(environment())
})
afterAll(async () => {
  leasehold?.remove()
  rmSync(folder, { recursive: true, force: true })
  await session?.close()
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = 90_000,
): Promise<NonNullable<T>> {
  for (const endMs = performance.now() + withinMs; performance.now() < endMs; await pause(20)) {
    const seen = await look()
    if (seen) return seen
  }
  throw new Error(`Not within ${withinMs} ms: ${what}`)
}

/** A script that writes the time into `ticks` for as long as it lives, and its number and its parent's at first. */
const ticking = (ticks: string, before = ':') =>
  `${before}; echo $$ $PPID > ${ticks}.pid; while :; do date +%s%3N >> ${ticks}; sleep 0.05; done`

const startTicking = (name: string, ticks: string, options: string[], before?: string) =>
  leasehold.start(['run', name, ...options, '--', 'sh', '-c', ticking(ticks, before)])

/** The command's processes and its watchdog's, once it runs. */
async function started(ticks: string): Promise<{ command: ProcessSession; watchdog: ProcessSession }> {
  await until('the command runs', () => existsSync(ticks))
  const [pid, parent] = readFileSync(`${ticks}.pid`, 'utf8').trim().split(' ').map(Number)
  return { command: sessionOf(pid as number), watchdog: sessionOf(parent as number) }
}
const ticksMs = (ticks: string) => readFileSync(ticks, 'utf8').trim().split('\n').map(Number)
const lastTickMs = (ticks: string) => ticksMs(ticks).at(-1) as number

describe('a command under a lease', () => {
  it('finds in its environment what it runs under; its exit code is passed on, and the lease is free again', async () => {
    const name = names()
    const { code, stdout } = await leasehold.run(
      [
        'run',
        name,
        '--value',
        'v',
        '--',
        'sh',
        '-c',
        'echo "$LEASEHOLD_NAME|$LEASEHOLD_OWNER|$LEASEHOLD_TOKEN|$LEASEHOLD_TTL_SECONDS|$(cat)"; exit 7',
      ],
      { input: 'stdin' },
    )
    const [seenName, owner, token, ttl, input] = stdout.trim().split('|')
    expect([code, seenName, ttl, input]).toEqual([7, name, '30', 'stdin'])
    expect(owner).toMatch(/^.+:\d+:[0-9a-f]{12}:\w+$/)
    expect(Math.abs(Number(token) / 1_000 - Date.now())).toBeLessThan(60_000)
    expect(await leases.read(name)).toBeNull()
  })

  it('does not inherit the credentials of leasehold, unless it asks for them', async () => {
    const secret = 'a secret of leasehold'
    // Not CASSANDRA_PASSWORD: this test signs in with the real one, if there is one.
    const env = { LEASEHOLD_API_TOKEN: secret, OTHER: 'goes on' }
    const seen = async (...options: string[]) =>
      (await leasehold.run(['run', names(), ...options, '--', 'env'], { env })).stdout.split('\n')
    const without = await seen()
    expect(without).toContain('OTHER=goes on')
    expect(without.join('\n')).toMatch(/^LEASEHOLD_TOKEN=\d+$/m)
    expect(without.filter((line) => line.includes(secret))).toEqual([])
    for (const name of credentialVariables)
      expect(without.filter((line) => line.startsWith(`${name}=`))).toEqual([])
    expect(await seen('--keep-credentials')).toContain(`LEASEHOLD_API_TOKEN=${secret}`)
  })

  it.each([
    ['a signal', ['sh', '-c', 'kill -KILL $$'], 137],
    ['a command that is not there', ['no-such-command'], exitCode.notFound],
    ['a command that cannot be executed', ['/etc/passwd'], exitCode.notExecutable],
  ])('ends as env(1) does after %s', async (_what, command, code) => {
    const name = names()
    expect((await leasehold.run(['run', name, '--', ...command])).code).toBe(code)
    expect(await leases.read(name)).toBeNull()
  })

  it.runIf(process.platform === 'linux')('says on a terminal that it holds the lease', () => {
    const name = names()
    const typed = [process.execPath, leasehold.script, 'run', name, '--', 'sh', '-c', 'echo $LEASEHOLD_TOKEN']
    const words = typed.map((word) => `'${word}'`).join(' ')
    const env = { ...process.env, ...environment(), NO_COLOR: '1' }
    // script(1) gives it a terminal.
    const { stdout } = spawnSync('script', ['-qec', words, '/dev/null'], { env, encoding: 'utf8' })
    expect(stdout.trim().split('\r\n')).toEqual([
      `leasehold: holds "${name}" with the token ${/\d+$/.exec(stdout.trim())?.[0]}.`,
      expect.stringMatching(/^\d+$/),
    ])
  })

  it('two shells, one lock: one waits for the other', async () => {
    const [name, log] = [names(), file()]
    const script = `echo in >> ${log}; sleep 0.7; echo out >> ${log}`
    const both = await Promise.all(
      [1, 2].map(() => leasehold.run(['run', name, '--wait', '1m', '--', 'sh', '-c', script])),
    )
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(['in', 'out', 'in', 'out'])
  })

  it('names the holder when it may not wait', async () => {
    const name = names()
    const held = await leases.tryAcquire(name, { owner: 'someone', ttlSeconds: 180 })
    expect(held.kind).toBe('acquired')
    const { code, stderr } = await leasehold.run(['run', name, '--wait', '0', '--', 'true'])
    expect(code).toBe(exitCode.held)
    expect(stderr).toContain('is held by someone')
  })

  it('stops waiting when a signal interrupts it, and leaves nothing behind', async () => {
    const name = names()
    const held = await leases.tryAcquire(name, { owner: 'someone', ttlSeconds: 180 })
    expect(held.kind).toBe('acquired')
    const [host = '', port] = testContactPoint().split(':')
    const proxy = await FaultProxy.listen(host, Number(port))
    try {
      const asks = proxy.requested(name)
      const waiting = leasehold.start(['run', name, '--contact-points', proxy.contactPoint, '--', 'true'])
      await asks
      await pause(500)
      process.kill(waiting.pid, 'SIGINT')
      expect((await waiting.finished).code).toBe(130)
      expect((await leases.read(name))?.owner).toBe('someone')
    } finally {
      await proxy.close()
    }
  })

  it('ends what the command left running, also in a process group of its own', async () => {
    const [name, ticks] = [names(), file()]
    // timeout(1) makes a group of its own.
    const script = `timeout 100 sh -c '${ticking(ticks)}' & while [ ! -f ${ticks} ]; do sleep 0.05; done; exit 3`
    expect((await leasehold.run(['run', name, '--', 'sh', '-c', script])).code).toBe(3)
    const { command } = await started(ticks)
    expect(isAlive(command)).toBe(false)
    const last = lastTickMs(ticks)
    await pause(300)
    expect(lastTickMs(ticks)).toBe(last)
  })

  it('forwards SIGTERM, waits for the command to end, then releases', async () => {
    const [name, ticks] = [names(), file()]
    // It ends when this test has looked, however late that is.
    const cleans = `echo > ${ticks}.cleans; while [ ! -f ${ticks}.looked ]; do sleep 0.05; done`
    const trap = `trap '${cleans}; echo cleaned > ${ticks}.trap; exit 5' TERM`
    const run = startTicking(name, ticks, [], trap)
    await started(ticks)
    process.kill(run.pid, 'SIGTERM')
    await until('the command has the signal', () => existsSync(`${ticks}.cleans`))
    await pause(200)
    expect((await leases.read(name))?.owner, 'held as long as the command runs').toBeTruthy()
    writeFileSync(`${ticks}.looked`, '')
    expect((await run.finished).code).toBe(5)
    expect(readFileSync(`${ticks}.trap`, 'utf8')).toBe('cleaned\n')
    expect(await leases.read(name)).toBeNull()
  })
})

/** The command ended too late, or this test looked too late. */
class TooLate extends Error {}

/** A busy machine may send SIGKILL later than it is due, in some of the tries. A mistake is late in each of them. */
async function inTime(scene: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await scene()
    } catch (thrown) {
      if (!(thrown instanceof TooLate) || tries === 4) throw thrown
    }
  }
}

/**
 * When SIGKILL is due at the latest, by the clock of this machine: a quarter of a second before the deadline, which the holder counts from
 * before the write. The lease expires 0.75 to 1.75 s after it, by the part of the second in which it was written.
 */
async function killDueMs(name: string): Promise<number> {
  const view = await leases.read(name)
  if (view === null) throw new TooLate('The lease had expired when this test looked.')
  const writtenMs = Number((view.version as bigint) / 1_000n)
  return writtenMs + tenureMs(view.ttlSeconds as number, defaultMaxClockSkewMs) - 250
}

/**
 * A quarter of a second is for sending SIGKILL, and as much as the longest time between two ticks of the command: on this machine a process
 * may have to wait so long for its turn. Never as much as the time until the expiry.
 */
function expectEndInTime(dueMs: number, ticks: string): void {
  const all = ticksMs(ticks)
  const gapMs = Math.max(0, ...all.slice(1).map((tick, i) => tick - (all[i] as number)))
  const lateMs = (all.at(-1) as number) - dueMs
  if (lateMs >= Math.min(750, 250 + gapMs))
    throw new TooLate(`SIGKILL came ${lateMs} ms late; its ticks were up to ${gapMs} ms apart.`)
}

describe('a lease that is lost', () => {
  it('by a forced release: SIGTERM at once, SIGKILL after the grace', async () => {
    const [name, ticks] = [names(), file()]
    const trap = `trap 'echo TERM > ${ticks}.trap' TERM`
    // On a busy machine its trap may run late, and a renewal too: the loss is noticed by a refused one.
    const run = startTicking(name, ticks, ['--ttl', ttl(30), '--grace', '12'], trap)
    const { command, watchdog } = await started(ticks)
    const owner = (await leases.read(name))?.owner as string
    expect(await new Operator(leases).kill({ name, owner })).toMatchObject({ kind: 'released' })
    const { code, stderr } = await run.finished
    expect(code).toBe(exitCode.lost)
    expect(stderr).toContain('a renewal was refused')
    expect(readFileSync(`${ticks}.trap`, 'utf8')).toBe('TERM\n')
    expect(isAlive(command)).toBe(false)
    // Nothing waits for the watchdog: it is asked to end, and may outlive leasehold for a moment.
    await until('the watchdog is gone', () => !isAlive(watchdog))
  })

  it('by a break: names the operator as far as the row does', async () => {
    const [name, ticks] = [names(), file()]
    const run = leasehold.start(['run', name, '--ttl', ttl(30), '--', 'sh', '-c', ticking(ticks)])
    await started(ticks)
    const owner = (await leases.read(name))?.owner as string
    // As the console writes it.
    const value = JSON.stringify({ quarantine: { was: owner, by: 'ann', at: new Date().toISOString() } })
    const broken = await new Operator(leases).break({ name, owner }, { id: 'r1', value })
    expect(broken.kind).toBe('broken')
    const { code, stderr } = await run.finished
    expect(code).toBe(exitCode.lost)
    expect(stderr).toContain(
      `The lease "${name}" is lost: an operator broke it. leasehold stops the command.`,
    )
    expect(stderr).toContain(`The lease "${name}" is lost: ann broke it, and the command was stopped.`)
  })

  it('because Cassandra cannot be reached: the command is gone before the expiry', () =>
    inTime(async () => {
      const [name, ticks] = [names(), file()]
      const [host = '', port] = testContactPoint().split(':')
      const proxy = await FaultProxy.listen(host, Number(port))
      try {
        const run = startTicking(
          name,
          ticks,
          ['--ttl', ttl(8), '--contact-points', proxy.contactPoint],
          "trap '' TERM",
        )
        const { command } = await started(ticks)
        proxy.refuse()
        const dueMs = await killDueMs(name)
        await until('the command is gone', () => !isAlive(command))
        expectEndInTime(dueMs, ticks)
        const { code, stderr } = await run.finished
        expect(code).toBe(exitCode.lost)
        expect(stderr).toMatch(/could not be renewed .*: Cassandra at \S+ does not answer\./)
      } finally {
        await proxy.close()
      }
    }))

  it('because leasehold was stopped for longer than the TTL: nothing happens after it continues', () =>
    inTime(async () => {
      const [name, ticks] = [names(), file()]
      const run = startTicking(name, ticks, ['--ttl', ttl(6)], "trap '' TERM")
      const { command } = await started(ticks)
      process.kill(run.pid, 'SIGSTOP')
      const dueMs = await killDueMs(name)
      // The command is gone while leasehold is still stopped, and before another owner can hold the lease.
      await until('the command is gone', () => !isAlive(command))
      const view = await leases.read(name)
      const last = lastTickMs(ticks)
      expectEndInTime(dueMs, ticks)
      if (view === null) throw new TooLate('The lease had expired when this test looked.')
      await until('the lease has expired', async () => (await leases.read(name)) === null)
      const rival = await leases.tryAcquire(name, { owner: 'rival', ttlSeconds: 600 })
      expect(rival.kind).toBe('acquired')
      process.kill(run.pid, 'SIGCONT')
      const { code } = await run.finished
      expect(code).toBe(exitCode.lost)
      expect(lastTickMs(ticks)).toBe(last)
      expect((await leases.read(name))?.owner).toBe('rival')
    }))
})

describe('one of the two processes is killed', () => {
  it('leasehold: its command and its watchdog are gone soon', async () => {
    const [name, ticks] = [names(), file()]
    const run = startTicking(name, ticks, ['--ttl', '300', '--grace', '500ms'], "trap '' TERM")
    const { command, watchdog } = await started(ticks)
    process.kill(run.pid, 'SIGKILL')
    // Half a second on an idle machine. By the deadline alone they would be gone after three minutes or more.
    await until('both are gone', () => !isAlive(command) && !isAlive(watchdog), 60_000)
    expect((await run.finished).code).toBeNull()
  })

  it('the watchdog: leasehold stops the command', async () => {
    const [name, ticks] = [names(), file()]
    const run = startTicking(name, ticks, ['--grace', '500ms'], "trap '' TERM")
    const { command, watchdog } = await started(ticks)
    process.kill(watchdog.pid, 'SIGKILL')
    const { code, stderr } = await run.finished
    expect(code).toBe(exitCode.failed)
    expect(stderr).toContain('The watchdog died')
    expect(isAlive(command)).toBe(false)
    expect(await leases.read(name)).toBeNull()
  })

  it('the watchdog is stopped, and leasehold cut off: leasehold stops the command', () =>
    inTime(async () => {
      const [name, ticks] = [names(), file()]
      const [host = '', port] = testContactPoint().split(':')
      let stopped: ProcessSession | undefined
      const proxy = await FaultProxy.listen(host, Number(port))
      try {
        const run = startTicking(
          name,
          ticks,
          ['--ttl', ttl(8), '--contact-points', proxy.contactPoint],
          "trap '' TERM",
        )
        const { command, watchdog } = await started(ticks)
        stopped = watchdog
        process.kill(watchdog.pid, 'SIGSTOP')
        proxy.refuse()
        const dueMs = await killDueMs(name)
        await until('the command is gone', () => !isAlive(command))
        expectEndInTime(dueMs, ticks)
        expect((await run.finished).code).toBe(exitCode.failed)
        // Killed, which the kernel may complete after leasehold's own end.
        await until('the watchdog is gone', () => !isAlive(watchdog))
      } finally {
        // After a failure too: no other process ends a stopped one.
        if (stopped !== undefined) signalAll(stopped, 'SIGKILL')
        await proxy.close()
      }
    }))
})

it('ends promptly when Cassandra cannot be reached', async () => {
  const startMs = performance.now()
  const { code, stderr } = await leasehold.run(['run', 'x', '--contact-points', '127.0.0.1:1', '--', 'true'])
  expect(code).toBe(exitCode.unavailable)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  const tookMs = performance.now() - startMs
  // On a busy machine a command takes seconds to start.
  await leasehold.run(['--version'])
  const idleMs = performance.now() - startMs - tookMs
  expect(tookMs).toBeLessThan(15_000 + idleMs)
})
