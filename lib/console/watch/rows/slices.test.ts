/** The passes over all rows are made in slices of some milliseconds: what reads show between two of them stays. */
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { lease, nothing, startMs, toTheEnd } from '../test-rows.ts'
import { Snapshot } from './snapshot.ts'
import { View } from './view.ts'

const serial = (sent: number) => ({ level: 'SERIAL' as const, sent, answered: sent })
let clock: FakeClock
let snapshot: Snapshot
let byOwner: View

beforeEach(() => {
  clock = new FakeClock(startMs)
  byOwner = new View({ sort: 'owner', prefix: '', q: '', owner: null, states: null, within: '' })
  snapshot = new Snapshot(
    { hasOwner: true, clock },
    { changed: (before, after) => byOwner.change(before, after), due: () => {}, seen: () => {} },
  )
})

const shown = () => byOwner.window('asc', 0, 10).map(({ name, owner }) => `${name} ${owner}`)

/** @returns the pass at the moment when Cassandra answers again, after its first slice */
async function recovering(): Promise<Generator<void, void>> {
  snapshot.add(lease('job', serial(0), { owner: 'a', ttlSeconds: 30 }))
  // A rhythm of renewals: time alone puts it at risk.
  snapshot.add(lease('job', serial(1_000), { owner: 'a', writtenMs: 1_000, ttlSeconds: 30 }))
  toTheEnd(snapshot.lose(true))
  await clock.advance(28_000)
  const pass = snapshot.lose(false)
  pass.next()
  return pass
}

it('when Cassandra answers again, a row that is read meanwhile keeps its new holder', async () => {
  const pass = await recovering()
  snapshot.add(lease('job', serial(28_000), { owner: 'b', writtenMs: 27_000, ttlSeconds: 60 }))
  toTheEnd(pass)
  expect(snapshot.rows.get('job')?.owner).toBe('b')
  expect(shown()).toEqual(['job b'])
  snapshot.add(nothing('job', serial(29_000)))
  expect([shown(), byOwner.counts().total]).toEqual([[], 0])
})

it('when Cassandra answers again, a row that is found gone meanwhile stays away', async () => {
  const pass = await recovering()
  snapshot.add(nothing('job', serial(28_000)))
  toTheEnd(pass)
  expect(snapshot.rows.has('job')).toBe(false)
  expect([shown(), byOwner.counts().total]).toEqual([[], 0])
})

it('at the end of a scan, a row that is acquired again meanwhile is not forgotten', async () => {
  snapshot.add(lease('job', serial(0), { owner: 'a', ttlSeconds: 10 }))
  await clock.advance(60_000)
  snapshot.beginScan()
  const pass = snapshot.endScan()
  pass.next()
  snapshot.add(lease('job', serial(60_000), { owner: 'b', writtenMs: 60_000, ttlSeconds: 30 }))
  toTheEnd(pass)
  expect(snapshot.rows.get('job')?.owner).toBe('b')
  expect(shown()).toEqual(['job b'])
})
