import { randomBytes } from 'node:crypto'
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import { StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { systemTimer } from 'leasehold/time'
import { expect, it } from 'vitest'
import type { Lease } from '../../contract/leases/lease.ts'
import { ActSends, ActWindow, actAfterPermitMs } from '../http/act-window.ts'
import { RowSeal } from '../store/row-seal.ts'
import { RowVersions } from '../store/row-versions.ts'
import { type RefusedRow, SealedRows } from '../store/sealed-rows.ts'
import { planOf } from './plans.ts'
import { noReport } from './release-record.ts'
import { sealedColumns } from './release-statements.ts'
import { ReleaseStore } from './release-store.ts'

const at = '2026-01-02T03:04:05.000Z'
const lease: Lease = {
  table: 'leases',
  name: 'job',
  owner: 'holder',
  value: null,
  state: 'held',
  version: '7',
  writtenAt: at,
  expiresAt: at,
  remainingMs: 1,
  valueRemainingMs: null,
  ttlSeconds: 30,
  read: { level: 'SERIAL', at },
}
const plan = planOf('ann', lease, Date.now())

interface OfOne {
  timer?: FakeClock
  /** Called at each move of the row. */
  moved?: () => void
  /** Called at each read of the row. */
  read?: () => void
}

/** What a move sets, in this order. */
const set = [...sealedColumns.filter((column) => column !== 'id' && column !== 'plan'), 'version', 'seal']

/** A store over one row, which the test may change. */
function storeOfOne({ timer, moved = () => {}, read = () => {} }: OfOne = {}) {
  let row: Record<string, unknown> | undefined
  let listed: { id: string }[] = []
  const statements: string[] = []
  const remembered: unknown[][] = []
  const session = {
    keyspace: 'k',
    serial: 'SERIAL',
    execute: async ({ cql }: Statement, values: unknown[]) => {
      statements.push(cql)
      if (/SELECT .*awaiting_releases/.test(cql))
        return { rows: listed.slice(0, Number(values[0])), coordinator: '' }
      // Not the rows of the lists beside it.
      if (/INSERT .*releases_by_lease/.test(cql)) remembered.push(values)
      if (/SELECT .*releases_by_lease/.test(cql)) {
        const ids = remembered.filter(([list]) => list === values[0]).map(([, , , id]) => ({ id }))
        return { rows: ids.reverse().slice(0, Number(/LIMIT (\d+)/.exec(cql)?.[1])), coordinator: '' }
      }
      if (cql.startsWith('INSERT') && cql.includes('.releases ')) {
        const [id, state, text, attempt, version, seal] = values
        const empty = Object.fromEntries(sealedColumns.map((column) => [column, null]))
        row = { ...empty, id, state, plan: text, attempt, version, seal }
        return { rows: [{ '[applied]': true }], coordinator: '' }
      }
      if (cql.startsWith('UPDATE')) {
        moved()
        row = { ...row, ...Object.fromEntries(set.map((column, i) => [column, values[i] ?? null])) }
        return { rows: [{ '[applied]': true }], coordinator: '' }
      }
      if (cql.startsWith('SELECT')) read()
      return { rows: row === undefined ? [] : [row], coordinator: '' }
    },
  }
  const refused: RefusedRow[] = []
  const nowMs = () => Date.now()
  const versions = new RowVersions(nowMs)
  const seal = new RowSeal(randomBytes(32))
  const rows = new SealedRows({ seal, versions, nowMs, report: (each) => refused.push(each) })
  const store = new ReleaseStore({
    session: session as unknown as CassandraSession,
    rows,
    timer: timer ?? systemTimer,
  })
  const change = (changed: Record<string, unknown>) => {
    row = { ...row, ...changed }
  }
  const list = (rows: { id: string }[]) => {
    listed = rows
  }
  return { store, refused, versions, change, list, statements, remembered }
}

it('reads the plan that it wrote', async () => {
  const { store, refused } = storeOfOne()
  await store.insert(plan)
  expect(await store.read(plan.id)).toMatchObject({ state: 'planned', plan, version: 1 })
  expect(refused).toEqual([])
})

it.each([
  ['another holder', { plan: JSON.stringify({ ...plan, lease: { ...lease, owner: 'other' } }) }, 'seal'],
  ['text that is no plan', { plan: '{' }, 'seal'],
  ['no seal', { seal: null }, 'seal'],
])('ignores a row with %s, and reports it like every sealed row', async (_, changed, why) => {
  const { store, refused, change } = storeOfOne()
  await store.insert(plan)
  change(changed)
  expect(await store.read(plan.id)).toBeNull()
  expect(refused).toEqual([{ table: 'releases', key: plan.id, why }])
})

it('passes over a row that is older than the audit log says', async () => {
  const { store, refused, versions } = storeOfOne()
  await store.insert(plan)
  versions.note({ table: 'releases', key: plan.id, version: 2 })
  expect(await store.read(plan.id)).toBeNull()
  expect(refused).toEqual([{ table: 'releases', key: plan.id, why: 'older' }])
})

it('a move without an answer is not sent again once its request is old, and whether the row was moved is unknown', async () => {
  const clock = new FakeClock()
  let moves = 0
  const moved = () => {
    moves += 1
    clock.suspend(actAfterPermitMs + 1)
    throw new StatementUnknownError('No answer came.', 'never')
  }
  const { store } = storeOfOne({ timer: clock, moved })
  await store.insert(plan)
  const { beforeSend } = new ActSends(new ActWindow(clock))
  const request = { mode: 'kill', reason: 'test', by: 'ann', atMs: 0 } as const
  await expect(clock.run(store.request(plan, 'acting', request, beforeSend))).rejects.toMatchObject({
    code: 'statement-unknown',
    message: expect.stringMatching(/unknown whether the plan was used up/),
  })
  expect(moves).toBe(1)
})

it('a move whose first try got no answer, and whose second one was not sent, may have moved the row', async () => {
  const clock = new FakeClock()
  const failures = [new StatementUnknownError('No answer came.', 'never')]
  const moved = () => {
    throw failures.shift() ?? new StoreUnavailableError('No node answers.')
  }
  const { store } = storeOfOne({ timer: clock, moved })
  await store.insert(plan)
  const request = { mode: 'kill', reason: 'test', by: 'ann', atMs: 0 } as const
  await expect(clock.run(store.request(plan, 'acting', request))).rejects.toMatchObject({
    code: 'statement-unknown',
    message: expect.stringMatching(/unknown whether the plan was used up/),
  })
})

it('a move that was answered, and whose row cannot be read then, may have used the plan up', async () => {
  const clock = new FakeClock()
  let isAway = false
  const moved = () => {
    isAway = true
  }
  const read = () => {
    if (isAway) throw new StoreUnavailableError('No node answers.')
  }
  const { store } = storeOfOne({ timer: clock, moved, read })
  await store.insert(plan)
  const request = { mode: 'kill', reason: 'test', by: 'ann', atMs: 0 } as const
  await expect(clock.run(store.request(plan, 'acting', request))).rejects.toMatchObject({
    code: 'statement-unknown',
    message: expect.stringMatching(/unknown whether the plan was used up/),
  })
})

it('a request for a second person whose tries all got no answer may wait', async () => {
  const clock = new FakeClock()
  const moved = () => {
    throw new StatementUnknownError('No answer came.', 'never')
  }
  const { store } = storeOfOne({ timer: clock, moved })
  await store.insert(plan)
  const request = { mode: 'kill', reason: 'test', by: 'ann', atMs: 0 } as const
  await expect(clock.run(store.request(plan, 'awaiting-approval', request))).rejects.toMatchObject({
    code: 'statement-unknown',
    message: expect.stringMatching(/unknown whether the release waits for a second person/),
  })
})

it('a move that was not sent says so', async () => {
  const clock = new FakeClock()
  const moved = () => {
    throw new StoreUnavailableError('No node answers.')
  }
  const { store } = storeOfOne({ timer: clock, moved })
  await store.insert(plan)
  const request = { mode: 'kill', reason: 'test', by: 'ann', atMs: 0 } as const
  await expect(clock.run(store.request(plan, 'acting', request))).rejects.toThrow('No node answers.')
})

it('a lease remembers a kill for as long as its holder may go on, and a day more', async () => {
  const daySeconds = 86_400
  for (const [mode, ttlSeconds, seconds] of [
    ['ask', 7 * daySeconds, daySeconds],
    ['break', 7 * daySeconds, daySeconds],
    ['kill', 30, daySeconds + 30],
    ['kill', 7 * daySeconds, 8 * daySeconds],
    // As long as the release itself.
    ['kill', 365 * daySeconds, 30 * daySeconds],
    ['kill', null, 30 * daySeconds],
  ] as const) {
    const { store, remembered } = storeOfOne()
    const held = planOf('ann', { ...lease, ttlSeconds }, Date.now())
    await store.insert(held)
    await store.request(held, 'acting', { mode, reason: 'test', by: 'ann', atMs: 0 })
    expect(remembered).toEqual(
      (mode === 'kill' ? ['leases', 'kills in leases'] : ['leases']).map((list) => [
        list,
        'job',
        new Date(held.madeAtMs),
        held.id,
        expect.any(Number),
      ]),
    )
    const [added = -1] = remembered.map((values) => Number(values.at(-1)) - seconds)
    // A kill: and for as long as the write of the row may have contended.
    expect(added >= 0 && added <= (mode === 'kill' ? 20 : 0), `${mode} ${ttlSeconds}: ${added}`).toBe(true)
  }
})

it('a lease remembers a kill for as long as the holder that the act met may go on: it had renewed for a week', async () => {
  const daySeconds = 86_400
  for (const [outcome, overlapMs, atLeast] of [
    ['released', 7 * daySeconds * 1_000, 8 * daySeconds],
    ['released', null, 30 * daySeconds],
    // The plan read 30 s, and the act a second: the holder keeps to either.
    ['released', 1_000, daySeconds + 30],
    ['holder-changed', 7 * daySeconds * 1_000, daySeconds + 30],
  ] as const) {
    const { store, remembered } = storeOfOne()
    const held = planOf('ann', { ...lease, ttlSeconds: 30 }, Date.now())
    await store.insert(held)
    await store.request(held, 'acting', { mode: 'kill', reason: 'test', by: 'ann', atMs: 0 })
    await store.finish(held.id, { ...noReport, outcome, overlapMs })
    for (const list of ['leases', 'kills in leases']) {
      const last = remembered.filter((values) => values[0] === list).at(-1)
      expect(last?.slice(1, 4)).toEqual(['job', new Date(held.madeAtMs), held.id])
      expect(Number(last?.at(-1)), `${outcome} ${overlapMs}`).toBeGreaterThanOrEqual(atLeast)
      expect(Number(last?.at(-1)), `${outcome} ${overlapMs}`).toBeLessThanOrEqual(atLeast + 20)
    }
  }
})

it('a lease remembers its kill however many requests of other modes come after it', async () => {
  const { store } = storeOfOne()
  const act = async (mode: 'ask' | 'kill') => {
    const made = planOf('ann', lease, Date.now())
    await store.insert(made)
    await store.request(made, 'acting', { mode, reason: 'test', by: 'ann', atMs: 0 })
    return made.id
  }
  const kill = await act('kill')
  const asks: string[] = []
  for (let n = 0; n < 60; n++) asks.unshift(await act('ask'))
  expect(await store.recent('leases', 'job')).toEqual([...asks.slice(0, 50), kill])
})

it('of 130 that wait it lists the newest 100, and says that there are more', async () => {
  const { store, list, statements } = storeOfOne()
  await store.insert(plan)
  list(Array.from({ length: 130 }, () => ({ id: plan.id })))
  const { records, more } = await store.awaiting()
  expect([records.length, more]).toEqual([100, true])
  expect(statements.filter((cql) => cql.includes('awaiting_releases'))).toEqual([
    expect.stringContaining('ORDER BY requested_at DESC'),
  ])
  list([{ id: plan.id }])
  expect(await store.awaiting()).toMatchObject({ records: [{ id: plan.id }], more: false })
})
