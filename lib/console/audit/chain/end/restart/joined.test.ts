/** A restart while the end of the log is whole: consoles that run on, and consoles that start later, write one chain. */
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { log } from '../../../../http/log/log.ts'
import { RowVersions } from '../../../../store/row-versions.ts'
import type { Anchor } from '../../../anchors/anchor.ts'
import { StoredAuditLog } from '../../../stored-audit-log.ts'
import { event, memorySource, restartTestLog, testKey, testLog, verified } from '../../test-audit.ts'
import { type AppendFault, MemoryAuditStore } from '../../test-memory-audit-store.ts'

const dayMs = 86_400_000
const key = testKey()
let clock: FakeClock
let store: MemoryAuditStore
let running: ReturnType<typeof start>
let restore: () => void

const start = () => testLog({ store, clock, timer: clock, key })
const append = ({ audit }: ReturnType<typeof start>, id: string, changes = {}) =>
  clock.run(audit.append(event(id, changes)))
const restart = (anchored: Anchor | null = null) => clock.run(restartTestLog({ store, key, clock, anchored }))
const findings = () => verified(memorySource(store), key, running.anchors)

/** Four entries by a console that runs on; the second one is altered. */
async function startOver(): Promise<void> {
  clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  store = new MemoryAuditStore()
  running = start()
  for (const id of ['1', '2', '3', '4']) await append(running, id)
  const { rows } = store.buckets.get('main:2026-11-21')!
  const before = rows.get(2)!
  rows.set(2, { ...before, body: before.body.replace('it hangs', 'nothing') })
  restore = () => void rows.set(2, before)
}
beforeEach(startOver)

/** Ids of a console that starts now, newest last, without restarts. */
async function idsOf({ audit } = start()) {
  const { entries } = await clock.run(audit.page({ without: 'restart', limit: 100 }))
  expect(audit.alarms).toEqual([])
  return entries.map(({ id }) => id).reverse()
}

