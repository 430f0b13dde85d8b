/** What gives the token after an acquisition: a quorum's row where it is the caller's own, else a SERIAL read. */
import { beforeEach, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore } from '../../testing/index.ts'
import { LeaseProtocol, type ReadAnswer, StoreRefusedError } from '../index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let serialReads: number
/** Changes what a quorum shows. */
let quorum: (there: ReadAnswer) => ReadAnswer

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1))
  store = new MemoryLeaseStore(clock)
  serialReads = 0
  quorum = (there) => there
  const read = store.read.bind(store)
  store.read = (name) => {
    serialReads++
    return read(name)
  }
  store.readWritten = async (name) => quorum(await read(name))
})

const tryAcquire = () =>
  clock.run(new LeaseProtocol({ store, clock, timer: clock }).tryAcquire('job', { ttlSeconds: 30 }))
const withOwner = (there: ReadAnswer, owner: string | null): ReadAnswer => ({
  ...there,
  cells: there.cells && { ...there.cells, owner },
})

it('is the row of a quorum, and no SERIAL read, where that is our own', async () => {
  const outcome = await tryAcquire()
  const { cells } = await store.readWritten('job')
  expect(outcome).toMatchObject({ kind: 'acquired', tenure: { token: cells?.ownerWritetime } })
  expect(outcome).toMatchObject({ seen: { read: { level: 'QUORUM' } } })
  expect(serialReads).toBe(0)
})

it.each([
  ['another owner', (there: ReadAnswer) => withOwner(there, 'rival')],
  ['no owner', (there: ReadAnswer) => withOwner(there, null)],
  ['no row', (there: ReadAnswer) => ({ ...there, cells: null })],
])('is a SERIAL read where a quorum shows %s', async (_, shown) => {
  quorum = shown
  expect(await tryAcquire()).toMatchObject({ kind: 'acquired', seen: { read: { level: 'SERIAL' } } })
  expect(serialReads).toBe(1)
})

it('hands out no lease that both reads show with another owner', async () => {
  const { acquire } = store
  store.acquire = async (write) => {
    const answer = await acquire.call(store, write)
    await store.release({ name: 'job', owner: write.owner })
    store.plain.insertIfNotExists('job', 'rival', null, 30)
    return answer
  }
  await expect(tryAcquire()).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect(serialReads).toBeGreaterThan(0)
})

it('is a SERIAL read of a store that has no other one', async () => {
  Object.assign(store, { readWritten: undefined })
  expect(await tryAcquire()).toMatchObject({ kind: 'acquired', seen: { read: { level: 'SERIAL' } } })
  expect(serialReads).toBe(1)
})

it('that the store refuses leaves an unknown outcome, and no row', async () => {
  store.readWritten = () => Promise.reject(new StoreRefusedError('The role may not read.'))
  await expect(tryAcquire()).rejects.toMatchObject({ code: 'outcome-unknown' })
  await clock.advance(5_000)
  expect((await store.read('job')).cells).toBeNull()
})
