/** Consoles follow the end of the chain of refusals: whom its loss alarms, when, and what that costs. */
import { FakeClock } from 'leasehold/testing'
import { describe, expect, it, vi } from 'vitest'
import { serverActor } from './actor.ts'
import { restartDamaged } from './chain/end/restart/restart-damaged.ts'
import { event, refusal, testKey, testLog } from './chain/test-audit.ts'
import { MemoryAuditStore } from './chain/test-memory-audit-store.ts'
import { day } from './chain/test-stored-log.ts'

describe('following the chain of refusals', () => {
  /** Consoles with a data directory each, which follow the log. */
  function setUpTwo() {
    const clock = new FakeClock(day)
    const store = new MemoryAuditStore()
    const key = testKey()
    const consoles = [1, 2].map(() => testLog({ store, clock, timer: clock, key }))
    const ending = new AbortController()
    const watching = consoles.map(({ audit }) => audit.watch(ending.signal))
    const end = async () => {
      ending.abort()
      await clock.run(Promise.all(watching))
    }
    return { clock, store, key, consoles, end }
  }
  const alarmsOf = (consoles: ReturnType<typeof setUpTwo>['consoles']) =>
    consoles.map(({ audit }) => audit.alarms.map(({ chain, kind }) => `${chain} ${kind}`))

  it('a deleted day raises the alarm of each console within a second, and each goes on a second after a restart from any', async () => {
    for (const from of [0, 1]) {
      const { clock, store, key, consoles, end } = setUpTwo()
      await clock.run(consoles[0]!.audit.append(refusal('before')))
      clock.suspend(86_400_000)
      await clock.run(consoles[0]!.audit.append(refusal('1')))
      await clock.advance(60_000)
      expect(alarmsOf(consoles)).toEqual([[], []])
      store.buckets.delete(store.partitionOf('refused', '2026-11-22'))
      await clock.advance(1_100)
      expect(alarmsOf(consoles)).toEqual([['refused backwards'], ['refused backwards']])
      const { anchors } = consoles[from]!
      expect(anchors).toContainEqual({
        ...{ at: '2026-11-22T12:00:00.000Z', keyspace: 'memory', chain: 'refused', seq: 1, keyId: key.id },
        ...{ bucket: expect.stringMatching(/^2026-11-22#/), hash: expect.any(String) },
      })
      const anchor = async () => {}
      const options = { store, keyspace: 'memory', key, clock, anchors, anchor, actor: serverActor }
      const places = { since: null, followed: null }
      await clock.run(restartDamaged({ ...options, reason: 'a day was deleted' }, places))
      await clock.advance(1_100)
      expect(alarmsOf(consoles)).toEqual([[], []])
      const written = []
      for (const { audit } of consoles) written.push(await clock.run(audit.append(refusal('2'))))
      expect(written.map(({ seq }) => seq)).toEqual([2, 3])
      await end()
    }
  })

  it('costs one read a second, and no list of the partitions where the chain is empty or has expired', async () => {
    const { clock, store, consoles, end } = setUpTwo()
    await clock.run(consoles[0]!.audit.append(event('1')))
    await clock.advance(60_000)
    const lists = vi.spyOn(store, 'partitions')
    const reads = vi.spyOn(store, 'head')
    const readsOf = () => reads.mock.calls.filter(([partition]) => partition.startsWith('refused')).length
    const second = async () => {
      lists.mockClear()
      reads.mockClear()
      await clock.advance(10_000)
      return [lists.mock.calls.length, readsOf()]
    }
    expect(await second()).toEqual([0, 0])
    for (const { audit } of consoles) await clock.run(audit.append(refusal('a')))
    await clock.advance(60_000)
    expect(await second()).toEqual([0, 20])
    // To 23:35: the clocks of consoles and nodes differ, and an entry of a day that expires at midnight may be gone.
    clock.suspend(29 * 86_400_000 + 11.5 * 3_600_000)
    for (const partition of store.buckets.keys())
      if (partition.startsWith('refused')) store.buckets.delete(partition)
    await clock.advance(60_000)
    expect([await second(), alarmsOf(consoles)]).toEqual([
      [0, 0],
      [[], []],
    ])
    await end()
  })
})
