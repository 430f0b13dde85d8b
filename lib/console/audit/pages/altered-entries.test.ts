/** Entries of the audit log that the writer's role has changed after a console wrote them. */
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it, vi } from 'vitest'
import { ChainReader } from '../chain/end/chain-reader.ts'
import { isOursWith } from '../chain/end/own-rows.ts'
import { restartChain } from '../chain/end/restart/restart-chain.ts'
import { event, restartTestLog, testKey, testLog } from '../chain/test-audit.ts'
import { MemoryAuditStore } from '../chain/test-memory-audit-store.ts'

const dayMs = 86_400_000
const intent = { phase: 'intent', outcome: null } as const

let key = testKey()
let clock: FakeClock
let store: MemoryAuditStore

beforeEach(() => {
  key = testKey()
  clock = new FakeClock(Date.UTC(2026, 10, 18, 12))
  store = new MemoryAuditStore()
})

const start = (since = null as Parameters<typeof testLog>[0]['since']) =>
  testLog({ store, clock, timer: clock, key, since }).audit
const append = (audit: ReturnType<typeof start>, id: string, changes = {}) =>
  clock.run(audit.append(event(id, changes)))

/** As the writer's role can: another body in the same place. */
function edit(
  bucket: string,
  seq: number,
  change: (body: Record<string, unknown>) => unknown,
  chain = 'main',
) {
  const { rows } = store.buckets.get(`${chain}:${bucket}`)!
  const row = rows.get(seq)!
  rows.set(seq, { ...row, body: JSON.stringify(change(JSON.parse(row.body))) })
}

const shown = async (audit: ReturnType<typeof start>, chain: 'main' | 'refused' = 'main') =>
  (await clock.run(audit.page({ chain }))).entries.map(({ id, unverified }) => [id, unverified])

it('an entry that was changed is shown as altered, with an alarm, and acts go on', async () => {
  const audit = start()
  for (const id of ['1', '2', '3']) await append(audit, id)
  edit('2026-11-18', 2, (body) => ({ ...body, reason: 'nothing to see here' }))
  expect(await shown(audit)).toEqual([
    ['3', undefined],
    ['2', 'altered'],
    ['1', undefined],
  ])
  expect(audit.alarms).toMatchObject([{ chain: 'main', kind: 'altered', bucket: '2026-11-18', seq: 2 }])
  await append(audit, '4')
})

it.each([
  ['a hash of another key', () => ({ keyId: testKey().id })],
  ['the place of another entry', (body: object) => ({ ...body, seq: 1 })],
])('an entry with %s is altered', async (_what, change) => {
  const audit = start()
  for (const id of ['1', '2']) await append(audit, id)
  edit('2026-11-18', 2, (body) => ({ ...body, ...change(body) }))
  expect(await shown(audit)).toContainEqual(['2', 'altered'])
  expect(audit.alarms).toMatchObject([{ kind: 'altered', seq: 2 }])
})

it('an entry that was made unreadable raises the alarm', async () => {
  const audit = start()
  for (const id of ['1', '2', '3']) await append(audit, id)
  edit('2026-11-18', 2, () => ({}))
  expect(await shown(audit)).toEqual([
    ['3', undefined],
    ['1', undefined],
  ])
  expect(audit.alarms).toMatchObject([{ kind: 'altered', seq: 2 }])
})

it('the alarm is over when the entry is as it was, and an altered refusal raises one too', async () => {
  const audit = start()
  await append(audit, '1', { act: 'sign-in', outcome: 'refused' })
  const rows = store.buckets.get('refused:2026-11-18')!.rows
  const before = rows.get(1)!
  edit('2026-11-18', 1, (body) => ({ ...body, id: 'x' }), 'refused')
  expect(await shown(audit, 'refused')).toEqual([['x', 'altered']])
  expect(audit.alarms).toMatchObject([{ chain: 'refused', kind: 'altered' }])
  rows.set(1, before)
  await clock.run(audit.lookForChanges())
  expect(audit.alarms).toEqual([])
})

