/** An answer to a conditional write that does not say whether it was applied, as a proxy or a plain statement gives it. */
import { expect, it } from 'vitest'
import { CassandraLeaseStore } from '../leases/lease-store.ts'
import type { Executor } from '../session/executor.ts'
import { CassandraSequenceStore } from './sequence-store.ts'
import { CassandraTermStore } from './term-store.ts'

const answering = (rows: Record<string, unknown>[]): Executor => ({
  keyspace: 'leasehold',
  serial: 'SERIAL',
  paxosVariant: 'v2',
  execute: async () => ({ rows, coordinator: '127.0.0.1' }),
})
const term = { term: 1n, leader: 'a', token: 1n, sinceMs: 0 }

it.each([
  ['no row', []],
  ['a row without [applied]', [{ next: 5n, term: 5n }]],
  ['an [applied] that is no boolean', [{ '[applied]': null }]],
])('the stores of leases, sequences and terms refuse an answer with %s', async (_, rows) => {
  const executor = answering(rows)
  const refused = { code: 'store-refused', message: 'A conditional write was answered without [applied].' }
  await expect(new CassandraSequenceStore(executor).advance('s', 1n, 2n)).rejects.toMatchObject(refused)
  await expect(new CassandraTermStore(executor).begin('g', null, term)).rejects.toMatchObject(refused)
  await expect(new CassandraLeaseStore(executor).release({ name: 'l', owner: 'a' })).rejects.toMatchObject(
    refused,
  )
})
