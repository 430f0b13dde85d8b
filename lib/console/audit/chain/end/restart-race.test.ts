/** The writer and the follower share one end of a chain: an operator restarts the log while one of them reads. */
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { log } from '../../../http/log/log.ts'
import { ChainWriter } from '../chain-writer.ts'
import { event, restartTestLog, testKey, testLog } from '../test-audit.ts'
import { MemoryAuditStore } from '../test-memory-audit-store.ts'
import { ChainEnd } from './chain-end.ts'
import { ChainFollower } from './follower.ts'

const lost = '2026-11-21'
const damaged = { code: 'audit-damaged' }

let key = testKey()
let clock: FakeClock
let store: MemoryAuditStore
let end: ChainEnd

beforeEach(async () => {
  key = testKey()
  clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  store = new MemoryAuditStore()
  for (let id = 1; id <= 10; id++) await append(`${id}`)
  const { seq, hash } = bucketOf(lost).rows.get(10)!
  end = new ChainEnd({ store, chain: 'main', key, clock, log, anchored: { bucket: lost, seq, hash } })
})

/** By a console of its own. */
const append = (id: string) => clock.run(testLog({ store, clock, timer: clock, key }).audit.append(event(id)))
const bucketOf = (bucket: string) => store.buckets.get(`main:${bucket}`)!

/** The head is set back as well. */
function cut(bucket: string, lastSeq: number): void {
  const { rows, head } = bucketOf(bucket)
  for (const seq of [...rows.keys()]) if (seq > lastSeq) rows.delete(seq)
  Object.assign(head, { seq: lastSeq, hash: rows.get(lastSeq)!.hash })
}

/** @returns the bucket that an operator began, in which a console has appended since */
async function restart(): Promise<string> {
  await clock.run(restartTestLog({ store, key, clock }))
  const bucket = [...store.buckets.keys()].at(-1)!.replace('main:', '')
  await append('after the restart')
  return bucket
}

/** The next answer of this statement is the one of now, and comes when the function that is returned is called. */
function hold(statement: 'head' | 'rowsFrom'): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const read = store[statement] as (...args: unknown[]) => Promise<unknown>
  const held = async (...args: unknown[]) => {
    Object.assign(store, { [statement]: read })
    const answer = await read.apply(store, args)
    await released
    return answer
  }
  Object.assign(store, { [statement]: held })
  return release
}

/** All that nothing holds has been read. */
const turn = () => new Promise(setImmediate)

/** The end is lost, and both callers know of the alarm when an operator restarts the log. */
async function restartAfterAlarm(): Promise<string> {
  cut(lost, 8)
  await expect(end.find()).rejects.toMatchObject(damaged)
  return restart()
}

it('a read of the lost end that comes after another caller went on with the restart is no new alarm', async () => {
  cut(lost, 8)
  const release = hold('head')
  const writer = end.find()
  const bucket = await restart()
  expect(await end.find()).toMatchObject({ bucket })
  release()
  expect(await writer).toMatchObject({ bucket, seq: 2 })
  expect([end.alarm, end.seen]).toMatchObject([null, { bucket, seq: 2 }])
})

it('a caller that looks for the restart while another one goes on with it goes on as well', async () => {
  const bucket = await restartAfterAlarm()
  const releaseFollower = hold('head')
  const follower = end.find()
  await turn()
  const releaseWriter = hold('rowsFrom')
  const writer = end.find()
  releaseFollower()
  expect(await follower).toMatchObject({ bucket })
  releaseWriter()
  expect(await writer).toMatchObject({ bucket, seq: 2 })
  expect(end.alarm).toBeNull()
})

it('a caller that finds the restart late does not end an alarm that was raised after it', async () => {
  const bucket = await restartAfterAlarm()
  const release = hold('head')
  const writer = end.find()
  await turn()
  await end.find()
  cut(bucket, 1)
  const alarm = { kind: 'backwards', bucket, seq: 1 }
  await expect(end.find()).rejects.toMatchObject({ ...damaged, alarm })
  release()
  await expect(writer).rejects.toMatchObject({ ...damaged, alarm })
  expect(end.alarm).toMatchObject(alarm)
})

