/** What `verify` says, without anchors, of a log that an operator has restarted: the loss by then is excused, a later one is not. */
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { event, memorySource, restartTestLog, testLog, verified } from '../chain/test-audit.ts'
import { MemoryAuditStore } from '../chain/test-memory-audit-store.ts'

const dayMs = 86_400_000
const days = ['2026-11-20', '2026-11-21', '2026-11-22'] as const
let clock: FakeClock
let store: MemoryAuditStore
let log: ReturnType<typeof testLog>

/** Three days of five entries each; the first two end with a seal. */
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 10, 20, 12))
  store = new MemoryAuditStore()
  log = testLog({ store, clock, timer: clock })
  for (const day of days) {
    if (day !== days[0]) await clock.advance(dayMs)
    for (const id of ['a', 'b', 'c', 'd', 'e']) await clock.run(log.audit.append(event(`${day} ${id}`)))
  }
})

const bucketOf = (day: string) => store.buckets.get(store.partitionOf('main', day))!
const findings = async () =>
  (await verified(memorySource(store), log.key)).map((line) => line.replace(/#\d+/, '')).sort()

/** As a power cut, a restored copy and an intruder leave it: without these entries, and with a head that is sound. */
function cut(day: string, lastSeq: number): void {
  const { rows, head } = bucketOf(day)
  for (const seq of [...rows.keys()]) if (seq > lastSeq) rows.delete(seq)
  Object.assign(head, { seq: lastSeq, hash: rows.get(lastSeq)!.hash, next: null })
}

function erase(day: string): void {
  store.buckets.delete(store.partitionOf('main', day))
}

/** And an entry of a console that starts after it. */
async function restart(): Promise<void> {
  await clock.run(restartTestLog({ store, key: log.key, clock }))
  await clock.run(testLog({ store, clock, timer: clock, key: log.key }).audit.append(event('after')))
}

/** Of the last day the entries after the fourth are lost, then the log is restarted. */
async function loseTheEnd(): Promise<void> {
  cut(days[2], 4)
  await restart()
}

it('a log that was restarted after it lost its end is whole, also when it was restarted twice', async () => {
  await loseTheEnd()
  expect(await findings()).toEqual([])
  await clock.advance(dayMs)
  await restart()
  expect(await findings()).toEqual([])
})

it.each([
  ['entries of the last day', () => cut(days[2], 2), ['2026-11-22 3 truncated']],
  [
    'the last day, and the seal that names it',
    () => {
      erase(days[2])
      cut(days[1], 5)
    },
    ['2026-11-21 6 truncated', '2026-11-22 1 truncated'],
  ],
  [
    'whole days, and most of the one before them',
    () => {
      for (const day of days.slice(1)) erase(day)
      cut(days[0], 1)
    },
    ['2026-11-20 2 truncated', '2026-11-22 1 truncated'],
  ],
])('%s before a restart, removed after it, are named', async (_, remove, expected) => {
  await loseTheEnd()
  remove()
  expect(await findings()).toEqual(expected.map((line) => `main ${line}`))
})

it('a restart for one entry that was missing does not excuse the removal of all that came after that entry', async () => {
  bucketOf(days[0]).rows.delete(2)
  await restart()
  expect(await findings()).toEqual(['main 2026-11-20 2 missing'])
  for (const day of days.slice(1)) erase(day)
  cut(days[0], 1)
  expect(await findings()).toEqual(['main 2026-11-20 2 truncated', 'main 2026-11-22 1 truncated'])
})

it('an invented last entry may be removed after the restart; the entries before it may not', async () => {
  const { rows, head } = bucketOf(days[2])
  const hash = 'ab'.repeat(32)
  rows.set(6, { ...rows.get(5)!, seq: 6, hash })
  Object.assign(head, { seq: 6, hash })
  await restart()
  cut(days[2], 5)
  expect(await findings()).toEqual([])
  cut(days[2], 4)
  expect(await findings()).toEqual(['main 2026-11-22 5 truncated'])
})

it('the bucket of a restart that is said to follow an earlier one than the restart names is named', async () => {
  await loseTheEnd()
  const [begun] = [...store.buckets.keys()].filter((name) => name.startsWith(`main:${days[2]}#`)).slice(-1)
  store.buckets.get(begun!)!.head.previous = days[0]
  expect(await findings()).toEqual(['main 2026-11-22 - order'])
})

it('a whole day that was lost stays named after the restart, and the restart adds nothing', async () => {
  erase(days[2])
  await restart()
  expect(await findings()).toEqual(['main 2026-11-22 - missing'])
})
