import type { LeaseView } from 'leasehold/lease'
import { expect, it } from 'vitest'
import { leaseSchema } from '../../contract/leases/lease.ts'
import { evidenceOf, leaseJson } from './lease-json.ts'
import type { LeaseTable } from './lease-table.ts'

const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
const table = { id: 'leases', mapping } as LeaseTable
const at = { monotonicMs: 1_000, wallMs: Date.UTC(2026, 0, 1) }
const view: LeaseView = {
  name: 'a',
  owner: 'o',
  value: 'v',
  version: BigInt(at.wallMs) * 1000n,
  expiresAtMs: at.wallMs + 30_000,
  valueExpiresAtMs: at.wallMs + 30_000,
  ttlSeconds: 30,
  read: {
    level: 'SERIAL',
    at,
    serverNowMs: at.wallMs,
    tookMs: 1.26,
    coordinator: '127.0.0.1:9042',
    statement: 'SELECT … WHERE "name" = ?',
    ownerTtlSeconds: 30,
    valueTtlSeconds: 30,
  },
}

it('counts what is left from the read to the answer', () => {
  const later = { monotonicMs: at.monotonicMs + 1_500, wallMs: at.wallMs + 1_500 }
  const json = leaseJson(table, view, later)
  expect(json).toMatchObject({ remainingMs: 28_500, valueRemainingMs: 28_500, state: 'held' })
  expect(json.read.at).toBe('2026-01-01T00:00:00.000Z')
  expect(leaseSchema.parse(json)).toEqual(json)
})

it.each([2n ** 63n - 1n, 10n ** 18n * 2n, -5n, 0n])(
  'shows a row that a client wrote with the timestamp %s',
  (version) => {
    const json = leaseJson(table, { ...view, version, ttlSeconds: null }, at)
    expect(leaseSchema.parse(json)).toEqual(json)
    expect(json.version).toBe(String(version))
  },
)

it.each(['a$&b', "o'clock", '$$', "$'", 'plain?'])('quotes the name %s in the statement as it is', (name) => {
  const { cql } = evidenceOf(table, { ...view, name }, 'SERIAL')
  expect(cql).toBe(`SELECT … WHERE "name" = '${name.split("'").join("''")}'`)
})
