/** Requests to resign to `leasehold run` and `elect`, as processes of their own on a real Cassandra. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../scripts/test/temporary-folder.mjs'
import {
  CassandraLeaseStore,
  CassandraResignRequests,
  type CassandraSession,
  tables,
} from '../cassandra/index.ts'
import { LeaseProtocol } from '../lease/index.ts'
import {
  testContactPoint,
  testCredentialsEnvironment,
  testKeptTtlSeconds,
  testSession,
} from '../test/node-session.ts'
import { defaultMaxClockSkewMs } from '../time/index.ts'
import { exitCode } from './process/exit-codes.ts'
import { BuiltCommand } from './test-command.ts'

const keyspace = 'cli_resign_test'
/** Kept alive, and much longer than a busy machine takes to find that the leader stands back for as long. */
const ttlSeconds = Math.max(30, testKeptTtlSeconds(defaultMaxClockSkewMs))
let session: CassandraSession
let leases: LeaseProtocol
let leasehold: BuiltCommand
const folder = temporaryFolder('leasehold-resign')
const names = (
  (count) => () =>
    `resign/${process.pid}/${++count}`
)(0)

beforeAll(async () => {
  session = await testSession(keyspace)
  for (const table of [tables.leases, tables.election_terms, tables.resign_requests])
    await session.client.execute(table.replaceAll('$k', keyspace))
  leases = new LeaseProtocol({ store: new CassandraLeaseStore(session) })
  leasehold = new BuiltCommand({
    CASSANDRA_CONTACT_POINTS: testContactPoint(),
    ...testCredentialsEnvironment(),
    CASSANDRA_KEYSPACE: keyspace,
  })
})
afterAll(async () => {
  leasehold?.remove()
  rmSync(folder, { recursive: true, force: true })
  await session?.close()
})

async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (const endMs = performance.now() + 90_000; performance.now() < endMs; ) {
    const seen = await look()
    if (seen) return seen
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Not within 90 s: ${what}`)
}

const ask = async (name: string) => {
  const owner = (await leases.read(name))?.owner as string
  await new CassandraResignRequests(session).ask({
    id: 'r1',
    name,
    owner,
    requestedBy: 'ana',
    reason: 'INC-2214',
    requestedAtMs: Date.now(),
  })
}
/** Winds up until the file is there: when the test has looked, however late that is. */
const windsUp = (looked: string) =>
  `trap "echo winding up; while [ ! -f ${looked} ]; do sleep 0.1; done; echo wound up; exit 0" TERM; echo up; while :; do sleep 0.1; done`

it.concurrent.each([
  ['run', ['run']],
  ['elect', ['elect']],
])('%s stops the command in order, and gives the lease up after it', async (_, [command]) => {
  const name = names()
  const looked = join(folder, command as string)
  const running = leasehold.start([
    command as string,
    name,
    '--ttl',
    String(Math.max(60, ttlSeconds)),
    // On a busy machine this test may look this long after the SIGTERM.
    '--grace',
    '25',
    '--',
    'sh',
    '-c',
    windsUp(looked),
  ])
  await until('the command is up', () => running.stdout().includes('up'))
  await ask(name)
  await until('the command winds up', () => running.stdout().includes('winding up'))
  // It is held as long as the command winds up.
  expect((await leases.read(name))?.owner).toBeTruthy()
  writeFileSync(looked, '')
  const { code, stdout, stderr } = await running.finished
  expect(code).toBe(exitCode.lost)
  expect(stdout).toContain('wound up')
  expect(stderr).toContain(
    `ana asks the holder of "${name}" to resign: INC-2214. leasehold stops the command.`,
  )
  expect(await leases.read(name)).toBeNull()
})

it('elect prints the request, resigns, and stands back for a TTL', async () => {
  const group = names()
  const leader = leasehold.start(['elect', group, '--ttl', String(ttlSeconds), '--json'])
  await until('it is elected', () => leader.stdout().includes('elected'))
  await ask(group)
  await until('it has resigned', () => leader.stdout().includes('resigned'))
  expect(await leases.read(group)).toBeNull()
  expect((await leases.tryAcquire(group, { ttlSeconds })).kind).toBe('acquired')
  process.kill(leader.pid, 'SIGTERM')
  const { code, stdout } = await leader.finished
  expect(code).toBe(0)
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter(({ event }) => event === 'asked')
  expect(events).toMatchObject([{ by: 'ana', why: 'INC-2214' }])
})
