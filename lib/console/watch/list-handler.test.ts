/** Rows that a plain client wrote, which the API itself would not take: they are in the list as all others are. */
import { LeaseProtocol, StoreRefusedError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LeaseList } from '../../contract/leases/lease.ts'
import { leaseListQuerySchema } from '../../contract/leases/watch.ts'
import type { Session } from '../../contract/people/session.ts'
import { log } from '../http/log/log.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { listLeases } from './list-handler.ts'
import { ObservedStore } from './reading/observed-store.ts'
import { Watch } from './watch.ts'
import type { WatchServices } from './watch-services.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let services: WatchServices
let watch: Watch

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  const observed = new ObservedStore(store, clock)
  const leases = new LeaseProtocol({ store: observed, clock, timer: clock, maxClockSkewMs: 100 })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = { id: 'leases', mapping, readOnly: false, leases } as unknown as LeaseTable
  const tables = new Map([['leases', table]])
  watch = new Watch({ tables, clock, timer: clock, log, closing: new AbortController().signal })
  observed.observedBy(watch.observer('leases'))
  services = { tables, watch, clock, session: { keyspace: 'k' } } as unknown as WatchServices
})

const insert = (name: string, owner = 'plain', ttlSeconds = 300) =>
  store.acquire({ name, owner, value: null, ttlSeconds })

async function list(
  query: Record<string, string | undefined> = {},
  signal = new AbortController().signal,
): Promise<LeaseList> {
  const session = { role: 'viewer' } as Session
  const input = { query: leaseListQuerySchema.parse(query), session, signal }
  const reply = await clock.run(listLeases(input as never, services))
  return reply.body as LeaseList
}
const namesOf = ({ leases }: LeaseList) => leases.map(({ name }) => name)

it.each([
  ['longer than 512 bytes', 'odd-'.padEnd(513, 'x')],
  ['as long as Cassandra takes', 'odd-'.padEnd(65_535, 'ü').slice(0, 32_700)],
  ['dots alone', '..'],
  ['two lines', 'odd\nline'],
])('a name of %s is listed, beside the others', async (_, name) => {
  await insert(name)
  await insert('usual')
  expect(namesOf(await list()).sort()).toEqual([name, 'usual'].sort())
})

it('a long name whose row is gone is shown no longer', async () => {
  const name = 'odd-'.padEnd(513, 'x')
  await insert(name, 'plain', 3)
  await list()
  await clock.advance(12_000)
  expect(watch.table('leases').snapshot.rows.has(name)).toBe(false)
  expect(namesOf(await list())).toEqual([])
})

it('pages go on behind names and owners that are too long for a URL', async () => {
  const names = ['a', 'b', 'c'].map((letter) => letter.padEnd(20_000, 'x'))
  for (const name of names) await insert(name, name)
  for (const order of ['asc', 'desc'])
    for (const sort of ['name', 'owner']) {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page: LeaseList = await list({ sort, order, limit: '1', cursor })
        found.push(...namesOf(page))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined && found.length < 9)
      expect(
        found.map(([first]) => first),
        `${sort} ${order}`,
      ).toEqual(order === 'asc' ? ['a', 'b', 'c'] : ['c', 'b', 'a'])
    }
})

it('a row that cannot be read by itself fails no page: it is shown as the scan saw it', async () => {
  await insert('odd')
  await insert('usual')
  const read = store.read.bind(store)
  store.read = async (name) => {
    if (name === 'odd') throw new StoreRefusedError('Cassandra refuses this key.')
    return read(name)
  }
  const { leases } = await list()
  expect(leases.map(({ name, read: { level } }) => `${name} ${level}`)).toEqual([
    'odd QUORUM',
    'usual SERIAL',
  ])
})

describe('a list that is not answered', () => {
  let begun: number
  let underWay: number
  /** Each read takes a second; `meanwhile` is called at the end of the one with this number. */
  const slowly = (number: number, meanwhile: () => void) => {
    const read = store.read.bind(store)
    store.read = async (name) => {
      const mine = ++begun
      underWay++
      try {
        await clock.sleep(mine === number ? 500 : 1_000)
        if (mine === number) meanwhile()
        return await read(name)
      } finally {
        underWay--
      }
    }
  }
  beforeEach(async () => {
    begun = 0
    underWay = 0
    for (let i = 0; i < 100; i++) await insert(`job-${i}`)
    await list()
  })

  it('begins no read after the first that failed, and ends with its last read', async () => {
    slowly(5, () => {
      throw new StoreUnavailableError('No node answers.')
    })
    await expect(list()).rejects.toMatchObject({ code: 'store-unavailable' })
    expect([begun, underWay]).toEqual([32, 0])
    await clock.advance(10_000)
    expect(begun).toBe(32)
  })

  it('begins no read after its client has hung up', async () => {
    const client = new AbortController()
    slowly(5, () => client.abort(new Error('gone')))
    await expect(list({}, client.signal)).rejects.toThrow('gone')
    expect([begun, underWay]).toEqual([32, 0])
  })
})
