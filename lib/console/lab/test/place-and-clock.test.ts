/** run/hosted-run.ts keeps a run's place for ten seconds: by the monotonic clock, whatever becomes of the wall clock. */
import { CassandraLeaseStore, type Executor } from 'leasehold/cassandra'
import { StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { Log } from '../../http/log/log.ts'
import { HostedRun } from '../run/hosted-run.ts'
import { LabRun } from '../run/lab-run.ts'

const silent: Executor = {
  keyspace: 'k',
  serial: 'SERIAL',
  paxosVariant: 'v2',
  execute: async ({ cql }) => {
    if (!/^(SELECT|DELETE)/.test(cql)) throw new StoreUnavailableError('silent')
    return { rows: [], coordinator: '127.0.0.1' }
  },
}

it('an ended run gives its place up although the wall clock was set back by an hour', async () => {
  const clock = new FakeClock()
  let released = 0
  const facts = {
    run: 'g17aaaaa',
    scenario: null,
    name: 'lab/g17aaaaa/leader',
    ttlSeconds: 10,
    maxClockSkewMs: 100,
    fair: false,
    startedBy: 'ann',
    startedAtMs: clock.now().wallMs,
  }
  const failed = (error: unknown) => {
    throw error
  }
  const storeOver = (executor: Executor) => new CassandraLeaseStore(executor)
  const hosted = new HostedRun(
    new LabRun(facts, null, { session: silent, storeOver, clock, timer: clock, failed }),
    {
      place: { signal: new AbortController().signal, release: async () => void released++ },
      store: { writeRun: async () => {}, writeEntries: async () => {} },
      clock,
      timer: clock,
      log: { warn: () => {} } as unknown as Log,
      gone: () => {},
      distrust: () => null,
      isWatchedElsewhere: async () => false,
    },
  )
  hosted.begin(2)
  await clock.advance(20_000)
  // The wall clock alone.
  clock.suspend(-3_600_000)
  await clock.run(hosted.end('person' as never))
  await clock.advance(60_000)
  expect(released).toBe(1)
})
