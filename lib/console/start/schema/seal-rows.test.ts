import type { CassandraSession } from 'leasehold/cassandra'
import { expect, it } from 'vitest'
import { readUser } from '../../people/user-row.ts'
import { readToken } from '../../programs/tokens/token-row.ts'
import { RowSeal } from '../../store/row-seal.ts'
import { RowVersions } from '../../store/row-versions.ts'
import { SealedRows } from '../../store/sealed-rows.ts'
import { sealRows, sealStored } from './seal-rows.ts'

type Row = Record<string, unknown>

const at = new Date('2026-11-21T00:00:00.000Z')
const unsealed = { version: null, seal: null }
const user = (username: string): Row => ({
  ...{ username, password_hash: 'p', role: 'admin', disabled: false, created_at: at, session_epoch: 'e' },
  ...{ subject: null, change_id: 'c', created_by: null, changed_at: null, changed_by: null, ...unsealed },
})
const token = (id: string): Row => ({
  ...{ id, name: id, secret_hash: 's', role: 'client', prefixes: ['x'], tables: ['leases'] },
  ...{ created_by: 'ann', created_at: at, ...unsealed },
})

/** Both tables. `beforeWrite` runs once, when the first write has been sent and stands still. */
function stored() {
  const tables: Record<string, Row[]> = { users: [user('ann'), user('bob')], api_tokens: [token('t')] }
  /** Rows that have a timestamp in the future: they stay as they are, and the answer is that they were written. */
  const dated = new Set<unknown>()
  const held: { beforeWrite: (() => Promise<unknown>) | undefined } = { beforeWrite: undefined }
  const execute = async ({ cql }: { cql: string }, params: unknown[]) => {
    const table = tables[/(?:FROM|UPDATE) "k"\.(\w+)/.exec(cql)?.[1] as string] as Row[]
    if (cql.startsWith('SELECT')) {
      const found = cql.includes('WHERE')
        ? table.filter((row) => (row.username ?? row.id) === params[0])
        : table
      return { rows: found.map((row) => ({ ...row })) }
    }
    const { beforeWrite } = held
    held.beforeWrite = undefined
    await beforeWrite?.()
    const [version, seal, key, ...expected] = params
    const row = table.find(({ username, id }) => (username ?? id) === key) as Row
    const columns = [...cql.slice(cql.indexOf(' IF ')).matchAll(/(\w+) = \?/g)].map(
      ([, name]) => name as string,
    )
    const applied = columns.every((name, i) => row[name] === expected[i])
    if (applied && !dated.has(key)) Object.assign(row, { version, seal })
    return { rows: [{ '[applied]': applied }] }
  }
  const session = { keyspace: 'k', serial: 'SERIAL', execute } as unknown as CassandraSession
  const rowsOf = (seal: RowSeal) => {
    const versions = new RowVersions(() => 0)
    return new SealedRows({ seal, versions, nowMs: () => 0, report: () => {} })
  }
  const sealedWith = (seal: RowSeal) => {
    const rows = rowsOf(seal)
    const read = [...(tables.users ?? []).map(readUser), ...(tables.api_tokens ?? []).map(readToken)]
    return read.filter((row) => rows.isSealed<unknown>(row)).map(({ key }) => key)
  }
  return { session, held, dated, rowsOf, sealedWith }
}

const [ours, theirs] = [new RowSeal(Buffer.alloc(32, 1)), new RowSeal(Buffer.alloc(32, 2))] as const

const all = ['ann', 'bob', 't']
const startAgain = { name: 'MigrationError', message: expect.stringContaining('start again') }

it('seals users and tokens that have no seal, and leaves those that have one', async () => {
  const { session, sealedWith } = stored()
  await sealStored(session, ours)
  expect(sealedWith(ours)).toEqual(all)
  await sealStored(session, ours)
  expect(sealedWith(ours)).toEqual(all)
})

it('a start that stood still does not seal again what another instance has sealed with its key', async () => {
  const { session, held, sealedWith } = stored()
  held.beforeWrite = () => sealStored(session, theirs)
  await expect(sealStored(session, ours)).rejects.toMatchObject(startAgain)
  expect(sealedWith(theirs)).toEqual(all)
})

it('a row that a start which gave up has sealed meanwhile is sealed by the next start', async () => {
  const { session, held, sealedWith } = stored()
  held.beforeWrite = () => sealStored(session, theirs)
  await expect(sealStored(session, ours)).rejects.toMatchObject(startAgain)
  await sealStored(session, ours)
  expect(sealedWith(ours)).toEqual(all)
})

it('a row with a timestamp in the future is not sealed, is not said to be, and keeps no start from going on', async () => {
  const { session, dated, rowsOf, sealedWith } = stored()
  dated.add('bob').add('t')
  const { sealed, refused, hidden } = await sealRows({ session, rows: rowsOf(ours) })
  expect([sealed.map(({ key }) => key), refused]).toEqual([['ann'], 0])
  expect(hidden).toEqual([
    { table: 'users', key: 'bob' },
    { table: 'api_tokens', key: 't' },
  ])
  await sealStored(session, ours)
  expect(sealedWith(ours)).toEqual(['ann'])
})
