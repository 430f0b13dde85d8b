import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClockReading, NodeFacts, TableFacts } from '../../cassandra/index.ts'
import { worstOf } from '../finding.ts'
import { checkClocks, offsetOf, spreadOf } from './clocks.ts'
import { checkColumns } from './columns.ts'
import { checkPaxosVariant } from './paxos-variant.ts'
import { checkPlainWrites } from './plain-writes.ts'
import { checkReplication } from './replication.ts'
import { checkSerialLevel } from './serial-level.ts'
import { checkCompaction, checkDefaultTtl, checkGcGrace, checkTransactionalMode } from './table-settings.ts'
import { checkVersions } from './versions.ts'

/** Nodes of the data centre dc1, unless said otherwise. */
const nodes = (
  ...each: Partial<NonNullable<NodeFacts['answer']> & { dataCenter: string; silent: boolean }>[]
) =>
  each.map(
    ({ dataCenter = 'dc1', silent = false, ...answer }, index): NodeFacts => ({
      address: `10.0.0.${index + 1}:9042`,
      dataCenter,
      answer: silent ? null : { releaseVersion: '5.0.9', paxosVariant: 'v2', clock: clockOf(0), ...answer },
    }),
  )
/** Read over a network that takes 2 ms there and back. */
const clockOf = (aheadMs: number): ClockReading[] => [{ sentMs: 0, nodeMs: 1_001 + aheadMs, receivedMs: 2 }]
const three = nodes({}, {}, {})

describe('replication', () => {
  const of = (strategy: string, options: Record<string, string>, on = three) =>
    checkReplication({ keyspace: 'k', replication: { strategy, options } }, on)

  it.each([
    [{ dc1: '3' }, three, 'ok', /3 copies .* A quorum is 2; 1 may be down/],
    [{ dc1: '1' }, nodes({}), 'warn', /one node: .* lost disk loses every lease/],
    [{ dc1: '1' }, three, 'warn', /While its node is down.* lost disk loses its leases/],
    [{ dc1: '2' }, three, 'warn', /A quorum of two is both/],
    [{ dc1: '3' }, nodes({}, {}), 'warn', /The nodes can keep 2/],
    [{ dc1: '3' }, nodes({}), 'fail', /A quorum is 2 of them, and the nodes can keep 1/],
    [{ dc1: '3', dc2: '3' }, three, 'fail', /A quorum is 4 of them, and the nodes can keep 3/],
    [{ dc1: '1', dc2: '0' }, nodes({}), 'warn', /dc1: 1\)/],
  ])('%j', (options, on, verdict, found) => {
    expect(of('NetworkTopologyStrategy', options, on)).toMatchObject({
      verdict,
      found: expect.stringMatching(found),
    })
  })

  it('knows other strategies, and a missing keyspace', () => {
    expect(of('SimpleStrategy', { replication_factor: '3' })).toMatchObject({ verdict: 'warn' })
    expect(of('LocalStrategy', {})).toMatchObject({ verdict: 'unknown' })
    expect(checkReplication({ keyspace: 'k', replication: null }, three)).toMatchObject({ verdict: 'fail' })
  })
})

it('the serial level follows the advice of the session', () => {
  expect(checkSerialLevel('SERIAL', null)).toMatchObject({ verdict: 'ok' })
  expect(checkSerialLevel('LOCAL_SERIAL', 'two data centres can each grant a lease.')).toMatchObject({
    verdict: 'warn',
    found: expect.stringMatching(/two data centres/),
  })
})

it.each([
  [['v2', 'v2'], 'ok', /v2 on all 2 nodes/],
  [['v1', 'v1'], 'warn', /TTL of 11 s/],
  [['absent', 'absent'], 'warn', /paxos_variant is v1/],
  [['v1', 'v2'], 'fail', /10\.0\.0\.1:9042 has v1, 10\.0\.0\.2:9042 has v2/],
  [['v2', 'v2_without_linearizable_reads'], 'fail', /may show an older row/],
  [[null, null], 'unknown', /may not read/],
  [[null, 'v2'], 'ok', /the one node that was asked/],
])('paxos variants %j', (variants, verdict, found) => {
  const on = nodes(...variants.map((paxosVariant) => ({ paxosVariant })))
  expect(checkPaxosVariant(on)).toMatchObject({ verdict, found: expect.stringMatching(found) })
})

