/** Every command but `run`, as processes of their own, on a real Cassandra. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CassandraLeaseStore, CassandraSession, tables } from '../cassandra/index.ts'
import { LeaseProtocol, Leases } from '../lease/index.ts'
import { Operator } from '../operator/index.ts'
import {
  testContactPoint,
  testCredentialsEnvironment,
  testKeptTtlSeconds,
  testSession,
} from '../test/node-session.ts'
import { defaultMaxClockSkewMs } from '../time/index.ts'
import { exitCode } from './process/exit-codes.ts'
import { BuiltCommand } from './test-command.ts'

/** A loss is noticed within a third of it; it is not lost on a busy machine meanwhile, which may renew ten seconds late. */
const shortTtl = String(Math.max(30, testKeptTtlSeconds(defaultMaxClockSkewMs)))
let session: CassandraSession
let leases: LeaseProtocol
let leasehold: BuiltCommand
const names = (
  (count) => () =>
    `commands/${process.pid}/${++count}`
)(0)

beforeAll(async () => {
  session = await testSession('cli_commands_test')
  for (const table of [tables.leases, tables.sequences, tables.election_terms, tables.lease_events])
    await session.client.execute(table.replaceAll('$k', 'cli_commands_test'))
  leases = new LeaseProtocol({ store: new CassandraLeaseStore(session) })
  leasehold = new BuiltCommand({
    CASSANDRA_CONTACT_POINTS: testContactPoint(),
    ...testCredentialsEnvironment(),
    CASSANDRA_KEYSPACE: 'cli_commands_test',
  })
})
afterAll(async () => {
  leasehold?.remove()
  await session?.close()
})

const jsonLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (const endMs = performance.now() + 90_000; performance.now() < endMs; ) {
    const seen = await look()
    if (seen) return seen
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Not within 90 s: ${what}`)
}

describe('get and release', () => {
  it('shows a lease, and says by its exit code whether there is one', async () => {
    const name = names()
    await leases.tryAcquire(name, { owner: 'one', value: 'v\x1b[2J', ttlSeconds: 400 })
    const shown = await leasehold.run(['get', name])
    expect(shown.code).toBe(0)
    expect(shown.stdout).toMatch(/owner +one\n/)
    expect(shown.stdout).toContain('v\\u{1b}[2J')
    const readAsJson = async () => jsonLines((await leasehold.run(['get', name, '--json'])).stdout)[0]
    expect(await readAsJson()).toMatchObject({ name, owner: 'one', value: 'v\x1b[2J' })
    // Derived from the expiry, a whole second: 399 where the write crossed from one second into the next, 401 where the read did.
    // A read that took the node seconds crossed more of them: the next one is asked.
    await expect.poll(async () => (await readAsJson())?.ttlSeconds).toBeOneOf([399, 400, 401])
    expect((await readAsJson())?.remainingMs).toBeGreaterThan(200_000)
    expect((await leasehold.run(['get', names()])).code).toBe(exitCode.notHeld)
  })

  it('releases for the named owner alone', async () => {
    const name = names()
    await leases.tryAcquire(name, { owner: 'one', ttlSeconds: 600 })
    const other = await leasehold.run(['release', name, '--owner', 'two'])
    expect(other.code).toBe(exitCode.held)
    expect(other.stderr).toContain('is held by one, not by two')
    expect((await leasehold.run(['release', name, '--owner', 'one'])).code).toBe(0)
    expect((await leasehold.run(['release', name, '--owner', 'one'])).code).toBe(exitCode.notHeld)
    expect(await leases.read(name)).toBeNull()
  })

  it('does not say that it released a row which a client dated ahead of the clocks', async () => {
    const name = names()
    await session.client.execute(
      `INSERT INTO cli_commands_test.leases (name, owner) VALUES (?, 'plain') USING TTL 300 AND TIMESTAMP ?`,
      [name, String((Date.now() + 3_600_000) * 1_000)],
      { prepare: true },
    )
    const { code, stderr } = await leasehold.run(['release', name, '--owner', 'plain'])
    expect([code, stderr]).toEqual([exitCode.refused, expect.stringContaining('Nothing was released')])
    expect(await leases.read(name)).toMatchObject({ owner: 'plain' })
  })
})

describe('a lease that an operator broke', () => {
  it('is shown as such by each command, with the operator, the holder before, and the time when it is safe', async () => {
    const name = names()
    await leases.tryAcquire(name, { owner: 'one', ttlSeconds: 600 })
    const value = JSON.stringify({ quarantine: { was: 'one', by: 'ann', at: '2026-01-01T00:00:00.000Z' } })
    const broken = await new Operator(leases).break({ name, owner: 'one' }, { id: 'r1', value })
    const { safeAtMs } = broken as { safeAtMs: number }
    // Each read that crosses the edge of a second says a second later.
    const safeAt = `(?:${[-1_000, 0, 1_000].map((ms) => new Date(safeAtMs + ms).toISOString()).join('|')})`
    const shown = await leasehold.run(['get', name])
    expect(shown.code).toBe(exitCode.done)
    expect(shown.stdout).toMatch(/^broken +by ann, .*\nbefore +held by one\nsafe at +/m)
    expect(shown.stdout).toMatch(new RegExp(`${safeAt}, in \\d+ min`))
    const listed = await leasehold.run(['ls', name])
    expect(listed.stdout).toMatch(/\(broken by ann\) +\d+ min \d+ s +held by one before\n/)
    const tries = [
      ['run', '--wait', '0', name, '--', 'true'],
      ['elect', '--wait', '0', name, '--', 'true'],
      ['elect', '--wait', '0', name],
      ['release', name, '--owner', 'one'],
    ]
    for (const args of tries) {
      const { code, stdout, stderr } = await leasehold.run(args)
      expect([args, code]).toEqual([args, exitCode.held])
      expect(stderr).toContain(`ann broke the lease ${JSON.stringify(name)}, which one held. No process can`)
      expect(stderr).toMatch(new RegExp(`until it is safe, at ${safeAt}, in \\d+ min`))
      expect(stdout + stderr).not.toContain('!quarantine')
    }
    const watch = leasehold.start(['ls', name, '--watch'])
    await until('the broken lease is printed', () => watch.stdout().includes('appeared'))
    process.kill(watch.pid, 'SIGINT')
    expect((await watch.finished).stdout).toMatch(/ {2}\(broken by ann\) {2}held by one before\n$/)
  })
})

it('a zombie: ls and get say that its row stands without an owner', async () => {
  const name = names()
  // What is left of a lease whose value was written with a TTL of its own.
  const cql = `UPDATE ${session.keyspace}.leases USING TTL 600 SET value = 'left' WHERE name = ?`
  await session.client.execute(cql, [name], { prepare: true })
  expect((await leasehold.run(['ls', name])).stdout).toMatch(/ \(none\) +zombie +left\n$/)
  const { code, stderr } = await leasehold.run(['get', name])
  expect(code).toBe(exitCode.notHeld)
  expect(stderr).toMatch(/IF NOT EXISTS cannot, until its value expires, at .*Z, in \d+ min \d+ s\.$/m)
})

describe('history', () => {
  it('shows what a holder recorded, as text and as JSON', async () => {
    const name = names()
    const recording = new CassandraSession({
      client: session.client,
      reader: session.reader,
      keyspace: session.keyspace,
      serial: session.serial,
      serialAdvice: null,
      facts: session.facts,
      paxosVariant: session.paxosVariant,
      recordEvents: true,
      close: async () => {},
    })
    const held = new Leases(recording)
    const lease = await held.acquire(name, { ttlSeconds: 20 })
    const { owner, token } = lease
    await lease.release()
    await held.close()
    const shown = await leasehold.run(['history', name])
    expect(shown.code).toBe(0)
    expect(shown.stdout).toMatch(/released {9}.*library\)\n.*acquired {9}/)
    const [released, acquired] = jsonLines((await leasehold.run(['history', name, '--json'])).stdout)
    expect(released).toMatchObject({ type: 'transition', kind: 'released', owner, source: 'library' })
    expect(acquired).toMatchObject({ kind: 'acquired', owner, token: token.toString(), ttlSeconds: 20 })
    const none = await leasehold.run(['history', names()])
    expect([none.code, none.stdout]).toEqual([exitCode.notHeld, ''])
    expect(none.stderr).toContain('Whether it is held now: `leasehold get ')
  })
})

describe('ls', () => {
  it('lists the leases of a prefix, sorted, up to the limit', async () => {
    const prefix = names()
    for (const name of ['b', 'a', 'c'])
      await leases.tryAcquire(`${prefix}/${name}`, { owner: `o${name}`, ttlSeconds: 600 })
    const all = await leasehold.run(['ls', `${prefix}/`, '--json'])
    expect(jsonLines(all.stdout).map(({ name, owner }) => [name, owner])).toEqual(
      ['a', 'b', 'c'].map((name) => [`${prefix}/${name}`, `o${name}`]),
    )
    expect(all.stderr).toBe('')
    const some = await leasehold.run(['ls', `${prefix}/`, '--limit', '2'])
    expect(some.stdout.trim().split('\n')).toHaveLength(3)
    expect(some.stderr).toContain('more than 2')
  })

  it('prints changes, until a signal interrupts it', async () => {
    const prefix = names()
    await leases.tryAcquire(`${prefix}/a`, { owner: 'one', ttlSeconds: 600 })
    const watch = leasehold.start(['ls', prefix, '--watch', '--json'])
    await until('the present lease is printed', () => watch.stdout().includes('appeared'))
    await leases.release({ name: `${prefix}/a`, owner: 'one' })
    await until('its release is printed', () => watch.stdout().includes('gone'))
    process.kill(watch.pid, 'SIGINT')
    const { code, stdout } = await watch.finished
    expect(code).toBe(0)
    expect(jsonLines(stdout).map(({ change, owner }) => [change, owner])).toEqual([
      ['appeared', 'one'],
      ['gone', 'one'],
    ])
  })
})

