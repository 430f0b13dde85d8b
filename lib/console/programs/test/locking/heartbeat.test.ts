/** What a heartbeat costs: one conditional write, and the read of what came of it. */
import { beforeEach, expect, it } from 'vitest'
import type { LockRequest } from '../../../../contract/programs/lock.ts'
import { locking } from './test-locking.ts'

const owner = 'worker-1'
/** The statements of the last request, in their order. */
let sent: string[]
let all: ReturnType<typeof locking>

beforeEach(() => use())

function use(options?: Parameters<typeof locking>[0]) {
  all = locking(options)
  const { store } = all
  const { acquire, renew, read } = store
  const counted = (kind: string, execute: (write: never) => unknown) => (write: never) => {
    sent.push(kind)
    return execute.call(store, write)
  }
  Object.assign(store, {
    acquire: counted('acquire', acquire),
    renew: counted('renew', renew),
    read: counted('read', read),
    readWritten: counted('readWritten', read),
  })
}
function put(request: LockRequest) {
  sent = []
  return all.clock.run(all.put(request))
}

it('that brings the value which is there is one conditional write and one read at quorum', async () => {
  await put({ owner, value: 'A' })
  await all.clock.advance(5_000)
  const renewed = await put({ owner, value: 'A', renewOnly: true })
  expect(renewed).toMatchObject({ kind: 'renewed', view: { owner, value: 'A' } })
  expect(sent).toEqual(['renew', 'readWritten'])
  expect((await all.leases.read('job'))?.expiresAtMs).toBeGreaterThanOrEqual(all.clock.now().wallMs + 29_000)
})

it('that brings another value writes it', async () => {
  await put({ owner, value: 'A' })
  expect(await put({ owner, value: 'B', renewOnly: true })).toMatchObject({ view: { value: 'B' } })
  expect(sent).toEqual(['renew', 'renew', 'readWritten'])
})

it('that brings none leaves the value which is there', async () => {
  await put({ owner })
  expect(await put({ owner, renewOnly: true })).toMatchObject({ view: { value: null } })
  expect(sent).toEqual(['renew', 'readWritten'])
  await put({ owner, value: 'A' })
  expect(await put({ owner, renewOnly: true })).toMatchObject({ view: { value: 'A' } })
  expect(sent).toEqual(['renew', 'renew', 'readWritten'])
})

it('under another owner gets the holder, and changes nothing', async () => {
  await put({ owner: 'rival', value: 'A' })
  const before = await all.leases.read('job')
  const refused = await put({ owner, value: 'A', renewOnly: true })
  expect(refused).toMatchObject({ kind: 'not-holder', view: { owner: 'rival' } })
  expect((await all.leases.read('job'))?.version).toBe(before?.version)
})

it('of a lease that is over acquires nothing', async () => {
  expect(await put({ owner, value: 'A', renewOnly: true })).toMatchObject({ kind: 'not-holder', view: null })
  await put({ owner, value: 'A', ttlSeconds: 5 })
  await all.clock.advance(6_000)
  expect(await put({ owner, value: 'A', renewOnly: true })).toMatchObject({ kind: 'not-holder', view: null })
  expect(sent).not.toContain('acquire')
})

it('of a name that needs two people reads the lease first: the audit log may have to say what it changed', async () => {
  use({ name: 'two/x', secondPersonFor: ['two/'] })
  await put({ owner, value: 'A' })
  await put({ owner, value: 'A', renewOnly: true })
  expect(sent).toEqual(['read', 'renew', 'readWritten'])
})

it('that cannot be sent is unavailable at once; one whose row cannot be read afterwards has an unknown outcome', async () => {
  await put({ owner })
  const startedMs = all.clock.now().monotonicMs
  all.store.fault = () => ({ kind: 'unavailable' })
  await expect(put({ owner, renewOnly: true })).rejects.toMatchObject({ code: 'store-unavailable' })
  expect(all.clock.now().monotonicMs - startedMs).toBeLessThan(1_000)
  all.store.fault = (kind) => (kind === 'read' ? { kind: 'unavailable' } : undefined)
  await expect(put({ owner, renewOnly: true })).rejects.toMatchObject({ code: 'outcome-unknown' })
})
