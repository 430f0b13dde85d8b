import { CassandraLeaseStore, type Executor } from 'leasehold/cassandra'
import { isLeaseholdError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { labBounds } from '../../../contract/lab/lab-bounds.ts'
import { LabRun } from './lab-run.ts'

/** Of a Cassandra that has no rows, and takes none. */
const silent: Executor = {
  keyspace: 'k',
  serial: 'SERIAL',
  paxosVariant: 'v2',
  execute: async ({ cql }) => {
    if (!/^SELECT/.test(cql)) throw new StoreUnavailableError('silent')
    return { rows: [], coordinator: '127.0.0.1' }
  },
}

let clock: FakeClock
let run: LabRun

beforeEach(() => {
  clock = new FakeClock()
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
    if (!isLeaseholdError(error, 'store-unavailable')) throw error
  }
  const storeOver = (executor: Executor) => new CassandraLeaseStore(executor)
  run = new LabRun(facts, null, { session: silent, storeOver, clock, timer: clock, failed })
})

const kinds = () => run.journal.entries.map(({ kind }) => kind)
const hold = (on: boolean) => run.act({ act: 'fault', candidate: 'c1', fault: 'hold-next', on }, 'ann')
const letGo = () => run.journal.entries.filter(({ kind }) => kind === 'let-go')

/** @returns the number of the write that is held back */
async function heldWrite(): Promise<number> {
  hold(true)
  await clock.advance(5_000)
  const sent = run.journal.entries.find(
    (entry) => entry.kind === 'sent' && entry.by === 'c1' && entry.purpose === 'acquire',
  )
  expect(kinds()).toContain('sent')
  return sent?.kind === 'sent' ? sent.statement : -1
}

it('a write of a candidate that crashed can be let go once its id was given to another one', async () => {
  run.begin(labBounds.candidates.max)
  const statement = await heldWrite()
  run.act({ act: 'fault', candidate: 'c1', fault: 'crashed', on: true }, 'ann')
  expect(run.act({ act: 'join' }, 'ann')).toBeNull()
  expect(run.journal.entries.at(-1)).toMatchObject({ kind: 'joined', candidate: 'c1' })
  expect(hold(false)).toBeNull()
  expect(letGo()).toMatchObject([{ statement }])
})

it('a write of a candidate that left can be let go, and no other act reaches that candidate', async () => {
  run.begin(2)
  const statement = await heldWrite()
  run.act({ act: 'leave', candidate: 'c1' }, 'ann')
  expect(run.act({ act: 'resign', candidate: 'c1' }, 'ann')).toBe('There is no candidate c1 in this run.')
  expect(hold(true)).toBe('There is no candidate c1 in this run.')
  expect(hold(false)).toBeNull()
  expect(letGo()).toMatchObject([{ statement }])
})

it('a run ends after its beginning although the wall clock was set back by an hour', async () => {
  const startedAt = clock.now().wallMs
  run.begin(2)
  await clock.advance(20_000)
  // The wall clock alone.
  clock.suspend(-3_600_000)
  await clock.run(run.end('person'))
  const ended = run.journal.entries.at(-1)
  expect(ended).toMatchObject({ kind: 'ended', why: 'person' })
  expect(Date.parse(run.json().endsAt) - startedAt).toBe(ended?.atMs)
})