it('the alarm is over once an operator has restarted the log for it; the entry stays marked', async () => {
  const audit = start()
  for (const id of ['1', '2', '3']) await append(audit, id)
  await clock.advance(dayMs)
  await append(audit, '4')
  edit('2026-11-18', 2, (body) => ({ ...body, reason: 'x' }))
  await shown(audit)
  await clock.run(audit.lookForChanges())
  expect(audit.alarms).toMatchObject([{ kind: 'altered' }])
  const isOurs = isOursWith(key, 'main')
  const gap = await clock.run(new ChainReader({ store, chain: 'main', isOurs, since: null }).read(null))
  await clock.run(
    restartChain({
      store,
      chain: 'main',
      keyspace: 'k',
      key,
      clock,
      anchored: null,
      gap,
      reason: 'an entry was changed',
      anchor: async () => {},
      actor: { username: 'root', role: 'admin', via: 'terminal', address: null, requestId: null },
    }),
  )
  await clock.run(audit.lookForChanges())
  expect(audit.alarms).toEqual([])
  const later = start()
  for (const each of [audit, later]) {
    expect(await shown(each)).toContainEqual(['2', 'altered'])
    expect(each.alarms).toEqual([])
  }
  // A page that is read every other second does not look for that restart each time.
  const listed = vi.spyOn(store, 'partitions')
  await shown(later)
  expect(listed).not.toHaveBeenCalled()
})

it('an entry that is changed before one for which the log was restarted raises the alarm', async () => {
  for (const id of ['1', '2', '3', '4']) await append(start(), id)
  const change = (seq: number) => edit('2026-11-18', seq, (body) => ({ ...body, reason: 'x' }))
  change(3)
  await clock.run(restartTestLog({ store, key, clock }))
  const audit = start()
  await shown(audit)
  change(4)
  await shown(audit)
  expect(audit.alarms).toEqual([])
  change(2)
  await shown(audit)
  expect(audit.alarms).toMatchObject([{ kind: 'altered', bucket: '2026-11-18', seq: 2 }])
})

it('an entry of a key from before a rekey is shown as not checked, without an alarm', async () => {
  const lost = testLog({ store, clock, timer: clock }).audit
  const { bucket, seq, hash } = await append(lost, 'old')
  const rekeyed = await clock.run(
    restartChain({
      store,
      chain: 'main',
      keyspace: 'k',
      key,
      clock,
      anchored: { bucket, seq, hash },
      gap: null,
      reason: 'lost',
      anchor: async () => {},
      actor: { username: 'root', role: 'admin', via: 'terminal', address: null, requestId: null },
    }),
  )
  const audit = start(rekeyed)
  await append(audit, 'new')
  expect(await shown(audit)).toContainEqual(['old', 'other-key'])
  expect(audit.alarms).toEqual([])
  const newest = (await append(audit, 'last')).bucket
  edit(newest, 2, (body) => ({ ...body, keyId: testKey().id }))
  expect(await shown(audit)).toContainEqual(['new', 'altered'])
  expect(audit.alarms).toMatchObject([{ kind: 'altered', bucket: newest, seq: 2 }])
})

it('neither a forged intent nor a forged outcome counts for the recovery', async () => {
  const audit = start()
  await append(audit, 'an event')
  await append(audit, 'real', intent)
  await append(audit, 'another event')
  edit('2026-11-18', 1, (body) => ({ ...body, ...intent, id: 'forged' }))
  edit('2026-11-18', 3, (body) => ({ ...body, phase: 'outcome', id: 'real' }))
  expect((await clock.run(audit.openIntents())).map(({ id }) => id)).toEqual(['real'])
  expect(audit.alarms).toMatchObject([{ kind: 'altered', bucket: '2026-11-18' }])
})
