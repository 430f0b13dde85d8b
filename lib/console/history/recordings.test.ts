import { expect, it } from 'vitest'
import { CassandraRecordings } from './recordings.ts'

it('a row that no recorder wrote says nothing of what was recorded', async () => {
  const at = (ms: number) => new Date(ms)
  const stretch = {
    began_at: at(1_000),
    until_at: at(2_000),
    recorder: 'r',
    what: 'everything',
    why: 'no-recorder',
  }
  const rows = [{ ...stretch, until_at: at(Number.NaN) }, stretch, { ...stretch, why: 'because' }]
  const session = {
    keyspace: 'k',
    serial: 'SERIAL' as const,
    execute: async () => ({ rows, coordinator: 'n' }),
  }
  const found = await new CassandraRecordings(session, { retentionSeconds: 60 }).between('k.leases', 0, 10)
  expect(found).toEqual([
    { beganMs: 1_000, untilMs: 2_000, recorder: 'r', what: 'everything', why: 'no-recorder' },
  ])
})