it.each([
  [['5.0.9', '5.0.9'], 'ok'],
  [['4.1.4'], 'ok'],
  [['5.0.9', '5.0.8'], 'warn'],
  [['4.0.12'], 'warn'],
  [['3.11.19'], 'warn'],
  [['6.0-alpha2'], 'warn'],
  [[], 'unknown'],
])('versions %j: %s', (versions, verdict) => {
  expect(checkVersions(nodes(...versions.map((releaseVersion) => ({ releaseVersion }))))).toMatchObject({
    verdict,
  })
})

describe('clocks', () => {
  it.each([
    [[0], 'ok', /one clock/],
    [[0, 20, -30], 'ok', /apart at most/],
    [[0, 400], 'fail', /10\.0\.0\.2:9042 is ahead of 10\.0\.0\.1:9042/],
    [[0, 251], 'unknown', /took too long/],
  ])('%j ms ahead: %s', (ahead, verdict, found) => {
    const on = nodes(...ahead.map((ms) => ({ clock: clockOf(ms) })))
    expect(checkClocks(on, 500)).toMatchObject({ verdict, found: expect.stringMatching(found) })
  })

  it('cannot tell of a node that does not answer, unless the others are apart already', () => {
    expect(checkClocks(nodes({}, { silent: true }), 500)).toMatchObject({ verdict: 'unknown' })
    const apart = nodes({}, { clock: clockOf(900) }, { silent: true })
    expect(checkClocks(apart, 500)).toMatchObject({ verdict: 'fail' })
  })

  it('bounds the true difference, however long answers take', () => {
    const reading = fc.record({ thereMs: fc.nat(300), backMs: fc.nat(300), atMs: fc.nat(10_000) })
    const node = fc.record({
      aheadMs: fc.integer({ min: -2_000, max: 2_000 }),
      readings: fc.array(reading, { minLength: 1, maxLength: 5 }),
    })
    fc.assert(
      fc.property(fc.array(node, { minLength: 2, maxLength: 6 }), (cluster) => {
        const offsets = cluster.map(({ aheadMs, readings }) =>
          offsetOf(
            readings.map(({ thereMs, backMs, atMs }) => ({
              sentMs: atMs,
              nodeMs: Math.floor(atMs + thereMs + aheadMs),
              receivedMs: atMs + thereMs + backMs,
            })),
          ),
        )
        const ahead = cluster.map(({ aheadMs }) => aheadMs)
        const trueMs = Math.max(...ahead) - Math.min(...ahead)
        const { leastMs, mostMs } = spreadOf(offsets)
        expect(leastMs).toBeLessThanOrEqual(trueMs)
        expect(mostMs).toBeGreaterThanOrEqual(trueMs)
      }),
    )
  })
})

describe('columns', () => {
  const mapping = { table: 't', name: 'name', owner: 'owner', value: 'value' }
  const columns = [
    { name: 'name', kind: 'partition_key', type: 'text' },
    { name: 'owner', kind: 'regular', type: 'text' },
    { name: 'value', kind: 'regular', type: 'text' },
  ]
  const settings = {} as TableFacts['settings']
  const of = (
    given: typeof columns,
    mapped: typeof mapping | { table: string; name: string; owner: null; value: null } = mapping,
  ) => checkColumns({ keyspace: 'k', table: 't', settings, columns: given, dropped: [] }, mapped)

  it.each([
    ['as they must be', columns, 'ok', /has the columns/],
    ['without the value', columns.slice(0, 2), 'fail', /the column value is missing/],
    [
      'with a number for an owner',
      columns.map((c) => (c.name === 'owner' ? { ...c, type: 'int' } : c)),
      'fail',
      /owner is of the type int/,
    ],
    [
      'with a static owner',
      columns.map((c) => (c.name === 'owner' ? { ...c, kind: 'static' } : c)),
      'fail',
      /owner is a static column/,
    ],
    [
      'with a clustering column',
      [...columns, { name: 'slot', kind: 'clustering', type: 'int' }],
      'fail',
      /slot is part of the key too/,
    ],
    [
      'with one more',
      [...columns, { name: 'host', kind: 'regular', type: 'text' }],
      'warn',
      /further columns: host/,
    ],
  ])('%s', (_, given, verdict, found) => {
    expect(of(given)).toMatchObject({ verdict, found: expect.stringMatching(found) })
  })

  it('fails on a column that was dropped with a time in the future, and added again', () => {
    const given = { keyspace: 'k', table: 't', settings, columns }
    const dropped = (aheadMs: number) =>
      checkColumns({ ...given, dropped: [{ name: 'owner', aheadMs }] }, mapping)
    expect(dropped(90_000)).toMatchObject({ verdict: 'fail', found: expect.stringMatching(/90 s ahead/) })
    expect(dropped(-90_000)).toMatchObject({ verdict: 'ok' })
  })

  it('knows a table of names alone, and a missing one', () => {
    const lock = { table: 'lock', name: 'name', owner: null, value: null }
    expect(of(columns.slice(0, 1), lock)).toMatchObject({
      verdict: 'ok',
      found: expect.stringMatching(/no owner column/),
    })
    expect(
      checkColumns({ keyspace: 'k', table: 't', settings: null, columns: [], dropped: [] }, mapping),
    ).toMatchObject({
      verdict: 'fail',
      found: 'There is no table k.t.',
    })
  })
})

