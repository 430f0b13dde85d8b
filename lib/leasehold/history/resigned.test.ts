/** A holder that was asked resigned, whichever callback ends its work: `withLock` and `lead` have callbacks of their own. */
import { expect, it } from 'vitest'
import { Election } from '../election/index.ts'
import { Leases } from '../lease/index.ts'
import { Locks } from '../lock/index.ts'
import { Operator } from '../operator/index.ts'
import { FakeClock, MemoryEventStore, MemoryLeaseStore, MemoryResignRequests } from '../testing/index.ts'
import { EventRecorder, readHistory } from './index.ts'

const startMs = Date.UTC(2026, 0, 1, 12) + 250
function setUp() {
  const clock = new FakeClock(startMs)
  const store = new MemoryLeaseStore(clock)
  const history = new MemoryEventStore()
  const events = new EventRecorder({ store: history, clock, timer: clock })
  const resignRequests = new MemoryResignRequests(clock)
  const leases = new Leases({
    store,
    events,
    resignRequests,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 10,
  })
  return { clock, store, history, events, leases }
}
async function kinds({ clock, history, events }: ReturnType<typeof setUp>) {
  await clock.run(events.flush())
  const range = {
    fromMs: startMs - 3_600_000,
    toMs: startMs + 7_200_000,
    renewals: 'minute',
    limit: 100,
  } as const
  return (await readHistory(history, 'job', range)).events.map(({ kind }) => kind)
}
async function ask({ clock, leases }: ReturnType<typeof setUp>) {
  const owner = (await clock.run(leases.read('job')))?.owner as string
  await new Operator(leases).ask({ name: 'job', owner }, { id: 'r1', requestedBy: 'ada', reason: 'deploy' })
}
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

it('under withLock, the history says that the holder resigned', async () => {
  const all = setUp()
  const done = new Locks(all.leases).withLock('job', async (lease) => untilAborted(lease.signal))
  await all.clock.advance(100)
  await ask(all)
  await all.clock.run(done)
  expect(await kinds(all)).toEqual(['resigned', 'acquired'])
})

it('a release that succeeds at the second call is in the history', async () => {
  const all = setUp()
  const lease = await all.clock.run(all.leases.acquire('job'))
  // Within one millisecond the history has no order, and no statement is so fast.
  await all.clock.advance(1)
  all.store.fault = () => ({ kind: 'unavailable' })
  await expect(all.clock.run(lease.release())).rejects.toMatchObject({ code: 'store-unavailable' })
  all.store.fault = () => undefined
  await all.clock.run(lease.release())
  expect(await kinds(all)).toEqual(['released', 'acquired'])
})

it('under lead, the history says that the leader resigned', async () => {
  const all = setUp()
  const stop = new AbortController()
  let terms = 0
  const led = new Election({ leases: all.leases, group: 'job' }).lead(
    async (leadership) => {
      if (++terms > 1) return stop.abort()
      await untilAborted(leadership.signal)
    },
    { signal: stop.signal },
  )
  await all.clock.advance(100)
  await ask(all)
  await all.clock.advance(6_000)
  expect((await kinds(all)).slice(0, 2)).toEqual(['resigned', 'acquired'])
  await all.clock.run(all.leases.close())
  await all.clock.run(led)
})

it('a holder that is asked and loses the lease has not resigned', async () => {
  const all = setUp()
  const owned = await all.clock.run(all.leases.acquire('job', { onResignRequested: () => {} }))
  await ask(all)
  await all.clock.advance(4_000)
  await all.clock.run(new Operator(all.leases).kill({ name: 'job', owner: owned.owner }))
  await all.clock.advance(12_000)
  expect(await kinds(all)).toEqual(['lost', 'acquired'])
})
