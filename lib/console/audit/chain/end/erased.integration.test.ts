/** The audit log erased, ahead of its time, by the role that the console writes with. */
import type { CassandraSession } from 'leasehold/cassandra'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testConnect, testContactPoint } from '../../../../leasehold/test/node-session.ts'
import { settledRelease, type TestConsole, testConsole } from '../../../test/test-console.ts'
import { emptiedKeyspace } from '../../../test/test-keyspace.ts'
import { shellOf } from './test-shell.ts'

let keyspace: string
let console_: TestConsole
let writer: CassandraSession
const consoles: TestConsole[] = []

beforeEach(async () => {
  keyspace = await emptiedKeyspace()
  console_ = await testConsole(keyspace)
  consoles.push(console_)
  const { username, password } = console_.context.config.cassandra
  writer = await testConnect({
    contactPoints: [testContactPoint()],
    localDataCenter: 'datacenter1',
    keyspace,
    username,
    password,
  })
  return () => writer.close()
})
// One that goes on looks at the emptied tables of the next test, and may report what is missing in its log.
afterEach(async () => {
  for (const { context } of consoles.splice(0)) {
    context.close()
    await context.session.close()
  }
})

const hourAhead = () => (Date.now() + 3_600_000) * 1000
const table = () => `"${keyspace}".audit_log`
const cql = (statement: string, values: unknown[] = []) =>
  writer.client.execute(statement, values, { prepare: true, readTimeout: 60_000 })
const bucket = async () => (await console_.api('GET', '/v1/audit?limit=1')).body.entries[0].bucket as string

async function kill(name: string) {
  const plan = await console_.api('POST', `/v1/leases/${name}/release-plan`, {})
  if (plan.status !== 200) return plan
  const body = { plan: plan.body.plan, mode: 'kill', reason: 'test', confirmName: name }
  return settledRelease(console_, console_.api('POST', `/v1/leases/${name}/release`, body))
}
const refuse = () => console_.api('POST', '/v1/session', { username: 'admin', password: 'a wrong one' })
const refusedPage = async () => (await console_.api('GET', '/v1/audit?chain=refused')).body
const refusals = async () => (await refusedPage()).entries.map(({ act }: { act: string }) => act)
const held = async (name: string) => (await console_.api('GET', `/v1/locks/${name}`)).body.owner
const hold = (name: string) => console_.api('PUT', `/v1/locks/${name}`, { owner: 'holder', ttlSeconds: 600 })

const attacks: [string, () => Promise<unknown>][] = [
  [
    'the bucket is deleted as of an hour from now',
    async () =>
      cql(`DELETE FROM ${table()} USING TIMESTAMP ${hourAhead()} WHERE bucket = ?`, [
        `main:${await bucket()}`,
      ]),
  ],
  [
    'places to come are deleted as of an hour from now',
    async () =>
      cql(`DELETE FROM ${table()} USING TIMESTAMP ${hourAhead()} WHERE bucket = ? AND seq >= 2`, [
        `main:${await bucket()}`,
      ]),
  ],
  [
    'the head is held where it is',
    async () => {
      const partition = `main:${await bucket()}`
      const { rows } = await cql(`SELECT head_seq, head_hash FROM ${table()} WHERE bucket = ? LIMIT 1`, [
        partition,
      ])
      await cql(
        `UPDATE ${table()} USING TIMESTAMP ${hourAhead()} SET head_seq = ?, head_hash = ? WHERE bucket = ?`,
        [rows[0]?.head_seq, rows[0]?.head_hash, partition],
      )
    },
  ],
  [
    'the next place is taken by an invented entry, as of an hour from now',
    async () => {
      const partition = `main:${await bucket()}`
      const { rows } = await cql(
        `SELECT head_seq, head_hash, body, id FROM ${table()} WHERE bucket = ? LIMIT 1`,
        [partition],
      )
      await cql(
        `INSERT INTO ${table()} (bucket, seq, id, body, prev, hash) VALUES (?, ?, ?, ?, ?, ?) USING TIMESTAMP ${hourAhead()}`,
        [
          ...[partition, rows[0]?.head_seq + 1, rows[0]?.id, rows[0]?.body],
          ...[rows[0]?.head_hash, 'ab'.repeat(32)],
        ],
      )
    },
  ],
  [
    'the bucket is deleted as of now',
    async () => cql(`DELETE FROM ${table()} WHERE bucket = ?`, [`main:${await bucket()}`]),
  ],
  [
    'the next bucket is named, as of an hour from now',
    async () =>
      cql(`UPDATE ${table()} USING TIMESTAMP ${hourAhead()} SET head_next = '2099-01-01' WHERE bucket = ?`, [
        `main:${await bucket()}`,
      ]),
  ],
  [
    'the head was given a TTL',
    async () => {
      const partition = `main:${await bucket()}`
      const { rows } = await cql(`SELECT head_seq, head_hash FROM ${table()} WHERE bucket = ? LIMIT 1`, [
        partition,
      ])
      await cql(`UPDATE ${table()} USING TTL 1 SET head_seq = ?, head_hash = ? WHERE bucket = ?`, [
        rows[0]?.head_seq,
        rows[0]?.head_hash,
        partition,
      ])
      await new Promise((done) => setTimeout(done, 2_100))
    },
  ],
  ['the table is emptied', () => cql(`TRUNCATE ${table()}`)],
]