const settings = {
  defaultTtlSeconds: 180,
  gcGraceSeconds: 10_800,
  compaction: 'LeveledCompactionStrategy',
  transactionalMode: null,
  migratesFrom: null,
}
it.each([
  [checkDefaultTtl, {}, 'ok'],
  [checkDefaultTtl, { defaultTtlSeconds: 0 }, 'warn'],
  [checkDefaultTtl, { defaultTtlSeconds: 604_800 }, 'warn'],
  [checkGcGrace, {}, 'ok'],
  [checkGcGrace, { gcGraceSeconds: 60 }, 'warn'],
  [checkGcGrace, { gcGraceSeconds: 864_000 }, 'warn'],
  [checkCompaction, {}, 'ok'],
  [checkCompaction, { compaction: 'UnifiedCompactionStrategy' }, 'ok'],
  [checkCompaction, { compaction: 'SizeTieredCompactionStrategy' }, 'warn'],
  [checkTransactionalMode, {}, 'ok'],
  [checkTransactionalMode, { transactionalMode: 'off' }, 'ok'],
  [checkTransactionalMode, { transactionalMode: 'off', migratesFrom: 'full' }, 'fail'],
  [checkTransactionalMode, { transactionalMode: 'full' }, 'fail'],
  [checkTransactionalMode, { transactionalMode: 'full', migratesFrom: 'off' }, 'fail'],
  [checkTransactionalMode, { transactionalMode: 'mixed_reads' }, 'fail'],
] as const)('%o with %j: %s', (check, changed, verdict) => {
  const judged = check({ ...settings, ...changed }, '"k"."t"')
  expect(judged).toMatchObject({ verdict })
  expect(judged.whatToDo === null).toBe(verdict === 'ok')
})

describe('plain writes', () => {
  const nowMs = Date.UTC(2026, 0, 1)
  const row = (aheadMs: number) => ({
    name: 'a',
    writtenMicros: BigInt(nowMs + aheadMs) * 1_000n,
    nodeMs: nowMs,
  })
  it.each([
    ['now', row(0), 'ok'],
    ['by a clock that is ahead as far as clocks may be', row(1_400), 'ok'],
    ['in the future', row(1_600), 'warn'],
    ['in the future of milliseconds', { ...row(0), writtenMicros: BigInt(nowMs) }, 'warn'],
    ['with the timestamp 1', { ...row(0), writtenMicros: 1n }, 'warn'],
    ['without an owner', { ...row(0), writtenMicros: null }, 'ok'],
  ])('a row that was written %s', (_, written, verdict) => {
    expect(checkPlainWrites([written], 500)).toMatchObject({ verdict })
  })

  it('names three of them', () => {
    const rows = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...row(60_000), name }))
    expect(checkPlainWrites(rows, 500).found).toContain('"a", "b", "c", and 2 more')
    expect(checkPlainWrites(null, 500)).toMatchObject({ verdict: 'unknown' })
  })
})

it('the worst verdict is that of all', () => {
  const of = (...verdicts: ('ok' | 'warn' | 'fail' | 'unknown')[]) =>
    worstOf(verdicts.map((verdict) => ({ verdict, found: '', whatToDo: null })))
  expect([of(), of('ok', 'unknown'), of('unknown', 'warn'), of('ok', 'warn', 'fail')]).toEqual([
    'ok',
    'unknown',
    'warn',
    'fail',
  ])
})
