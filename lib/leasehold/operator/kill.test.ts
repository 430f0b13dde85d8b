/** A killed lease, on the store in memory: whom it can hit, and where it is refused. */
import { beforeEach, describe, expect, it } from 'vitest'
import { LeaseProtocol, type LeaseStore } from '../lease/index.ts'
import { FakeClock, MemoryLeaseStore, type StatementKind } from '../testing/index.ts'
import { Operator } from './index.ts'

const name = 'job'
let clock: FakeClock
let store: MemoryLeaseStore

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1))
  store = new MemoryLeaseStore(clock)
})

const protocolOf = (of: LeaseStore) =>
  new LeaseProtocol({ store: of, clock, timer: clock, random: () => 0.5 })

describe('a kill that is refused', () => {
  it('through a server, which sends a delete again: that could hit a later tenure, after a read has settled the outcome', async () => {
    store.plain.insertIfNotExists(name, 'old', null, 300)
    Object.assign(store, { repeats: true })
    const kinds: StatementKind[] = []
    store.fault = (kind) => void kinds.push(kind)
    await expect(new Operator(protocolOf(store)).kill({ name, owner: 'old' })).rejects.toMatchObject({
      code: 'store-refused',
      message: /release plan/,
    })
    expect(kinds).toEqual([])
  })
})
