/** Days of the audit log that were deleted, and read past after an operator had restarted the log. */
import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { event, testKey, testLog } from '../test-audit.ts'
import { MemoryAuditStore } from '../test-memory-audit-store.ts'
import { ChainReader } from './chain-reader.ts'
import { isOursWith } from './own-rows.ts'
import { restartChain } from './restart-chain.ts'

const dayMs = 86_400_000
const damaged = { code: 'audit-damaged' }

it('a deleted day raises the alarm of each console that reads it, until it was restarted for that day', async () => {
  const key = testKey()
  const clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  const store = new MemoryAuditStore()
  /** With an empty data directory: the whole log is read. */
  const start = () => testLog({ store, clock, timer: clock, key }).audit
  const append = (id: string) => clock.run(start().append(event(id)))
  const follow = (audit = start()) => clock.run(audit.follow())
  const restart = async () => {
    const isOurs = isOursWith(key, 'main')
    const gap = await clock.run(new ChainReader({ store, chain: 'main', isOurs, since: null }).read(null))
    const actor = {
      username: 'root',
      role: 'admin',
      via: 'terminal',
      address: null,
      requestId: null,
    } as const
    const anchor = async () => {}
    await clock.run(
      restartChain({
        store,
        keyspace: 'k',
        key,
        clock,
        anchored: null,
        gap,
        anchor,
        actor,
        reason: 'a day is gone',
      }),
    )
    return gap
  }
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
