import { expect, it } from 'vitest'
import { FakeClock } from '../testing/index.ts'
import { EventRecorder } from './event-recorder.ts'
import type { EventStore, RenewalMinute } from './lease-event.ts'

it('counts every renewal, also where the wall clock steps back over the edge of a minute', async () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 1))
  let aheadMs = 0
  const rows = new Map<string, RenewalMinute>()
  const store = {
    write: async () => {},
    writeGap: async () => {},
    // As Cassandra: written again under one id, it is one row.
    writeRenewals: async (minute: RenewalMinute) => void rows.set(minute.id, minute),
  } as unknown as EventStore
  const own = { now: () => ({ ...clock.now(), wallMs: clock.now().wallMs + aheadMs }) }
  const recorder = new EventRecorder({ store, clock: own, timer: clock })
  const lease = { name: 'job', owner: 'a', ttlSeconds: 30 }
  for (const ms of [10_000, 10_000, 10_000, 31_000]) {
    await clock.advance(ms)
    recorder.renewed(lease, 5_000)
  }
  // NTP sets the clock right by two seconds.
  aheadMs = -2_000
  recorder.renewed(lease, 5_000)
  recorder.ended(lease, 'released')
  await clock.run(recorder.flush())
  expect([...rows.values()].reduce((sum, { count }) => sum + count, 0)).toBe(5)
})
