/** Of a name of two people, a renewal that may leave the lease less time is in the audit log, also when the holder renews beside it. */
import { expect, it } from 'vitest'
import { locking } from './test-locking.ts'

function twoPeople() {
  const { put, ...all } = locking({ name: 'two/x', secondPersonFor: ['two/'] })
  return { ...all, put: (ttlSeconds: number) => put({ owner: 'holder', ttlSeconds }) }
}

it('a renewal that the holder’s own renewal overtakes has an entry', async () => {
  const { clock, store, leases, written, put } = twoPeople()
  await clock.run(put(60))
  await clock.advance(58_000)
  const { renew } = store
  store.renew = async (write) => {
    store.renew = renew
    // Two seconds were left when this request read the lease. The holder renews it before its write.
    await clock.run(put(60))
    return renew.call(store, write)
  }
  await clock.run(put(5))
  expect((await clock.run(leases.read('two/x')))?.ttlSeconds).toBe(5)
  expect(written.map(({ act, phase }) => [act, phase])).toEqual([
    ['renewal', 'intent'],
    ['renewal', 'outcome'],
  ])
})

it('heartbeats for the TTL that the lease has are in no entry', async () => {
  const { clock, written, put } = twoPeople()
  for (let beats = 0; beats < 30; beats++) {
    await clock.run(put(60))
    await clock.advance(7_137)
  }
  expect(written).toEqual([])
})
