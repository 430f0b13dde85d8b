/** A renewal that says nothing of the value must not undo a value whose write was answered. */
import { expect, it } from 'vitest'
import { locking } from './test-locking.ts'

it('a heartbeat without a value leaves the value that another request wrote meanwhile', async () => {
  const { clock, store, leases, put } = locking()
  await clock.run(put({ owner: 'worker-1', value: 'A' }))

  // The conditional write of a heartbeat is on its way.
  const renew = store.renew.bind(store)
  let passOn = () => {}
  const held = new Promise<void>((resolve) => {
    passOn = resolve
  })
  let first = true
  store.renew = async (write) => {
    if (first) {
      first = false
      await held
    }
    return renew(write)
  }
  const heartbeat = put({ owner: 'worker-1', renewOnly: true })
  await clock.advance(50)
  // Another request of the same holder writes B, and is answered: 200.
  expect(await clock.run(put({ owner: 'worker-1', renewOnly: true, value: 'B' }))).toMatchObject({
    kind: 'renewed',
  })
  expect((await leases.read('job'))?.value).toBe('B')
  passOn()
  expect(await clock.run(heartbeat)).toMatchObject({ kind: 'renewed', view: { value: 'B' } })
  expect((await leases.read('job'))?.value).toBe('B')
})
