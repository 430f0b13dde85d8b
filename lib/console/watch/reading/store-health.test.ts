import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { startMs } from '../test-rows.ts'
import { StoreHealthWatch } from './store-health.ts'

it('is lost when no read has succeeded for a while, and not by one read that failed', async () => {
  const clock = new FakeClock(startMs)
  const store = new StoreHealthWatch(clock)
  store.answered()
  await clock.advance(1_000)
  store.failed()
  await clock.advance(1_000)
  store.answered()
  await clock.advance(5_000)
  expect(store.health).toEqual({ kind: 'good' })
  store.failed()
  await clock.advance(1_600)
  store.failed()
  expect(store.health).toEqual({ kind: 'lost', sinceMs: startMs + 7_000, asOfMs: startMs + 2_000 })
  store.answered()
  expect(store.health).toEqual({ kind: 'good' })
})

it('of a process that never had an answer, no row is known', async () => {
  const clock = new FakeClock(startMs)
  const store = new StoreHealthWatch(clock)
  store.failed()
  await clock.advance(2_000)
  expect(store.health).toEqual({ kind: 'lost', sinceMs: startMs, asOfMs: null })
})
