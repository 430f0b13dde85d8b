/** Who can write the table, and does not have the key: every way of changing it is named by the command. */
import type { CassandraSession } from 'leasehold/cassandra'
import { FakeClock } from 'leasehold/testing'
import { systemTimer } from 'leasehold/time'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { auditKey } from '../anchors/audit-key.ts'
import { CassandraAuditStore } from '../chain/audit-store.ts'
import { event, refusal, testKey, testLog } from '../chain/test-audit.ts'
import { auditCommand, auditKeyspace, type CommandOutput } from '../chain/test-audit-keyspace.ts'

const keyspace = 'audit_tamper_test'
const table = `"${keyspace}".audit_log`
/** Of the second day: its name ends with a random number. */
let bucket: string
let session: CassandraSession
let log: ReturnType<typeof testLog>
let command: (...args: string[]) => Promise<CommandOutput>
let saved: Record<string, unknown>[]

const cql = (statement: string, values: unknown[] = []) =>
  session.client.execute(statement, values, { prepare: true, readTimeout: 60_000 })
const columns = 'bucket, seq, id, body, prev, hash, head_seq, head_hash, head_bytes, head_next, prev_bucket'
const copy = async () =>
  (await cql(`SELECT ${columns} FROM ${table}`)).rows as unknown as Record<string, unknown>[]

async function putBack(rows: Record<string, unknown>[]): Promise<void> {
  await cql(`TRUNCATE ${table}`)
  const names = columns.split(', ')
  for (const row of rows)
    await cql(
      `INSERT INTO ${table} (${columns}) VALUES (${names.map(() => '?').join(', ')})`,
      names.map((name) => row[name]),
    )
}

beforeAll(async () => {
  session = await auditKeyspace(keyspace)
  const clock = new FakeClock(Date.UTC(2026, 10, 20, 12))
  const key = testKey()
  log = testLog({
    keyspace,
    store: new CassandraAuditStore(session),
    clock,
    timer: systemTimer,
    key: auditKey('', key.bytes.toString('hex')),
  })
  for (const id of ['1', '2', '3']) await log.audit.append(event(id))
  await clock.advance(86_400_000)
  for (const id of ['4', '5', '6', '7', '8']) bucket = `main:${(await log.audit.append(event(id))).bucket}`
  await log.audit.append(refusal('9'))
  command = auditCommand(keyspace, log.key, log.anchors)
  saved = await copy()
})
beforeEach(() => putBack(saved))
afterAll(() => session.close())

const rowAt = (seq: number) => saved.find((row) => row.bucket === bucket && row.seq === seq)!

