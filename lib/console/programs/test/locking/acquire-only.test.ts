/** A program may ask for a lease under an owner of its own choice, and mean: only if it is free. */
import { beforeEach, expect, it } from 'vitest'
import { type LockRequest, lockRequestSchema } from '../../../../contract/programs/lock.ts'
import { locking } from './test-locking.ts'

let all: ReturnType<typeof locking>
const put = (request: LockRequest) => all.clock.run(all.put(request))
beforeEach(() => {
  all = locking()
})

it('a lease that the same owner holds is held, and stays as it is', async () => {
  const owner = 'user1'
  expect(await put({ owner, value: 'A', acquireOnly: true })).toMatchObject({ kind: 'acquired' })
  const before = await all.leases.read('job')
  const again = await put({ owner, value: 'B', ttlSeconds: 2, acquireOnly: true })
  expect(again).toMatchObject({ kind: 'held', view: { owner } })
  const after = await all.leases.read('job')
  expect([after?.version, after?.expiresAtMs, after?.value]).toEqual([
    before?.version,
    before?.expiresAtMs,
    'A',
  ])
  expect(await put({ owner, ttlSeconds: 30 })).toMatchObject({ kind: 'renewed' })
})

it('it asks for one conditional write, and for no read before it', async () => {
  const { sent } = all.store
  await put({ owner: 'user1', acquireOnly: true })
  // The write, and the read of the token.
  expect(all.store.sent - sent).toBe(2)
})

it('a request cannot ask for both', () => {
  const both = lockRequestSchema.safeParse({ owner: 'a', renewOnly: true, acquireOnly: true })
  expect(both.error?.issues[0]?.message).toContain('exclude each other')
})
