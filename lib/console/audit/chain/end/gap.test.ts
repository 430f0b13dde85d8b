/** Entries and days of the audit log that were deleted, and read past after an operator had restarted the log. */
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { AuditEvent } from '../../../../contract/audit.ts'
import { log } from '../../../http/log/log.ts'
import { RowVersions } from '../../../store/row-versions.ts'
import { StoredAuditLog } from '../../stored-audit-log.ts'
import { event, restartTestLog, testKey } from '../test-audit.ts'
import { MemoryAuditStore } from '../test-memory-audit-store.ts'
import { ChainEnd } from './chain-end.ts'
import { ChainFollower } from './follower.ts'

const dayMs = 86_400_000
const damaged = { code: 'audit-damaged' }
const revoked = { table: 'api_tokens', key: 't1', version: null }
const revocation: Partial<AuditEvent> = { act: 'token-revoke', rows: [revoked] }

let key = testKey()
let clock: FakeClock
let store: MemoryAuditStore

beforeEach(() => {
  key = testKey()
  clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  store = new MemoryAuditStore()
})

/** With an empty data directory: the whole log is read. */
function start() {
  const versions = new RowVersions(() => clock.now().wallMs)
  const anchors = { keep: async () => {}, all: () => [] }
  const audit = new StoredAuditLog({
    store,
    keyspace: 'memory',
    key,
    clock,
    timer: clock,
    log,
    since: null,
    versions,
    anchors,
  })
  const counts = () => versions.isCurrent('api_tokens', 't1', 5)
  return { audit, counts }
}

const append = (id: string, changes: Partial<AuditEvent> = {}) =>
  clock.run(start().audit.append(event(id, changes)))
const follow = ({ audit } = start()) => clock.run(audit.follow())
const restart = () => clock.run(restartTestLog({ store, key, clock }))
const bucketOf = (day: string) => store.buckets.get(store.partitionOf('main', day))!

/** The head is set back, so that the end looks sound. */
function cut(day: string, lastSeq: number): void {
  const { rows, head } = bucketOf(day)
  for (const seq of [...rows.keys()]) if (seq > lastSeq) rows.delete(seq)
  Object.assign(head, { seq: lastSeq, hash: rows.get(lastSeq)!.hash })
}

it('a deleted day raises the alarm of each console that reads it, until it was restarted for that day', async () => {
  for (const id of ['1', '2', '3', '4']) {
    await append(id)
    await clock.advance(dayMs)
  }
  store.buckets.delete(store.partitionOf('main', '2026-11-23'))
  const alarmed = start()
  await expect(follow(alarmed)).rejects.toMatchObject(damaged)
  expect(await restart()).toMatchObject({ bucket: expect.stringMatching(/^2026-11-23#/), seq: 1 })
  await follow(alarmed)
  await follow()
  // Days later the end of the log is elsewhere, and the gap is still read past.
  for (const id of ['5', '6']) {
    await clock.advance(dayMs)
    await append(id)
  }
  await follow()
  // An earlier day is another gap, and no operator has looked at that one.
  store.buckets.delete(store.partitionOf('main', '2026-11-22'))
  await expect(follow()).rejects.toMatchObject(damaged)
  expect(await restart()).toMatchObject({ bucket: expect.stringMatching(/^2026-11-22#/), seq: 1 })
  await follow()
})

/** Six entries of one day, and the third revokes a token; the last two are lost, and the log is restarted. */
async function loseTheEnd(): Promise<void> {
  for (const id of ['1', '2', '3', '4', '5', '6']) await append(id, id === '3' ? revocation : {})
  cut('2026-11-21', 4)
  expect(await restart()).toEqual({ bucket: '2026-11-21', seq: 5 })
  await append('7')
}

it('after a restart for a lost end a new console reads past it without an alarm, and knows what was before', async () => {
  await loseTheEnd()
  const fresh = start()
  await follow(fresh)
  expect([fresh.counts(), fresh.audit.alarms]).toEqual([false, []])
})

it('a revocation of the same day, deleted after the restart for a lost end, raises the alarm of a new console', async () => {
  await loseTheEnd()
  cut('2026-11-21', 2)
  const fresh = start()
  await expect(follow(fresh)).rejects.toMatchObject({
    ...damaged,
    alarm: { kind: 'link', bucket: '2026-11-21', seq: 3 },
  })
  // It does not know which tokens count, so none does.
  expect(fresh.counts).toThrow(expect.objectContaining({ code: 'not-ready' }))
})

it('a restart for an early loss does not cover a later cut of the end that it names', async () => {
  for (const id of ['1', '2', '3', '4', '5', '6']) await append(id)
  bucketOf('2026-11-21').rows.delete(2)
  expect(await restart()).toEqual({ bucket: '2026-11-21', seq: 2 })
  await append('7')
  await follow()
  cut('2026-11-21', 4)
  await expect(follow()).rejects.toMatchObject({ ...damaged, alarm: { seq: 2 } })
})

it('entries between two restarts are read, also where only the second one covers the loss', async () => {
  for (const id of ['1', '2', '3', '4']) await append(id)
  cut('2026-11-21', 3)
  await restart()
  await append('revoked', revocation)
  bucketOf('2026-11-21').rows.delete(2)
  await expect(follow()).rejects.toMatchObject(damaged)
  expect(await restart()).toEqual({ bucket: '2026-11-21', seq: 2 })
  const fresh = start()
  await follow(fresh)
  expect([fresh.counts(), fresh.audit.alarms]).toEqual([false, []])
})

it('a read that is asked for between the end of one and the begin of the next joins the next: two at once looked like a gap', async () => {
  await append('first')
  const { audit } = start()
  const other = start().audit
  const after = async (steps: number, run: () => Promise<unknown>) => {
    for (let step = 0; step < steps; step++) await null
    return run()
  }
  const follow = () => audit.follow()
  // The second waits for the first; the third comes so many steps of the microtask queue later, and an entry meanwhile.
  for (let steps = 0; steps < 40; steps++)
    for (let entrySteps = 0; entrySteps < 40; entrySteps++) {
      const entry = after(entrySteps, () => other.append(event(`${steps}, ${entrySteps}`)))
      await clock.run(Promise.all([follow(), follow(), after(steps, follow), entry]))
    }
  expect(audit.alarms).toEqual([])
})

it('a read of what is left of a damaged log and a read to its end take turns: two at once looked like a gap', async () => {
  for (const id of ['1', '2', '3']) await append(id)
  const end = new ChainEnd({ store, chain: 'main', key, clock, log, anchored: null })
  const follower = new ChainFollower({ store, chain: 'main', end, since: null, note: () => {} })
  // Each page is the one of now, and comes later than that of a read that began before.
  const { rowsFrom } = store
  let pages = 0
  store.rowsFrom = async (...page) => {
    pages += 1
    const turns = pages
    const rows = await rowsFrom.apply(store, page)
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    return rows
  }
  const left = follower.readWhatIsLeft()
  await Promise.all([left, follower.catchUp(), follower.catchUp()])
  expect([end.alarm, follower.at]).toMatchObject([null, { seq: 3 }])
})
