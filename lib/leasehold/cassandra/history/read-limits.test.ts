import { expect, it } from 'vitest'
import { dayMs } from '../../history/index.ts'
import type { Executor } from '../session/executor.ts'
import { CassandraEventStore } from './event-store.ts'

const fromMs = Date.UTC(2026, 0, 1)

/** A table with more rows than any statement asks for: a gap of a millisecond each, newest first. */
const endless = {
  keyspace: 'k',
  serial: 'SERIAL',
  execute: async (_: unknown, params: unknown[]) => ({
    rows: Array.from({ length: params.at(-1) as number }, (_, i) => ({
      id: `${i}`,
      not_before: new Date(fromMs + dayMs - i - 1),
      not_after: new Date(fromMs + dayMs - i),
    })),
    coordinator: '',
  }),
} as unknown as Executor

it('where a day has more gaps than are read, what is older than those passes for a gap', async () => {
  const gaps = await new CassandraEventStore(endless).gaps('job', { fromMs, toMs: fromMs + dayMs })
  expect(gaps.length).toBeGreaterThan(34 * 2 * 24 * 60)
  const [read, rest] = gaps.slice(-2)
  expect(rest).toMatchObject({ fromMs, toMs: read?.fromMs, what: 'everything' })
})
