/** The row of an acquisition is read so late that the lease has to be renewed before it is handed out. */
import { expect, it } from 'vitest'
import type { Session } from '../../../../contract/people/session.ts'
import { locking, program } from './test-locking.ts'

const ann = { ...program, username: 'ann', role: 'operator', via: 'password', scope: null } as Session

it('a person who named the owner of a program does not cut the lease of that program, which came back meanwhile', async () => {
  const { clock, store, leases, written, put } = locking()
  const { readWritten } = store
  store.readWritten = async (name) => {
    store.readWritten = readWritten
    await clock.sleep(1_200)
    return readWritten.call(store, name)
  }
  const persons = put({ owner: 'worker-1', ttlSeconds: 2 }, ann)
  await clock.advance(100)
  expect(await clock.run(put({ owner: 'worker-1', ttlSeconds: 60 }))).toMatchObject({ kind: 'renewed' })
  await expect(clock.run(persons)).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect((await clock.run(leases.read('job')))?.ttlSeconds).toBe(60)
  expect(written).toEqual([])
})

it('a value that another request of the same holder wrote meanwhile stays', async () => {
  const { clock, store, leases, put } = locking()
  let isFirst = true
  store.fault = (kind) => {
    if (kind !== 'acquire' || !isFirst) return undefined
    isFirst = false
    return { kind: 'lost', applied: true, finality: 'never' }
  }
  const { renew } = store
  let passOn = () => {}
  const held = new Promise<void>((resolve) => {
    passOn = resolve
  })
  store.renew = async (write) => {
    store.renew = renew
    await held
    return renew.call(store, write)
  }
  // Its answer is lost, and its row is found: the server's renewal of it is on its way.
  const acquisition = put({ owner: 'worker-1', ttlSeconds: 12 })
  await clock.advance(50)
  const written = await clock.run(put({ owner: 'worker-1', ttlSeconds: 12, renewOnly: true, value: 'B' }))
  expect(written).toMatchObject({ kind: 'renewed', view: { value: 'B' } })
  passOn()
  expect(await clock.run(acquisition)).toMatchObject({ kind: 'acquired' })
  expect((await clock.run(leases.read('job')))?.value).toBe('B')
})
