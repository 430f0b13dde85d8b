/** `once`: several processes, one key, one run. */
import { beforeEach, describe, expect, it } from 'vitest'
import { LeaseProtocol, Leases } from '../lease/index.ts'
import { FakeClock, type Fault, MemoryLeaseStore } from '../testing/index.ts'
import { Locks, tickKey } from './index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let ran: string[]
const locks = () =>
  new Locks(
    new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, settleMs: 2_000 }),
  )
const once = (by: Locks, key: string, work: () => unknown = () => ran.push(key)) =>
  by.once('report', { key }, work)

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  ran = []
})

it('three processes at one tick run it once, and the next tick runs it again', async () => {
  const three = [locks(), locks(), locks()]
  for (const tick of ['00:00', '00:01']) {
    const outcomes = await clock.run(Promise.all(three.map((by) => once(by, tick))))
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['already', 'already', 'ran'])
    // Long after the work has ended, too: here a lock would run it again.
    await clock.advance(30_000)
    expect(await clock.run(once(locks(), tick))).toMatchObject({ kind: 'already', by: expect.any(String) })
  }
  expect(ran).toEqual(['00:00', '00:01'])
})

it('is refused without a function to run, and leaves no record', async () => {
  const nothing = undefined as unknown as () => void
  const refused = locks().once('report', { key: 'tick' }, nothing)
  await expect(clock.run(refused)).rejects.toMatchObject({ code: 'invalid-argument' })
  expect(await clock.run(once(locks(), 'tick'))).toMatchObject({ kind: 'ran' })
})

it('a misspelt option is refused: the record would stand for a day', async () => {
  const options = { key: 'tick', keepsSeconds: 60 }
  await expect(locks().once('report', options, () => {})).rejects.toMatchObject({ code: 'invalid-argument' })
  const tried = new LeaseProtocol({ store, clock, timer: clock }).tryAcquire('report', { ttl: 5 } as never)
  await expect(tried).rejects.toMatchObject({ code: 'invalid-argument' })
})

it('its record has an owner that is no sign of renewals', async () => {
  await clock.run(once(locks(), '00:00'))
  const already = await clock.run(once(locks(), '00:00'))
  expect(already).toMatchObject({ kind: 'already', by: expect.stringMatching(/^record:[^:]+:\d+:/) })
})

it('runs no second time within keepSeconds of its work, which began after 20 s without an answer', async () => {
  const slow = locks()
  store.fault = (kind) => (kind === 'acquire' ? { kind: 'delayed', answerMs: 90_000 } : undefined)
  const record = { key: '00:00', keepSeconds: 60 }
  expect(await clock.run(slow.once('report', record, () => 'done'))).toMatchObject({ kind: 'ran' })
  expect(clock.now().monotonicMs).toBeGreaterThanOrEqual(20_000)
  store.fault = () => undefined
  await clock.advance(59_000)
  expect(await clock.run(locks().once('report', record, () => 'again'))).toMatchObject({ kind: 'already' })
})

/** A process that stands still after its record was written, and before it sees the answer. */
const paused = (pause: () => Promise<void> | void): Locks => {
  const acquire = store.acquire.bind(store)
  store.acquire = async (write) => {
    const answer = await acquire(write)
    store.acquire = acquire
    await pause()
    return answer
  }
  return locks()
}

it('a process that stood still until its record was gone does not begin what another one has run', async () => {
  const record = { key: 'tick', keepSeconds: 60 }
  const late = paused(async () => {
    clock.suspend(145_000)
    expect(await locks().once('report', record, () => ran.push('another'))).toMatchObject({ kind: 'ran' })
    clock.suspend(5_000)
  })
  const outcome = clock.run(late.once('report', record, () => ran.push('late')))
  await expect(outcome).rejects.toMatchObject({ code: 'outcome-unknown', lease: 'report#tick' })
  expect(ran).toEqual(['another'])
})

it('however late the work begins, it begins no second time for keepSeconds', async () => {
  const record = { key: 'tick', keepSeconds: 60 }
  // 62 s is the longest search for an outcome here: two answers of 30 s each, and settleMs.
  const first = paused(() => clock.suspend(62_000))
  expect(await clock.run(first.once('report', record, () => 'done'))).toMatchObject({ kind: 'ran' })
  await clock.advance(60_000)
  expect(await clock.run(locks().once('report', record, () => 'again'))).toMatchObject({ kind: 'already' })
  const later = paused(() => clock.suspend(63_000))
  const outcome = clock.run(later.once('report', { ...record, key: 'next' }, () => ran.push('late')))
  await expect(outcome).rejects.toThrow(/"report#next" was recorded, and 63 s passed .* has not run/)
  expect(ran).toEqual([])
})

