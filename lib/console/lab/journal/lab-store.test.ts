import type { Executor } from 'leasehold/cassandra'
import { expect, it } from 'vitest'
import { LabStore } from './lab-store.ts'

const startedAtMs = Date.UTC(2026, 0, 1)
const facts = {
  run: 'g17aaaaa',
  scenario: null,
  name: 'lab/g17aaaaa/leader',
  ttlSeconds: 10,
  maxClockSkewMs: 100,
  fair: false,
  startedBy: 'ann',
  startedAtMs,
}

it.each([
  ['that took a second', startedAtMs + 1_000, 1_000_000n],
  ['in the millisecond of its beginning', startedAtMs, 1_000n],
  ['by a wall clock that was set back by an hour', startedAtMs - 3_600_000, 1_000n],
])('the end of a run %s is written over its beginning', async (_, endedAtMs, laterMicros) => {
  const written: unknown[] = []
  const session: Executor = {
    keyspace: 'k',
    serial: 'SERIAL',
    paxosVariant: 'v2',
    execute: async (_statement, params) => {
      written.push(params.at(-1))
      return { rows: [], coordinator: '127.0.0.1' }
    },
  }
  const store = new LabStore(session)
  await store.writeRun({ facts, ended: null })
  await store.writeRun({ facts, ended: { endedAtMs, step: null } })
  const beganMicros = BigInt(startedAtMs) * 1_000n
  expect(written).toEqual([beganMicros, beganMicros + laterMicros])
})

it('other requests come in between the rows of a journal that is read', async () => {
  let turn = 0
  const count = () => {
    turn++
    if (turn < 100) setImmediate(count)
  }
  const turns: number[] = []
  const row = (seq: number) => ({
    first: seq,
    get body() {
      turns.push(turn)
      return JSON.stringify([{ seq, atMs: seq, kind: 'caption', step: 0 }])
    },
  })
  const session: Executor = {
    keyspace: 'k',
    serial: 'SERIAL',
    paxosVariant: 'v2',
    execute: async () => ({ rows: [row(0), row(1), row(2)], coordinator: '127.0.0.1' }),
  }
  setImmediate(count)
  expect(await new LabStore(session).entries(facts.run, 0)).toHaveLength(3)
  expect(new Set(turns).size).toBe(3)
})
