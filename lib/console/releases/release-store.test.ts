import { randomBytes } from 'node:crypto'
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import { expect, it } from 'vitest'
import type { Lease } from '../../contract/leases/lease.ts'
import { RowSeal } from '../store/row-seal.ts'
import { RowVersions } from '../store/row-versions.ts'
import { type RefusedRow, SealedRows } from '../store/sealed-rows.ts'
import { planOf } from './plans.ts'
import { sealedColumns } from './release-statements.ts'
import { ReleaseStore } from './release-store.ts'

const at = '2026-01-02T03:04:05.000Z'
const lease: Lease = {
  table: 'leases',
  name: 'job',
  owner: 'holder',
  value: null,
  state: 'held',
  version: '7',
  writtenAt: at,
  expiresAt: at,
  remainingMs: 1,
  valueRemainingMs: null,
  ttlSeconds: 30,
  read: { level: 'SERIAL', at },
}
const plan = planOf('ann', lease, Date.now())

/** A store over one row, which the test may change. */
function storeOfOne() {
  let row: Record<string, unknown> | undefined
  const session = {
    keyspace: 'k',
    serial: 'SERIAL',
    execute: async ({ cql }: Statement, values: unknown[]) => {
      if (cql.startsWith('INSERT')) {
        const [id, state, text, attempt, version, seal] = values
        const empty = Object.fromEntries(sealedColumns.map((column) => [column, null]))
        row = { ...empty, id, state, plan: text, attempt, version, seal }
        return { rows: [{ '[applied]': true }], coordinator: '' }
      }
      return { rows: row === undefined ? [] : [row], coordinator: '' }
    },
  }
  const refused: RefusedRow[] = []
  const nowMs = () => Date.now()
  const versions = new RowVersions(nowMs)
  const seal = new RowSeal(randomBytes(32))
  const rows = new SealedRows({ seal, versions, nowMs, report: (each) => refused.push(each) })
  const store = new ReleaseStore({ session: session as unknown as CassandraSession, rows })
  const change = (changed: Record<string, unknown>) => {
    row = { ...row, ...changed }
  }
  return { store, refused, versions, change }
}

it('reads the plan that it wrote', async () => {
  const { store, refused } = storeOfOne()
  await store.insert(plan)
  expect(await store.read(plan.id)).toMatchObject({ state: 'planned', plan, version: 1 })
  expect(refused).toEqual([])
})

it.each([
  ['another holder', { plan: JSON.stringify({ ...plan, lease: { ...lease, owner: 'other' } }) }, 'seal'],
  ['text that is no plan', { plan: '{' }, 'seal'],
  ['no seal', { seal: null }, 'seal'],
])('ignores a row with %s, and reports it like every sealed row', async (_, changed, why) => {
  const { store, refused, change } = storeOfOne()
  await store.insert(plan)
  change(changed)
  expect(await store.read(plan.id)).toBeNull()
  expect(refused).toEqual([{ table: 'releases', key: plan.id, why }])
})

it('passes over a row that is older than the audit log says', async () => {
  const { store, refused, versions } = storeOfOne()
  await store.insert(plan)
  versions.note({ table: 'releases', key: plan.id, version: 2 })
  expect(await store.read(plan.id)).toBeNull()
  expect(refused).toEqual([{ table: 'releases', key: plan.id, why: 'older' }])
})