const shell = (line: string[], env: Record<string, string> = {}, script: 'audit' | 'user' = 'audit') =>
  shellOf(console_, line, env, script)

it('an operator restarts the log, and running consoles continue with it', async () => {
  await hold('leader')
  expect((await kill('leader')).status).toBe(200)
  await hold('leader')
  const whole = await shell(['restart', '--reason', 'to see'])
  expect([whole.code, whole.err]).toEqual([0, expect.stringContaining('nothing was changed')])
  const erased = `main:${await bucket()}`
  await cql(`DELETE FROM ${table()} USING TIMESTAMP ${hourAhead()} WHERE bucket = ?`, [erased])
  await cql(`DELETE FROM ${table()} USING TIMESTAMP ${hourAhead()} WHERE bucket = ?`, [`${erased}#2`])
  expect((await kill('leader')).body.code).toBe('audit-unavailable')
  const begun = await shell(['restart', '--reason', 'the writer’s password had leaked'])
  const part = begun.err.match(/goes on in \d{4}-\d\d-\d\d(#\d+)\./)?.[1]
  expect([begun.code, part]).toEqual([0, expect.any(String)])
  const killed = await kill('leader')
  expect([killed.status, killed.body.outcome]).toEqual([200, 'released'])
  const { body } = await console_.api('GET', '/v1/audit')
  expect(body.alarms).toBeUndefined()
  expect(body.entries.at(-1)).toMatchObject({ act: 'restart', reason: 'the writer’s password had leaked' })
  // What is gone is named, also later; what came after it is whole.
  const verified = await shell(['verify'])
  expect(verified.code).toBe(1)
  expect(verified.out).toContain('the whole bucket is gone')
  expect(verified.out).not.toMatch(new RegExp(`^main \\S+${part} `, 'm'))
})

it('an operator restarts the chain of refusals alone, and what waited is written', async () => {
  await refuse()
  await expect.poll(refusals).toEqual(['sign-in'])
  const [entry] = (await refusedPage()).entries
  await cql(`DELETE FROM ${table()} WHERE bucket = ?`, [`refused:${entry.bucket}`])
  await refuse()
  const alarms = async () => (await refusedPage()).alarms?.map(({ chain }: { chain: string }) => chain)
  await expect.poll(alarms).toEqual(['refused'])
  const begun = await shell(['restart', '--reason', 'a day of refusals was deleted'])
  expect([begun.code, begun.err]).toEqual([
    0,
    expect.stringMatching(/^The chain refused goes on in \S+\. Running/m),
  ])
  await expect.poll(refusals, { timeout: 60_000 }).toEqual(['sign-in', 'restart'])
  expect(await alarms()).toBeUndefined()
  const again = await shell(['restart', '--reason', 'to see'])
  expect([again.code, again.err]).toEqual([0, expect.stringContaining('nothing was changed')])
})

it('a console with another key does not start; when the key is lost, rekey makes another one valid', async () => {
  const other = { LEASEHOLD_AUDIT_KEY: 'ab'.repeat(32) }
  await expect(testConsole(keyspace, other)).rejects.toThrow(/set LEASEHOLD_AUDIT_KEY to theirs/)
  await refuse()
  await expect.poll(refusals).toEqual(['sign-in'])
  const rekeyed = await shell(['rekey', '--reason', 'the old one is lost'], other)
  expect([rekeyed.code, rekeyed.err]).toEqual([0, expect.stringContaining('with the key')])
  await expect(testConsole(keyspace)).rejects.toThrow(/set LEASEHOLD_AUDIT_KEY to theirs/)
  expect(await shell(['seal'], other, 'user')).toMatchObject({ code: 0 })
  console_ = await testConsole(keyspace, other)
  consoles.push(console_)
  await hold('leader')
  expect((await kill('leader')).body.outcome).toBe('released')
  await refuse()
  await expect.poll(refusals).toEqual(['sign-in', 'restart', 'sign-in'])
  // The one with the old key runs still. It cannot act any more: the log's key is not its own.
  expect((await consoles.at(-2)?.api('POST', '/v1/leases/leader/release-plan', {}))?.status).not.toBe(200)
})

describe('a kill without a readable audit entry does not happen', () => {
  it.each(attacks)('when %s', async (_, attack) => {
    await hold('leader')
    await attack()
    const answer = await kill('leader')
    expect([answer.status, answer.body.code]).toEqual([503, 'audit-unavailable'])
    // Again, and still: what could not be read back is not taken for written later.
    expect((await kill('leader')).body.code).toBe('audit-unavailable')
    expect(await held('leader')).toBe('holder')
    const { body } = await console_.api('GET', '/v1/audit')
    expect(body.alarms).toEqual([expect.objectContaining({ chain: 'main' })])
  })
})
