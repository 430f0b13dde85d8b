/** Partitions of the audit log that another client has made, ahead of their day. */
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Anchor } from '../../anchors/anchor.ts'
import { isBucket } from '../bucket.ts'
import { event, memorySource, testKey, testLog, verified } from '../test-audit.ts'
import { MemoryAuditStore } from '../test-memory-audit-store.ts'
import { restartChain } from './restart/restart-chain.ts'

const key = testKey()
let clock: FakeClock
let store: MemoryAuditStore
let anchors: Anchor[]

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  store = new MemoryAuditStore()
  anchors = []
})

/** A process; with a data directory of its own, unless it has the anchors of those before it. */
const start = (known: Anchor[] = []) => testLog({ store, clock, timer: clock, key, anchors: known }).audit
const append = (audit: ReturnType<typeof start>, id: string) => clock.run(audit.append(event(id)))

function plant(bucket: string): void {
  const hash = 'ab'.repeat(32)
  const rows = new Map([[1, { seq: 1, id: 'x', body: '{}', prev: hash, hash }]])
  store.buckets.set(`main:${bucket}`, {
    head: { seq: 1, hash, bytes: 2, next: null, previous: null },
    rows,
  })
}

const restart = () =>
  clock.run(
    restartChain({
      store,
      chain: 'main',
      keyspace: 'memory',
      key,
      clock,
      anchored: anchors.at(-1) ?? null,
      gap: null,
      anchor: async (anchor) => void anchors.push(anchor),
      actor: { username: 'root', role: 'admin', via: 'terminal', address: null, requestId: null },
      reason: 'planted',
    }),
  )

it.each(['2099-01-01', '2026-11-21#999999'])(
  'the partition %s refuses no act, on any process, and is named',
  async (bucket) => {
    const running = start(anchors)
    await append(running, '1')
    plant(bucket)
    await append(running, '2')
    for (const audit of [start(), start(anchors), running]) {
      await append(audit, 'again')
      await clock.run(audit.lookForChanges())
      expect(audit.alarms).toMatchObject([{ chain: 'main', kind: 'planted', bucket }])
      expect((await clock.run(audit.page({ limit: 1 }))).entries).toMatchObject([{ id: 'again' }])
    }
    store.buckets.delete(`main:${bucket}`)
    await clock.run(running.lookForChanges())
    expect(running.alarms).toEqual([])
    expect(await verified(memorySource(store), key, anchors)).toEqual([])
  },
)

it('the partition of tomorrow is not entered when its day comes', async () => {
  const running = start(anchors)
  await append(running, '1')
  plant('2026-11-22')
  await clock.advance(86_400_000)
  const { bucket, seq } = await append(running, '2')
  expect([bucket, seq]).toEqual([expect.stringMatching(/^2026-11-22#\d+$/), 1])
  expect(await append(start(), '3')).toMatchObject({ bucket, seq: 2 })
})

const partsOf = (day: string, count: number) =>
  [day].concat(Array.from({ length: count }, (_, i) => `${day}#${i + 2}`))

it('a thousand planted parts of tomorrow refuse no act, and cost an append no more than one does', async () => {
  const running = start(anchors)
  await append(running, '1')
  for (const bucket of partsOf('2026-11-22', 1_000)) plant(bucket)
  await clock.advance(86_400_000)
  const heads = vi.spyOn(store, 'head')
  const { bucket } = await append(running, '2')
  expect(bucket).toMatch(/^2026-11-22#\d+$/)
  expect(heads.mock.calls.length).toBeLessThan(10)
  expect(await append(start(anchors), '3')).toMatchObject({ bucket, seq: 2 })
})

it.each(['999999', '999999999999999'])(
  'restarts a chain that was deleted where the part %s of today is planted',
  async (part) => {
    await append(start(anchors), '1')
    store.buckets.clear()
    plant(`2026-11-21#${part}`)
    const stopped = start(anchors)
    await expect(append(stopped, '2')).rejects.toMatchObject({ code: 'audit-damaged' })
    const { bucket } = await restart()
    expect(isBucket(bucket)).toBe(true)
    // One that runs, one that starts with the anchor of the restart, and one with an empty data directory.
    for (const audit of [stopped, start(anchors), start()])
      expect(await append(audit, '3')).toMatchObject({ bucket })
    const { entries } = await clock.run(start(anchors).page({}))
    expect(entries.map(({ act }) => act)).toEqual(['release', 'release', 'release', 'restart'])
  },
)

it('restarts a chain whose head was changed where the next thousand parts of today are planted', async () => {
  const running = start(anchors)
  await append(running, '1')
  for (const bucket of partsOf('2026-11-21', 1_000).slice(1)) plant(bucket)
  store.buckets.get('main:2026-11-21')!.head.next = '2026-11-21#2'
  await expect(append(start(anchors), '2')).rejects.toMatchObject({ code: 'audit-damaged' })
  const { bucket } = await restart()
  for (const audit of [start(anchors), start()]) expect(await append(audit, '2')).toMatchObject({ bucket })
})

it('restarts under a new key after the entries of the lost one, whatever parts are planted', async () => {
  const lost = testLog({ store, clock, timer: clock }).audit
  await append(lost, '1')
  plant('2026-11-21#999999999999999')
  plant('2099-01-01')
  const { bucket } = await restart()
  expect(bucket).toBe('2026-11-21#2')
  expect(await append(start(anchors), '2')).toMatchObject({ bucket })
})

it('a head that leads into a planted partition refuses acts, by name, until the log was restarted', async () => {
  const running = start(anchors)
  await append(running, '1')
  plant('2099-01-01')
  const { head } = store.buckets.get('main:2026-11-21')!
  head.next = '2099-01-01'
  const processes = [start(anchors), start()]
  for (const audit of processes)
    await expect(append(audit, '2')).rejects.toMatchObject({
      code: 'audit-damaged',
      alarm: { bucket: '2099-01-01' },
    })
  // It had the place of its next entry in memory, and cannot read that entry back.
  await expect(append(running, '2')).rejects.toMatchObject({ code: 'audit-damaged' })
  const { bucket } = await restart()
  expect(bucket).toMatch(/^2026-11-21#/)
  for (const audit of [running, ...processes, start()]) {
    expect(await append(audit, '3')).toMatchObject({ bucket })
    expect((await clock.run(audit.page({ limit: 1 }))).entries).toMatchObject([{ id: '3' }])
  }
})
