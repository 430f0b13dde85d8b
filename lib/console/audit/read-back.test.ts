/** An append that was applied, and whose rows Cassandra then refuses to read back. */
import { StoreRefusedError } from 'leasehold/lease'
import { expect, it } from 'vitest'
import { event, memorySource, verified } from './chain/test-audit.ts'
import type { MemoryAuditStore } from './chain/test-memory-audit-store.ts'
import { bodies, setUp } from './chain/test-stored-log.ts'

function refuseOneReadBack(store: MemoryAuditStore): void {
  const appended = store.appended.bind(store)
  store.appended = async () => {
    store.appended = appended
    throw new StoreRefusedError('The role has no SELECT permission on audit_log.')
  }
}
const places = (store: MemoryAuditStore) => bodies(store).map(({ id, seq }) => `${seq} ${id}`)

it('an entry that is written until it is there is in the chain once', async () => {
  const { store, audit, key, clock } = setUp()
  await clock.run(audit.append(event('0')))
  refuseOneReadBack(store)
  const written = audit.appendUntilWritten(event('1', { phase: 'outcome', outcome: 'released' }))
  expect(await clock.run(written)).toMatchObject({ seq: 2 })
  await clock.run(audit.append(event('2')))
  expect(places(store)).toEqual(['1 0', '2 1', '3 2'])
  expect(await verified(memorySource(store), key)).toEqual([])
})

it('an entry that a caller waits for is refused, and is not appended again', async () => {
  const { store, audit, clock } = setUp()
  await clock.run(audit.append(event('0')))
  refuseOneReadBack(store)
  await expect(clock.run(audit.append(event('1')))).rejects.toMatchObject({ code: 'store-refused' })
  await clock.run(audit.append(event('2')))
  expect(places(store)).toEqual(['1 0', '2 1', '3 2'])
})
