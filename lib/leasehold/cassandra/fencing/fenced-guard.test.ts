/** Lost answers to a guard's updates, on one row in memory, which may apply them late. */
import { beforeEach, expect, it } from 'vitest'
import { OutcomeEngine, StatementUnknownError, StoreUnavailableError } from '../../lease/index.ts'
import { FakeClock, type Fault } from '../../testing/index.ts'
import { type Columns, FencedGuard, type Fencing } from './fenced-guard.ts'

let clock: FakeClock
let row: { fence: bigint | null; columns: Columns }
let faults: (Fault | undefined)[]
let sent: number
/** Of the row that is updated: the guard remembers it. */
let rowId: string
let readsFail: boolean
/** The applied updates, in order. */
let applied: unknown[]
/** Runs once, right after a read. */
let afterRead: (() => void) | undefined
const key = { id: 'a' }

const fencing: Fencing = {
  prepare: (_, columns) => ({
    id: rowId,
    row: rowId,
    send: async (token, condition) => {
      sent++
      const fault = faults.shift()
      const apply = () => {
        const { fence } = row
        const met = condition === 'upToFence' ? fence !== null && fence <= token : fence === null
        if (!met) return { applied: false as const, fence }
        row = { fence: token, columns: { ...row.columns, ...columns } }
        applied.push(columns.balance)
        return { applied: true as const }
      }
      await Promise.resolve()
      if (fault === undefined) return apply()
      if (fault.kind === 'unavailable') throw new StoreUnavailableError('by order of the test')
      if (fault.kind === 'late') void clock.sleep(fault.afterMs).then(apply)
      else if (fault.applied) apply()
      throw new StatementUnknownError('by order', fault.kind === 'lost' ? fault.finality : 'never')
    },
  }),
  fence: async () => {
    if (readsFail) throw new StoreUnavailableError('by order of the test')
    const { fence } = row
    afterRead?.()
    afterRead = undefined
    return fence
  },
}
const guardOf = (token: bigint) =>
  new FencedGuard(
    fencing,
    token,
    new OutcomeEngine({ clock, timer: clock, random: () => 0.5, settleMs: 5_000 }),
  )
const update = (guard: FencedGuard, balance: number) => clock.run(guard.update(key, { balance }))

beforeEach(() => {
  clock = new FakeClock()
  row = { fence: 1n, columns: {} }
  faults = []
  sent = 0
  rowId = 'a'
  readsFail = false
  applied = []
  afterRead = undefined
})

it('takes a fence for its own update only when nothing else can have set it', async () => {
  for (const finality of ['read', 'never'] as const) {
    row = { fence: 1n, columns: {} }
    faults = [{ kind: 'lost', applied: true, finality }]
    expect(await update(guardOf(2n), 5)).toEqual({ kind: 'written' })
  }
  expect(sent).toBe(2)
})

it('waits for a first update that lands late, and reports it as written', async () => {
  faults = [{ kind: 'late', afterMs: 3_000 }]
  expect(await update(guardOf(2n), 5)).toEqual({ kind: 'written' })
  expect(row.columns).toEqual({ balance: 5 })
})

it('sends an update again after a final read shows that it was not applied', async () => {
  faults = [{ kind: 'lost', applied: false, finality: 'read' }]
  expect(await update(guardOf(2n), 5)).toEqual({ kind: 'written' })
  expect([sent, row.columns]).toEqual([2, { balance: 5 }])
  faults = [{ kind: 'lost', applied: false, finality: 'read' }]
  row = { fence: null, columns: {} }
  expect(await update(guardOf(2n), 6)).toEqual({ kind: 'written' })
})

it('repeats a later update, when nothing of it is under way', async () => {
  const guard = guardOf(2n)
  await update(guard, 4)
  for (const applied of [true, false]) {
    faults = [{ kind: 'lost', applied, finality: 'read' }]
    expect(await update(guard, 5)).toEqual({ kind: 'written' })
    expect(row.columns).toEqual({ balance: 5 })
  }
})

