import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { approvalLifetimeSeconds } from '../../contract/releases/release.ts'
import { AwaitingReleases } from './awaiting-releases.ts'
import { planOf } from './plans.ts'
import type { Awaiting, ReleaseRecord } from './release-record.ts'

let clock: FakeClock
let waiting: ReleaseRecord[]
let reads: number
/** Called while a reading is under way, after it saw what waits. */
let meanwhile: () => void
let list: AwaitingReleases

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
  waiting = []
  reads = 0
  meanwhile = () => {}
  const awaiting = async (): Promise<Awaiting> => {
    reads++
    const records = [...waiting]
    await Promise.resolve()
    meanwhile()
    return { records, more: false }
  }
  list = new AwaitingReleases({ store: { awaiting }, clock })
})

const release = (id: string): ReleaseRecord => ({
  id,
  state: 'awaiting-approval',
  plan: planOf('ann', { name: id, value: null } as never, 0),
  mode: 'kill',
  reason: 'test',
  requestedBy: 'ann',
  requestedAtMs: clock.now().wallMs,
  decidedBy: null,
  decidedAtMs: null,
  decisionReason: null,
  report: null,
  attempt: 'a',
  version: 2,
})
const ids = async () => (await list.list()).releases.map(({ id }) => id)

it('operators share one reading for 2 s', async () => {
  waiting = [release('one')]
  for (let look = 0; look < 4; look++) {
    await Promise.all(Array.from({ length: 10 }, ids))
    await clock.advance(500)
  }
  expect(reads).toBe(1)
  expect(await ids()).toEqual(['one'])
  expect(reads).toBe(2)
})

it('a change of this instance is seen at once, also by those who ask while an older reading is under way', async () => {
  expect(await ids()).toEqual([])
  await clock.advance(2_000)
  const later: Promise<string[]>[] = []
  meanwhile = () => {
    meanwhile = () => {}
    waiting = [release('one')]
    list.changed()
    later.push(ids())
  }
  expect(await ids()).toEqual([])
  expect(await later[0]).toEqual(['one'])
  expect(await ids()).toEqual(['one'])
})

it('a release that lapses leaves the list, although the reading is shared', async () => {
  waiting = [release('one')]
  await clock.advance(approvalLifetimeSeconds * 1000 - 1_000)
  expect(await ids()).toEqual(['one'])
  await clock.advance(1_000)
  expect([await ids(), reads]).toEqual([[], 1])
})
