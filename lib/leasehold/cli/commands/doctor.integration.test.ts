/** `leasehold doctor`, as a process of its own, on a real Cassandra. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CassandraSession, createTables } from '../../cassandra/index.ts'
import { grantTwice } from '../../test/lying-table.ts'
import {
  testContactPoint,
  testCredentialsEnvironment,
  testRelease,
  testSession,
  testVariant,
} from '../../test/node-session.ts'
import { exitCode } from '../process/exit-codes.ts'
import { BuiltCommand } from '../test-command.ts'

const keyspace = `cli_doctor_${Date.now().toString(36)}`
let session: CassandraSession
let leasehold: BuiltCommand

beforeAll(async () => {
  session = await testSession(keyspace)
  await createTables(session, { only: ['leases'] })
  await session.client.execute(`CREATE TABLE ${keyspace}.lying (name text PRIMARY KEY, owner text)`)
  await grantTwice(session.client, `${keyspace}.lying`)
  leasehold = new BuiltCommand({
    CASSANDRA_CONTACT_POINTS: testContactPoint(),
    ...testCredentialsEnvironment(),
    CASSANDRA_KEYSPACE: keyspace,
  })
})
afterAll(async () => {
  leasehold?.remove()
  await session?.close()
})

/** A busy node may leave a question unanswered: it is asked again. */
async function known(...args: string[]) {
  let ran = await leasehold.run(args)
  for (let tries = 1; tries < 4 && /^unknown/m.test(ran.stdout); tries++) ran = await leasehold.run(args)
  return ran
}

it('says that all is well, but for the one copy of the embedded node', async () => {
  const text = await known('doctor')
  const findings = text.stdout.split('\n').filter((line) => /^\w/.test(line))
  // Warnings come first.
  expect(findings.shift()).toMatch(
    /^warn {4}replication {9}.* 1 copy of each row .* a lost disk loses every lease/,
  )
  // Leases are safe under v1.
  if (testVariant === 'v1')
    expect(findings.shift()).toMatch(/^warn {4}paxos-variant {7}paxos_variant is v1\. /)
  expect(findings[0]).toMatch(/^ok {6}canary {14}A fresh lease was granted once/)
  expect(findings.filter((line) => !line.startsWith('ok '))).toEqual([])
  expect(text.stdout).toContain(`\nok      versions            Cassandra ${testRelease}.`)
  expect([text.code, text.stderr]).toEqual([exitCode.done, ''])
  const json = await known('doctor', '--json', '--no-canary')
  const report = JSON.parse(json.stdout)
  expect([json.code, report.verdict]).toEqual([exitCode.done, 'warn'])
  expect(report.findings.map(({ check }: { check: string }) => check)).not.toContain('canary')
})

it('says of a table that grants leases twice what it found and what to do, and exits with 2', async () => {
  let ran = await leasehold.run(['doctor', '--table', 'lying'])
  // Of this table, other questions may stay open: only the canary is asked again.
  for (let tries = 1; tries < 4 && /^unknown +canary/m.test(ran.stdout); tries++)
    ran = await leasehold.run(['doctor', '--table', 'lying'])
  const { code, stdout } = ran
  expect(code).toBe(exitCode.checkFailed)
  const [first, second] = stdout.split('\n')
  expect(first).toBe('fail    canary              The same lease was granted to two owners.')
  expect(second).toMatch(/^ {28}Stop the programs that rely on leases of this table/)
  expect(stdout).toMatch(/^fail {4}columns .* was dropped with a time that is \d+ s ahead/m)
  expect(stdout).toMatch(/^warn {4}gc-grace /m)
})
