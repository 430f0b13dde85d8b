import type { CassandraSession, Statement } from 'leasehold/cassandra'
import { StatementUnknownError } from 'leasehold/lease'
import { beforeEach, expect, it } from 'vitest'
import { checkKey, keepKeyCheck, replaceKeyCheck } from './key-check.ts'

const [ours, theirs] = ['a', 'b'].map((id, i) => ({ id, bytes: Buffer.alloc(32, i) })) as [Key, Key]
type Key = { id: string; bytes: Buffer }

/** The table of keys: one row, as Cassandra keeps it. `lost`: what becomes of the next write, whose answer is lost. */
class Table {
  row: Record<string, unknown> | undefined
  lost: 'written' | 'not-written' | undefined
  readonly sent: Statement[] = []
  readonly session = {
    keyspace: 'k',
    serial: 'SERIAL',
    execute: (statement: Statement, params: unknown[]) => this.#execute(statement, params),
  } as unknown as CassandraSession

  async #execute(statement: Statement, params: unknown[]) {
    this.sent.push(statement)
    const { cql } = statement
    if (cql.startsWith('SELECT')) return { rows: this.row === undefined ? [] : [this.row] }
    const { lost } = this
    this.lost = undefined
    const isInsert = cql.startsWith('INSERT')
    const refused =
      (cql.includes('IF NOT EXISTS') && this.row !== undefined) ||
      (cql.includes('IF seal = ?') && (this.row?.seal ?? null) !== params[6])
    if (!refused && lost !== 'not-written') {
      const [key_id, since_bucket, since_seq, since_hash, made_at, seal] = params
      this.row = { id: 'current', key_id, since_bucket, since_seq, since_hash, made_at, seal }
    }
    if (lost !== undefined) throw new StatementUnknownError('The answer was lost.', 'never')
    return { rows: isInsert && !cql.includes('IF') ? [] : [{ '[applied]': !refused }] }
  }
}

let table: Table
beforeEach(() => {
  table = new Table()
})

const otherKey = { name: 'ConfigError', message: expect.stringContaining('(a) is not the one') }

it('the first key of a keyspace stays: a start with another one, which stood still before, is refused', async () => {
  await keepKeyCheck(table.session, theirs, null)
  await expect(keepKeyCheck(table.session, ours, null)).rejects.toMatchObject(otherKey)
  expect(await checkKey(table.session, theirs)).toBeNull()
})

it('the same key may be written again, by a start that picks up one that was cut off', async () => {
  const since = { bucket: '2026-11-21', seq: 3, hash: 'h' }
  await keepKeyCheck(table.session, ours, since)
  await keepKeyCheck(table.session, ours, null)
  expect(await checkKey(table.session, ours)).toEqual(since)
})

it('after a lost answer, the row tells: ours is there', async () => {
  table.lost = 'written'
  await keepKeyCheck(table.session, ours, null)
  expect(await checkKey(table.session, ours)).toBeNull()
})

it('after a lost answer, the row tells: another key is there', async () => {
  await keepKeyCheck(table.session, theirs, null)
  table.lost = 'not-written'
  await expect(keepKeyCheck(table.session, ours, null)).rejects.toMatchObject(otherKey)
})

it('after a lost answer, a table without a row is no proof: the write may still come', async () => {
  table.lost = 'not-written'
  await expect(keepKeyCheck(table.session, ours, null)).rejects.toMatchObject({ code: 'statement-unknown' })
})

it('a new key takes the place of the one that was lost, or of a row that was deleted', async () => {
  await keepKeyCheck(table.session, theirs, null)
  await replaceKeyCheck(table.session, ours, null)
  expect(await checkKey(table.session, ours)).toBeNull()
  table.row = undefined
  await replaceKeyCheck(table.session, theirs, null)
  expect(await checkKey(table.session, theirs)).toBeNull()
})

it('of a new key, too, a lost answer is read back, and the old row is no proof', async () => {
  await keepKeyCheck(table.session, theirs, null)
  table.lost = 'not-written'
  await expect(replaceKeyCheck(table.session, ours, null)).rejects.toMatchObject({
    code: 'statement-unknown',
  })
  table.lost = 'written'
  await replaceKeyCheck(table.session, ours, null)
  expect(await checkKey(table.session, ours)).toBeNull()
})

it('is written with conditions alone', async () => {
  await keepKeyCheck(table.session, theirs, null)
  await replaceKeyCheck(table.session, ours, null)
  const writes = table.sent.filter(({ cql }) => !cql.startsWith('SELECT'))
  expect(writes).toHaveLength(2)
  for (const { cql, serialConsistency } of writes)
    expect([/ IF /.test(cql), serialConsistency]).toEqual([true, expect.any(Number)])
})
