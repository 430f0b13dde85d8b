/** `npm run audit -- restart` and `-- rekey` on a log whose chain `refused` was changed, beside `main`, or alone. */
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { AuditChain } from '../../../../../contract/audit.ts'
import { serverActor } from '../../../actor.ts'
import type { Anchor } from '../../../anchors/anchor.ts'
import { verify } from '../../../verify/verify.ts'
import { event, memorySource, named, refusal, testKey, testLog } from '../../test-audit.ts'
import { MemoryAuditStore } from '../../test-memory-audit-store.ts'
import { bodies } from '../../test-stored-log.ts'
import { restartDamaged, restartForNewKey } from './restart-damaged.ts'

const dayMs = 86_400_000
let key = testKey()
let clock: FakeClock
let store: MemoryAuditStore
let anchors: Anchor[]
let running: ReturnType<typeof start>

/** A console with the data directory of the others. */
const start = () => testLog({ store, clock, timer: clock, key, anchors }).audit
const refuse = (id: string, audit = running) => clock.run(audit.append(refusal(id)))

beforeEach(async () => {
  key = testKey()
  clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  store = new MemoryAuditStore()
  anchors = []
  running = start()
  await clock.run(running.append(event('1')))
  for (const id of ['a', 'b', 'c']) await refuse(id)
})

const options = () => ({
  store,
  keyspace: 'memory',
  key,
  clock,
  anchors,
  anchor: async (anchor: Anchor) => void anchors.push(anchor),
  actor: serverActor,
  reason: 'the log was changed',
})
const chainsOf = (restarted: readonly { chain: AuditChain }[]) => restarted.map(({ chain }) => chain)
const restart = async () =>
  chainsOf(await clock.run(restartDamaged(options(), { since: null, followed: null })))
const refused = () => bodies(store, 'refused').map(({ act, id }) => (act === 'restart' ? act : id))
const rows = (day = '2026-11-21') => store.buckets.get(store.partitionOf('refused', day))!.rows
const alarms = (audit = running) => audit.alarms.map(({ chain, kind }) => `${chain} ${kind}`)

async function findings(): Promise<string[]> {
  const source = memorySource(store)
  const keys = new Map([[key.id, key.bytes]])
  return named(await verify({ source, keys, anchors, nowMs: clock.now().wallMs }))
}

const erasures: [string, AuditChain[], () => void][] = [
  ['its day is deleted', ['refused'], () => store.buckets.delete('refused:2026-11-21')],
  [
    'its last entry is cut off',
    ['refused'],
    () => {
      rows().delete(3)
      Object.assign(store.buckets.get('refused:2026-11-21')!.head, { seq: 2, hash: rows().get(2)!.hash })
    },
  ],
  ['the table is emptied', ['main', 'refused'], () => store.buckets.clear()],
]

it.each(erasures)('a refusal that waits since %s is written after the restart', async (_, chains, erase) => {
  erase()
  void running.appendUntilWritten(refusal('d'))
  await clock.advance(100)
  expect(alarms()).toContain('refused backwards')
  expect(await restart()).toEqual(chains)
  const later = start()
  await refuse('e', later)
  await clock.advance(5_000)
  expect([alarms(), running.pending]).toEqual([[], []])
  await refuse('f')
  expect(refused().slice(-4)).toEqual(['restart', 'e', 'd', 'f'])
  // And nothing is left to restart, also where the beginning of the chain is gone.
  expect(await restart()).toEqual([])
})

it('a chain without an entry is whole, and one whose entries have expired, all or the oldest; a younger one is missed', async () => {
  store = new MemoryAuditStore()
  anchors = []
  running = start()
  await clock.run(running.append(event('1')))
  expect(await restart()).toEqual([])
  for (const id of ['a', 'b']) await refuse(id)
  await clock.advance(10 * dayMs)
  for (const id of ['c', 'd']) await refuse(id)
  expect(await restart()).toEqual([])
  await clock.advance(21 * dayMs)
  store.buckets.delete('refused:0000-00-00')
  rows().delete(1)
  expect(await restart()).toEqual([])
  store.buckets.delete(store.partitionOf('refused', '2026-11-21'))
  rows('2026-12-01').delete(1)
  expect(await restart()).toEqual(['refused'])
  await clock.advance(10 * dayMs)
  for (const partition of store.buckets.keys())
    if (partition.startsWith('refused')) store.buckets.delete(partition)
  expect(await restart()).toEqual(['refused'])
  await clock.advance(31 * dayMs)
  for (const partition of store.buckets.keys())
    if (partition.startsWith('refused')) store.buckets.delete(partition)
  expect(await restart()).toEqual([])
})

it('the alarm for an altered refusal ends with the restart, and the chain stays one', async () => {
  const page = (audit = running) => clock.run(audit.page({ chain: 'refused' }))
  const before = rows().get(2)!
  rows().set(2, { ...before, body: before.body.replace('it hangs', 'nothing') })
  await page()
  expect(alarms()).toEqual(['refused altered'])
  expect(await restart()).toEqual(['refused'])
  await clock.run(running.lookForChanges())
  for (const audit of [running, start()]) {
    await refuse('d', audit)
    await page(audit)
    expect(alarms(audit)).toEqual([])
  }
  expect(refused()).toEqual(['a', 'b', 'c', 'restart', 'd', 'd'])
  rows().set(2, before)
  expect(await findings()).toEqual([])
  // An earlier one is another loss.
  rows().set(1, { ...rows().get(1)!, body: before.body })
  await page()
  expect(alarms()).toEqual(['refused altered'])
})

it('`verify` is silent about a restarted chain of refusals once what was left before it has expired', async () => {
  rows().delete(3)
  expect(await restart()).toEqual(['refused'])
  running = start()
  await refuse('d')
  expect(await findings()).toEqual(['refused 2026-11-21 3 truncated', 'refused 2026-11-21 3 truncated'])
  await clock.advance(29 * dayMs)
  await refuse('e')
  await clock.advance(dayMs)
  const restarted = [...store.buckets.keys()].filter((name) => name.startsWith('refused:2026-11-21#'))
  for (const partition of ['refused:0000-00-00', 'refused:2026-11-21']) store.buckets.delete(partition)
  store.buckets.get(restarted[0]!)!.rows.delete(1)
  expect([await findings(), await restart()]).toEqual([[], []])
})

it('refusals are written under a new key, after those of the lost one', async () => {
  key = testKey()
  expect(chainsOf(await clock.run(restartForNewKey(options())))).toEqual(['main', 'refused'])
  running = start()
  await refuse('d')
  expect(alarms()).toEqual([])
  expect(refused()).toEqual(['a', 'b', 'c', 'restart', 'd'])
  // Where the loss of the key stopped in the middle, the chain that has the new key goes on as it is.
  expect(chainsOf(await clock.run(restartForNewKey(options())))).toEqual(['main'])
  expect(await restart()).toEqual([])
})