it('a console that ran on and one that started later write one chain, which is whole', async () => {
  await restart()
  const later = start()
  await append(later, '5')
  await append(running, '6')
  await append(later, '7')
  await clock.advance(dayMs)
  await append(running, '8')
  await append(later, '9')
  expect(await idsOf()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  expect(await findings()).toEqual(['main 2026-11-21 2 content'])
  restore()
  expect(await findings()).toEqual([])
})

it('what a running console writes after the restart counts for one that reads the log from its beginning', async () => {
  await restart()
  await append(running, '5', {
    act: 'token-revoke',
    rows: [{ table: 'api_tokens', key: 't', version: null }],
  })
  const versions = new RowVersions(() => clock.now().wallMs)
  const anchors = { keep: async () => {}, all: () => [] }
  const options = { store, keyspace: 'memory', key, clock, timer: clock, log, versions, anchors }
  const fresh = new StoredAuditLog(options)
  await clock.run(fresh.follow())
  expect([versions.isCurrent('api_tokens', 't', 5), fresh.alarms]).toEqual([false, []])
})

const restarts = () =>
  [...store.buckets.values()].flatMap(({ rows }) =>
    [...rows.values()].filter(({ body }) => JSON.parse(body).act === 'restart'),
  )

/** Both consoles write on, a new one reads all of it, and `verify` names the altered entry alone. */
async function writeOn(count: number): Promise<void> {
  const later = start()
  await append(later, '5')
  await append(running, '6')
  expect(await idsOf()).toEqual(['1', '2', '3', '4', '5', '6'])
  expect(restarts()).toHaveLength(count)
  restore()
  expect(await findings()).toEqual([])
}

it('two operators who restart the log at once each have an entry, one after the other', async () => {
  await Promise.all([restart(), restart()])
  await writeOn(2)
})

it('two operators who restart the log at once after its end was lost leave one end', async () => {
  const { rows, head } = store.buckets.get('main:2026-11-21')!
  rows.delete(4)
  Object.assign(head, { seq: 3, hash: rows.get(3)!.hash })
  rows.delete(2)
  const anchored = running.anchors.at(-1)!
  await Promise.all([restart(anchored), restart(anchored)])
  const later = start()
  await append(later, '5')
  await append(running, '6')
  await append(later, '7')
  expect((await clock.run(start().audit.page({ limit: 3 }))).entries.map(({ id }) => id)).toEqual([
    '7',
    '6',
    '5',
  ])
  expect(restarts()).toHaveLength(2)
})

it.each<[string, AppendFault]>([
  ['was applied', 'applied-unheard'],
  ['was lost', 'lost-unheard'],
  ['comes later', 'late'],
])('an append of the restart that %s, and whose answer is lost, is in the log once', async (_, fault) => {
  for (const at of [1, 2]) {
    await startOver()
    let appends = 0
    store.fault = () => {
      appends += 1
      return appends === at ? fault : undefined
    }
    let reads = 0
    // It arrives between the reads of the next round, or after a second try.
    store.arrives = () => {
      reads += 1
      return reads % 3 === 0
    }
    await restart()
    while (store.late.length > 0) store.arrive()
    store.fault = () => undefined
    await writeOn(1)
  }
})

it('a console that writes all the time neither loses an entry by the restart, nor keeps it from its place', async () => {
  const wanted = Array.from({ length: 200 }, (_, i) => `busy ${i}`)
  const writers = [running, start(), start()]
  const busy = writers.map(async ({ audit }, writer) => {
    for (const id of wanted) await audit.append(event(`${writer} ${id}`))
  })
  await clock.run(Promise.all([...busy, restartTestLog({ store, key, clock })]))
  const ids = [...store.buckets.values()].flatMap(({ rows }) =>
    [...rows.values()].map(({ body }) => JSON.parse(body).id as string),
  )
  expect(ids.filter((id) => id.includes('busy'))).toHaveLength(600)
  expect(new Set(ids.filter((id) => id.includes('busy'))).size).toBe(600)
  expect(restarts()).toHaveLength(1)
  restore()
  expect(await findings()).toEqual([])
})

it('a command that ends between the seal and the restart leaves a log that goes on', async () => {
  let appends = 0
  store.fault = () => {
    appends += 1
    return appends === 2 ? 'unavailable' : undefined
  }
  await expect(restart()).rejects.toMatchObject({ code: 'store-unavailable' })
  await append(running, '5')
  await restart()
  await append(running, '6')
  expect(await idsOf()).toEqual(['1', '2', '3', '4', '5', '6'])
  restore()
  expect(await findings()).toEqual([])
})

it.each([
  ['the seal', '2026-11-21', 5],
  ['the entry `restart`', '2026-11-21#', 1],
])('where %s vanishes, the log goes on apart from it, and each console finds it', async (_, bucket, seq) => {
  const { append: apply } = store
  let first: string | null = null
  store.append = async (append) => {
    const isApplied = await apply.call(store, append)
    const isThere = append.partition.startsWith(`main:${bucket}`)
    if (isThere) first ??= append.partition
    // As of the future: of a bucket with one entry, all of it is gone.
    if (append.partition === first && seq === 1) store.buckets.delete(first)
    else if (append.partition === first) store.buckets.get(first)!.rows.delete(seq)
    return isApplied
  }
  await restart()
  const later = start()
  await append(later, '5')
  await append(running, '6')
  await append(later, '7')
  for (const audit of [later, running, start()].map((each) => each.audit)) {
    await clock.run(audit.follow())
    expect(audit.alarms).toEqual([])
  }
  expect((await clock.run(later.audit.page({ limit: 3 }))).entries.map(({ id }) => id)).toEqual([
    '7',
    '6',
    '5',
  ])
})

it('a console that raised the alarm at its start goes on with the restart', async () => {
  const alarmed = start()
  await expect(clock.run(alarmed.audit.follow())).rejects.toMatchObject({ code: 'audit-damaged' })
  await restart()
  await clock.run(alarmed.audit.follow())
  await append(alarmed, '5')
  await append(running, '6')
  expect(await idsOf()).toEqual(['1', '2', '3', '4', '5', '6'])
})