it('a damage after the restart raises the alarm also for a caller whose read began before the restart', async () => {
  cut(lost, 8)
  const release = hold('head')
  const writer = end.find()
  const bucket = await restart()
  await end.find()
  cut(bucket, 1)
  release()
  const alarm = { kind: 'backwards', bucket, seq: 1 }
  await expect(writer).rejects.toMatchObject({ ...damaged, alarm })
  expect(end.alarm).toMatchObject(alarm)
})

const newWriter = () =>
  new ChainWriter({ store, chain: 'main', key, clock, timer: clock, log, end, anchor: async () => {} })
const newFollower = () => new ChainFollower({ store, chain: 'main', end, since: null, note: () => {} })

it('an entry that went with the lost end is appended after the restart that the follower went on with', async () => {
  const writer = newWriter()
  let bucket: string | null = null
  const { append: apply } = store
  store.append = async (append) => {
    store.append = apply
    const isApplied = await store.append(append)
    bucket = await restartAfterAlarm()
    await end.find()
    return isApplied
  }
  const entry = await writer.append(event('11'))
  expect(entry).toMatchObject({ bucket, seq: 3 })
  expect(end.alarm).toBeNull()
})

/** The follower has read a gap of the lost bucket, and does not know yet that the writer went on with the restart. */
async function readGap() {
  bucketOf(lost).rows.delete(5)
  const release = hold('rowsFrom')
  const followed = newFollower().catchUp()
  await turn()
  const bucket = await restartAfterAlarm()
  await end.find()
  return { bucket, release, followed }
}

it('a gap that was read before the restart that the writer went on with is no new alarm', async () => {
  const { release, followed } = await readGap()
  release()
  await followed
  expect(end.alarm).toBeNull()
})

it('a gap after that restart raises the alarm', async () => {
  const { bucket, release, followed } = await readGap()
  await append('one more')
  bucketOf(bucket).rows.delete(2)
  release()
  const alarm = { kind: 'link', bucket, seq: 2 }
  await expect(followed).rejects.toMatchObject({ ...damaged, alarm })
  expect(end.alarm).toMatchObject(alarm)
})

it('a gap that was read before the writer followed a seal to the restart for that gap is no alarm', async () => {
  bucketOf(lost).rows.delete(5)
  const release = hold('rowsFrom')
  const followed = newFollower().catchUp()
  await turn()
  const bucket = await restart()
  expect(await end.find()).toMatchObject({ bucket })
  release()
  await followed
  expect(end.alarm).toBeNull()
})

it('a gap that was read before the writer followed the seal of a day raises the alarm', async () => {
  bucketOf(lost).rows.delete(5)
  const release = hold('rowsFrom')
  const followed = newFollower().catchUp()
  await turn()
  await clock.advance(86_400_000)
  await append('11')
  await end.find()
  release()
  const alarm = { kind: 'link', bucket: lost, seq: 5 }
  await expect(followed).rejects.toMatchObject({ ...damaged, alarm })
  expect(end.alarm).toMatchObject(alarm)
})

it.each([
  ['an entry', 0],
  ['the seal of a day', 86_400_000],
])(
  '%s is not appended once the follower has raised an alarm, also after the end was found',
  async (_, passedMs) => {
    const writer = newWriter()
    // The writer knows the end, and looks for an entry that may be there.
    await writer.append(event('11'))
    store.fault = () => 'lost-unheard'
    const written = writer.appendUntilWritten(event('12'))
    await turn()
    store.fault = () => undefined
    const { appends } = store
    const release = hold('rowsFrom')
    await clock.advance(passedMs + 50)
    bucketOf(lost).rows.delete(5)
    await expect(newFollower().catchUp()).rejects.toMatchObject(damaged)
    release()
    await turn()
    expect(store.appends).toBe(appends)
    const bucket = await restart()
    expect(await clock.run(written)).toMatchObject({ bucket })
    expect([end.alarm, writer.pending]).toEqual([null, []])
  },
)
