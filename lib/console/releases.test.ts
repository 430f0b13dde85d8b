import { LeaseProtocol, StoreRefusedError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { TableContext } from './context.ts'
import { leaseJson } from './lease-json.ts'
import { log } from './log.ts'
import { Plans } from './plans.ts'
import { Releases } from './releases.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let table: TableContext
let releases: Releases
const plans = new Plans(Buffer.alloc(32, 7), () => clock.now().wallMs)

beforeEach(async () => {
  clock = new FakeClock()
  store = new MemoryLeaseStore(clock)
  const leases = new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100, defaultTtlSeconds: 60 })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  table = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 60, leases }
  releases = new Releases(clock, log)
  await clock.run(leases.acquire('job', { owner: 'holder' }))
})

async function act() {
  const view = await table.leases.read('job')
  if (view === null) throw new Error('not held')
  const { plan } = plans.make('admin', leaseJson(table, view, clock.now()))
  return { plan, mode: 'kill' as const, reason: 'test', username: 'admin' }
}

it('says that the next holder could not be read, when it could not, and shows nothing from before the act', async () => {
  const acting = await act()
  let sent = false
  store.fault = (kind) => {
    if (kind === 'release') sent = true
    return sent && kind === 'read' ? { kind: 'unavailable' } : undefined
  }
  const result = await releases.carryOut(table, acting)
  expect(result).toMatchObject({
    kind: 'release',
    release: { outcome: 'released', current: null, currentReadAt: null },
  })
})

it('never says that nothing was sent after the delete was, and never sends it again', async () => {
  const acting = await act()
  let deletes = 0
  store.fault = (kind) => {
    if (kind === 'release') {
      deletes++
      return { kind: 'lost', applied: false, finality: 'never' }
    }
    return undefined
  }
  const { read } = store
  store.read = async (name) => {
    if (deletes > 0) throw new StoreRefusedError('The permission was revoked meanwhile.')
    return read.call(store, name)
  }
  const first = await clock.run(releases.carryOut(table, acting))
  const again = await clock.run(releases.carryOut(table, acting))
  expect(deletes).toBe(1)
  for (const result of [first, again, releases.find(acting.plan.id)])
    expect(result).toMatchObject({
      kind: 'release',
      release: { outcome: expect.stringMatching(/pending|unknown/) },
    })
})

it('may be tried again when nothing was sent', async () => {
  const acting = await act()
  store.fault = (kind) => (kind === 'read' ? { kind: 'unavailable' } : undefined)
  await expect(releases.carryOut(table, acting)).rejects.toMatchObject({ code: 'store-unavailable' })
  store.fault = () => undefined
  expect(await releases.carryOut(table, acting)).toMatchObject({ release: { outcome: 'released' } })
})