describe('next', () => {
  /** Blocks of two numbers, which three processes get of a new sequence at a time. */
  async function threeBlocks() {
    const name = names()
    const outs = await Promise.all([1, 2, 3].map(() => leasehold.run(['next', name, '--count', '2'])))
    const blocks = outs.map(({ stdout }) => stdout.trim().split('\n').map(Number))
    for (const [first = Number.NaN, ...rest] of blocks) expect(rest).toEqual([first + 1])
    const numbers = blocks.flat().sort((a, b) => a - b)
    expect(new Set(numbers).size).toBe(6)
    expect([numbers[0] as number, numbers[5] as number].map((number) => number % 2)).toEqual([1, 0])
    return { name, numbers }
  }

  /** A block whose answer a busy node does not give in time stays a gap: another sequence shows that there is none otherwise. */
  async function withoutGap(): Promise<string> {
    for (let tries = 1; ; tries++) {
      const { name, numbers } = await threeBlocks()
      if (tries === 5) expect(numbers).toEqual([1, 2, 3, 4, 5, 6])
      if (String(numbers) === '1,2,3,4,5,6') return name
    }
  }

  it('prints numbers that no other process gets, and leaves no gap but for a lost answer', async () => {
    for (let tries = 1; ; tries++) {
      const name = await withoutGap()
      const [more] = jsonLines((await leasehold.run(['next', name, '--count', '5', '--json'])).stdout)
      const first = Number(more?.first)
      expect(more).toEqual({ name, count: 5, first: String(first), last: String(first + 4) })
      expect(first).toBeGreaterThan(6)
      if (tries === 3) expect(first).toBe(7)
      if (first === 7) return
    }
  })
})

describe('elect', () => {
  it('runs a command as the leader, with its term, and resigns', async () => {
    const group = names()
    const script = 'echo $LEASEHOLD_NAME $LEASEHOLD_TERM $LEASEHOLD_TOKEN; exit 4'
    const runs = [1, 2].map(() => leasehold.run(['elect', group, '--value', 'v', '--', 'sh', '-c', script]))
    const both = (await Promise.all(runs)).map(({ code, stdout }) => [code, ...stdout.trim().split(' ')])
    both.sort((a, b) => Number(a[2]) - Number(b[2]))
    expect(both.map(([code, name, term]) => [code, name, term])).toEqual([
      [4, group, '1'],
      [4, group, '2'],
    ])
    expect(Number(both[1]?.[3])).toBeGreaterThan(Number(both[0]?.[3]))
    expect(await leases.read(group)).toBeNull()
  })

  it('without a command it waits for as long as it may', async () => {
    const group = names()
    await leases.tryAcquire(group, { owner: 'one', ttlSeconds: 600 })
    const { code, stderr } = await leasehold.run(['elect', group, '--wait', '500ms', '--json'])
    expect(code).toBe(exitCode.held)
    expect(stderr).toContain('is held by one')
  })

  it('prints the events, campaigns again after a loss, and resigns when a signal interrupts it', async () => {
    const group = names()
    const observer = leasehold.start(['elect', group, '--observe', '--json'])
    await until('the vacancy is printed', () => observer.stdout().includes('vacant'))
    const leader = leasehold.start(['elect', group, '--ttl', shortTtl, '--json'])
    const elected = () => jsonLines(leader.stdout()).filter(({ event }) => event === 'elected')
    await until('it is elected', () => elected().length === 1)
    await until('the observer sees it', () => observer.stdout().includes('leader'))
    await new Operator(leases).kill({ name: group, owner: elected()[0]?.owner as string })
    await until('it is elected again', () => elected().length === 2)
    const observed = () => jsonLines(observer.stdout()).map(({ event, term }) => [event, term])
    await until('the observer sees it', () => String(observed().at(-1)) === 'leader,2')
    process.kill(leader.pid, 'SIGTERM')
    const { code, stdout } = await leader.finished
    expect(code).toBe(0)
    const events = jsonLines(stdout).map(({ event, term }) => [event, term])
    expect(events).toContainEqual(['lost', undefined])
    expect(events.filter(([event]) => event === 'elected')).toEqual([
      ['elected', '1'],
      ['elected', '2'],
    ])
    expect(events.filter(([event]) => event === 'resigned')).toHaveLength(1)
    expect(await leases.read(group)).toBeNull()
    await until('the last vacancy is printed', () => observed().at(-1)?.[0] === 'vacant')
    process.kill(observer.pid, 'SIGINT')
    expect((await observer.finished).code).toBe(0)
    expect(observed().filter(([event]) => event === 'leader')).toEqual([
      ['leader', '1'],
      ['leader', '2'],
    ])
  })
})