const cases: [string, () => Promise<unknown>, RegExp[]][] = [
  [
    'an edit',
    () =>
      cql(`UPDATE ${table} SET body = ? WHERE bucket = ? AND seq = 3`, [
        String(rowAt(3).body).replace('ann', 'bob'),
        bucket,
      ]),
    [/^main 2026-11-21 entry 3: content/m],
  ],
  [
    'a deletion',
    () => cql(`DELETE FROM ${table} WHERE bucket = ? AND seq = 2`, [bucket]),
    [/^main 2026-11-21 entry 2: missing/m],
  ],
  [
    'a swap',
    async () => {
      for (const [to, from] of [
        [2, 4],
        [4, 2],
      ] as const) {
        const { id, body, prev, hash } = rowAt(from)
        await cql(`UPDATE ${table} SET id = ?, body = ?, prev = ?, hash = ? WHERE bucket = ? AND seq = ?`, [
          id,
          body,
          prev,
          hash,
          bucket,
          to,
        ])
      }
    },
    [
      /entry 2: order: it was written as main 2026-11-21 4/,
      /entry 4: order: it was written as main 2026-11-21 2/,
    ],
  ],
  [
    'a cut tail, with the head set back to the hash of what is left',
    async () => {
      await cql(`DELETE FROM ${table} WHERE bucket = ? AND seq >= 4`, [bucket])
      await cql(`UPDATE ${table} SET head_seq = 3, head_hash = ? WHERE bucket = ?`, [rowAt(3).hash, bucket])
    },
    [/^main 2026-11-21 entry 4: truncated: .*anchors reach to entry 5/m],
  ],
  [
    'a cut tail, with an invented entry in its place',
    async () => {
      await cql(`DELETE FROM ${table} WHERE bucket = ? AND seq >= 5`, [bucket])
      const body = String(rowAt(5).body).replace('ann', 'eve')
      const hash = 'ab'.repeat(32)
      await cql(`INSERT INTO ${table} (bucket, seq, id, body, prev, hash) VALUES (?, 5, ?, ?, ?, ?)`, [
        bucket,
        rowAt(5).id,
        body,
        rowAt(5).prev,
        hash,
      ])
      await cql(`UPDATE ${table} SET head_hash = ? WHERE bucket = ?`, [hash, bucket])
    },
    [/^main 2026-11-21 entry 5: content/m],
  ],
  ...(
    [
      [
        'a TTL',
        'USING TTL 86400',
        /^main 2026-11-21 entry 3: time: it was given a TTL, and vanishes in 86\d{3} s/m,
      ],
      [
        'a timestamp of the future',
        `USING TIMESTAMP ${(Date.now() + 86_400_000) * 1000}`,
        /^main 2026-11-21 entry 3: time: it has a timestamp of the future/m,
      ],
      [
        'the timestamp of the moment',
        '',
        /^main 2026-11-21 entry 4: time: it has an older timestamp, .*, than the entry before it/m,
      ],
    ] as const
  ).map(([what, using, finding]): (typeof cases)[number] => [
    `an entry that was written again as it was, with ${what},`,
    async () => {
      const { id, body, prev, hash } = rowAt(3)
      const again = `INSERT INTO ${table} (bucket, seq, id, body, prev, hash) VALUES (?, 3, ?, ?, ?, ?) ${using}`
      await cql(again, [bucket, id, body, prev, hash])
    },
    [finding],
  ]),
  [
    'a head that was given a TTL',
    () =>
      cql(`UPDATE ${table} USING TTL 600 SET head_hash = ? WHERE bucket = ?`, [rowAt(5).head_hash, bucket]),
    [/^main 2026-11-21 bucket: time: the head was given a TTL/m],
  ],
  [
    'a truncated table',
    () => cql(`TRUNCATE ${table}`),
    [
      /^main 2026-11-20 entry 1: truncated: the whole bucket is gone; the anchors reach to entry 4/m,
      /^main 2026-11-21 entry 1: truncated/m,
      /^refused 2026-11-21 entry 1: truncated/m,
    ],
  ],
  [
    'a day that was deleted',
    () => cql(`DELETE FROM ${table} WHERE bucket = 'main:2026-11-20'`),
    [/^main 2026-11-20 bucket: missing/m],
  ],
  [
    'an older copy that was put back',
    () =>
      putBack(
        saved
          .filter((row) => row.bucket !== bucket || Number(row.seq) <= 3)
          .map((row) => (row.bucket === bucket ? { ...row, head_seq: 3, head_hash: rowAt(3).hash } : row)),
      ),
    [/^main 2026-11-21 entry 4: truncated/m],
  ],
]

it.each(cases)('%s is named', async (_, tamper, findings) => {
  await tamper()
  const { code, out, err } = await command('verify')
  const said = (out + err).replaceAll(/2026-11-21#\d+/g, '2026-11-21')
  for (const finding of findings) expect(said).toMatch(finding)
  expect(code).toBe(1)
})

it('verify finds nothing in an unchanged log; export gives every entry', async () => {
  const { code, out } = await command('verify')
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^The audit log is whole: 12 entries in 5 buckets, \d+ anchors/),
  ])
  const exported = await command('export', '--from', '2026-11-21')
  const lines = exported.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ chain, seq, id, act }) => [chain, seq, act === 'seal' ? 'seal' : id])).toEqual([
    ...['4', '5', '6', '7', '8'].map((id, i) => ['main', i + 1, id]),
    ['refused', 1, '9'],
  ])
})

it('a wrong key, a changed log and a silent Cassandra have different exit codes and messages', async () => {
  const wrong = await auditCommand(keyspace, testKey(), log.anchors)('verify')
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('the wrong key') })
  const none = await auditCommand('audit_no_such_keyspace', log.key, [])('verify')
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('There is no audit log') })
})