it('gives back what the work returned', async () => {
  expect(await clock.run(once(locks(), '00:00', async () => 42))).toEqual({ kind: 'ran', result: 42 })
})

it.each(['read', 'never'] as const)(
  'an answer that was lost and applied runs it once (%s)',
  async (finality) => {
    const faults: Fault[] = [{ kind: 'lost', applied: true, finality }]
    store.fault = (kind) => (kind === 'acquire' ? faults.shift() : undefined)
    expect(await clock.run(once(locks(), '00:00'))).toMatchObject({ kind: 'ran' })
    expect(await clock.run(once(locks(), '00:00'))).toMatchObject({ kind: 'already' })
    expect(ran).toEqual(['00:00'])
  },
)

it.each([true, false])('an unknown outcome does not run it (applied: %s)', async (applied) => {
  let lost = false
  store.fault = (kind) => {
    if (kind === 'acquire') lost = true
    if (kind === 'acquire') return { kind: 'lost', applied, finality: 'never' }
    return lost && kind === 'read' ? { kind: 'unavailable' } : undefined
  }
  await expect(clock.run(once(locks(), '00:00'))).rejects.toMatchObject({ code: 'outcome-unknown' })
  store.fault = () => undefined
  await clock.advance(60_000)
  expect(ran).toEqual([])
})

it('a store that is away runs nothing, and the key may be tried again', async () => {
  store.fault = () => ({ kind: 'unavailable' })
  await expect(clock.run(once(locks(), '00:00'))).rejects.toMatchObject({ code: 'store-unavailable' })
  store.fault = () => undefined
  await clock.run(once(locks(), '00:00'))
  expect(ran).toEqual(['00:00'])
})

it('work that throws is not run again', async () => {
  const failing = once(locks(), '00:00', () => {
    throw new Error('of the work')
  })
  await expect(clock.run(failing)).rejects.toThrow('of the work')
  expect(await clock.run(once(locks(), '00:00'))).toMatchObject({ kind: 'already' })
  expect(ran).toEqual([])
})

it('a record is kept for as long as it was asked to be', async () => {
  const by = locks()
  const run = () => by.once('report', { key: 'a', keepSeconds: 60 }, () => ran.push('a'))
  await clock.run(run())
  // For as long, at the least; a minute or so is added for what may be found out late.
  await clock.advance(60_000)
  await clock.run(run())
  expect(ran).toEqual(['a'])
  await clock.advance(90_000)
  await clock.run(run())
  expect(ran).toEqual(['a', 'a'])
})

it.each([
  [{ key: '' }, /key of once is empty/],
  [{ key: 'a', keepSeconds: 1 }, /keepSeconds is 1; a whole number from 2 to 31532400/],
  [{ key: 'a', keepSeconds: Number.NaN }, /keepSeconds is NaN/],
])('refuses %o', async (options, sentence) => {
  await expect(locks().once('report', options, () => {})).rejects.toThrow(sentence)
  expect(store.sent).toBe(0)
})

it('refuses a name that would share its record with another name and key', async () => {
  await expect(locks().once('a#b', { key: 'c' }, () => {})).rejects.toThrow(/"#" separates name and key/)
  expect(await clock.run(locks().once('a', { key: 'b#c' }, () => 1))).toEqual({ kind: 'ran', result: 1 })
})

describe('the key of a tick', () => {
  const at = (text: string) => ({ now: () => ({ monotonicMs: 0, wallMs: Date.parse(text) }) })

  it('is the same on both sides of it', () => {
    const keys = ['2026-01-01T11:59:59.900Z', '2026-01-01T12:00:00.000Z', '2026-01-01T12:00:29.900Z']
    expect(keys.map((text) => tickKey(60, at(text)))).toEqual(Array(3).fill('2026-01-01T12:00:00.000Z'))
    expect(tickKey(60, at('2026-01-01T12:00:31.000Z'))).toBe('2026-01-01T12:01:00.000Z')
  })

  it.each([0, -1, Number.NaN])('refuses a tick of %s s', (everySeconds) => {
    expect(() => tickKey(everySeconds)).toThrow('a positive number is expected')
  })
})