it('sends no more updates to a row where a late one of its own could overwrite them', async () => {
  const guard = guardOf(2n)
  await update(guard, 4)
  faults = [{ kind: 'late', afterMs: 25_000 }]
  await expect(update(guard, 5)).rejects.toMatchObject({ code: 'outcome-unknown', retryable: true })
  const before = sent
  await expect(update(guard, 6)).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect(sent).toBe(before)
  // The way out: under the next token Cassandra refuses the late update.
  expect(await update(guardOf(3n), 7)).toEqual({ kind: 'written' })
  await clock.advance(30_000)
  expect(row).toEqual({ fence: 3n, columns: { balance: 7 } })
})

it('is neither written nor refused when an answer was lost and a newer holder has written', async () => {
  for (const finality of ['read', 'never'] as const) {
    row = { fence: 9n, columns: {} }
    faults = [{ kind: 'lost', applied: false, finality }]
    await expect(update(guardOf(2n), 5)).rejects.toMatchObject({ code: 'outcome-unknown' })
  }
  expect(await update(guardOf(2n), 5)).toEqual({ kind: 'refused', fence: 9n })
})

it('is not refused when the update may have been applied before the newer holder’s', async () => {
  const guard = guardOf(2n)
  await update(guard, 4)
  faults = [{ kind: 'lost', applied: true, finality: 'read' }]
  afterRead = () => {
    row = { ...row, fence: 9n }
  }
  await expect(update(guard, 5)).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect(applied).toEqual([4, 5])
})

it('is unknown when the row cannot be read after a lost answer, and unavailable when nothing was sent', async () => {
  readsFail = true
  faults = [{ kind: 'lost', applied: true, finality: 'read' }]
  await expect(update(guardOf(2n), 5)).rejects.toMatchObject({ code: 'outcome-unknown' })
  faults = [{ kind: 'unavailable' }]
  await expect(update(guardOf(2n), 5)).rejects.toMatchObject({ code: 'store-unavailable' })
})

it('is unavailable again once a read has shown that the lost update was not applied', async () => {
  const guard = guardOf(2n)
  faults = [{ kind: 'lost', applied: false, finality: 'read' }, { kind: 'unavailable' }]
  await expect(update(guard, 5)).rejects.toMatchObject({ code: 'store-unavailable' })
  expect(await update(guard, 6)).toEqual({ kind: 'written' })
  faults = [{ kind: 'lost', applied: false, finality: 'read' }]
  afterRead = () => {
    row = { ...row, fence: 9n }
  }
  expect(await update(guardOf(3n), 7)).toEqual({ kind: 'refused', fence: 9n })
})

it('sends the updates of one row one after another', async () => {
  const guard = guardOf(2n)
  faults = [{ kind: 'lost', applied: false, finality: 'read' }]
  const both = [guard.update(key, { balance: 1 }), guard.update(key, { balance: 2 })]
  await clock.run(Promise.all(both))
  expect(applied).toEqual([1, 2])
})

it('remembers 10,000 rows, and takes every later one for a row that it may have written before', async () => {
  const guard = guardOf(2n)
  /** Each row is new to Cassandra, until this test writes it a second time. */
  const updateRow = (id: string, fence: bigint) => {
    row = { fence, columns: {} }
    rowId = id
    return clock.run(guard.update({ id }, { balance: 5 }))
  }
  const lost: Fault = { kind: 'lost', applied: false, finality: 'never' }
  for (let i = 1; i < 10_000; i++) await updateRow(`row ${i}`, 1n)
  // Its fence can only be that of the update whose answer was lost, as nothing else of this token was sent to the row.
  faults = [{ ...lost, applied: true }]
  expect(await updateRow('row 10000', 1n)).toEqual({ kind: 'written' })

  // Beyond that no row is known to be new, not even one that is.
  faults = [{ ...lost, applied: true }]
  await expect(updateRow('row 10001', 1n)).rejects.toMatchObject({ code: 'outcome-unknown' })
  // The first update of this one is answered. The second is lost and not applied: the fence is that of the first.
  expect(await updateRow('row 10002', 1n)).toEqual({ kind: 'written' })
  faults = [lost]
  await expect(updateRow('row 10002', 2n)).rejects.toMatchObject({ code: 'outcome-unknown' })
})
