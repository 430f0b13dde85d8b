/** A forced release whose answer is lost while the wall clock is set forward: nothing proves that it was not applied. */
import { LeaseProtocol, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { ReleaseMode } from '../../../contract/releases/release.ts'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { TableTrust } from '../../leases/table-trust.ts'
import { planOf } from '../plans.ts'
import { ForcedRelease } from './forced-release.ts'

it.each([
  ['kill', 'superseded'],
  ['break', 'broken'],
  ['ask', 'asked'],
] as const)(
  'the %s that takes effect 20 s after its send is not called "not released"',
  async (mode, outcome) => {
    const clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
    const store = new MemoryLeaseStore(clock)
    const leases = new LeaseProtocol({ store, clock, timer: clock, defaultTtlSeconds: 600 })
    await clock.run(leases.tryAcquire('job', { owner: 'holder' }))
    // The write waits in a queue of the server for 20 s, and is applied then; the connection breaks.
    store.fault = (kind) =>
      kind === 'release' || kind === 'quarantine' ? { kind: 'late', afterMs: 20_000 } : undefined
    const requests: { id: string }[] = []
    const resignRequests = {
      ask: async (request: { id: string }) => {
        clock.after(20_000, () => requests.push(request))
        throw new StoreUnavailableError('The connection broke.')
      },
      of: async () => requests,
    }
    const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
    const settings = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 600, leases }
    const deps = { resignRequests, tickets: new MemoryTicketStore(clock), trust: new TableTrust() }
    const table = { ...settings, ...deps } as unknown as LeaseTable
    const view = await leases.read('job')
    if (view === null) throw new Error('not held')
    const plan = planOf('ann', leaseJson(table, view, clock.now()), clock.now().wallMs)
    const act = { plan, mode: mode as ReleaseMode, reason: 'test', username: 'ann' }
    const window = new ActWindow(clock)
    const release = new ForcedRelease(table, act, { clock, timer: clock, log, window })
    await clock.advance(1_000)
    // The service for time corrects the clock of the console. The processes go on.
    clock.suspend(40_000)
    await clock.advance(8_000)
    expect(release.report.outcome).not.toBe('not-released')
    await clock.advance(60_000)
    expect(await clock.run(release.done)).toMatchObject({ outcome })
  },
)
