import { beforeEach, describe, expect, it } from 'vitest'
import {
  ClosedError,
  StatementUnknownError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../lease/index.ts'
import { FakeClock, MemoryBakeryRegisters } from '../testing/index.ts'
import { Bakery, type BakeryOptions } from './index.ts'

let clock: FakeClock
let registers: MemoryBakeryRegisters
const make = (options: Partial<BakeryOptions> = {}) =>
  new Bakery({ registers, clock, timer: clock, random: () => 0.5, ttlSeconds: 10, ...options })

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 777)
  registers = new MemoryBakeryRegisters(clock)
})

describe('a bakery', () => {
  it('serves a lone customer in two writes, three reads and two deletions', async () => {
    expect(await clock.run(make().withLock('bread', async (_, turn) => turn.number))).toBe(1n)
    expect(registers.sent).toEqual({
      setChoosing: 1,
      numbers: 2,
      setNumber: 1,
      clearChoosing: 1,
      choosing: 1,
      clearNumber: 1,
    })
    expect(await registers.numbers('bread')).toEqual([])
    expect(await registers.choosing('bread')).toEqual([])
  })

  it('begins at 1 again when the bakery is empty: a number is no token', async () => {
    const number = () => clock.run(make().withLock('bread', async (_, turn) => turn.number))
    expect([await number(), await number()]).toEqual([1n, 1n])
  })

  it('uses the default of an option given as undefined', async () => {
    const options = { ttlSeconds: undefined, maxClockSkewMs: undefined } as unknown as Partial<BakeryOptions>
    expect(await clock.run(make(options).withLock('bread', async (_, turn) => turn.number))).toBe(1n)
  })

  it.each([
    [{ waitMs: Number.NaN }, /waitMs is NaN; 0 or more is expected/],
    [{ waitMs: -1 }, /waitMs is -1; 0 or more is expected/],
    [{ waitMS: 1_000 } as object, /There is no option "waitMS"/],
  ])('refuses %o before it writes: it would wait for ever, and without a pause', async (options, message) => {
    const entered = make().withLock('bread', options, async () => {})
    await expect(entered).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringMatching(message),
    })
    expect(Object.values(registers.sent).every((count) => count === 0)).toBe(true)
  })

  it('serves in the order of arrival, one customer at a time', async () => {
    registers.latencyMs = () => 4
    const log: string[] = []
    const serve = (who: string) =>
      make().withLock('bread', { waitMs: 60_000 }, async () => {
        log.push(`${who} in`)
        await clock.sleep(300)
        log.push(`${who} out`)
      })
    const all: Promise<void>[] = []
    for (const who of ['a', 'b', 'c']) {
      all.push(serve(who))
      await clock.advance(30)
    }
    await clock.run(Promise.all(all))
    expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
  })

  it('orders two customers with the same number by their ids', async () => {
    registers.latencyMs = () => 10
    let inside = 0
    const numbers: bigint[] = []
    const serve = () =>
      make().withLock('bread', { waitMs: 5_000 }, async (_, turn) => {
        numbers.push(turn.number)
        expect(++inside).toBe(1)
        await clock.sleep(100)
        inside--
      })
    await clock.run(Promise.all([serve(), serve()]))
    expect(numbers).toEqual([1n, 1n])
  })

  it('does not wait for customers that begin to choose after it has its number, however many come', async () => {
    let newcomers = 0
    registers.choosing = async () => [`newcomer ${++newcomers}`]
    const served = make().withLock('bread', { waitMs: 1_000 }, async () => newcomers)
    // The first look may have met a customer that chose before; at the second the bakery is done with it.
    expect(await clock.run(served)).toBe(2)
  })

  it('names the first customer when there is no time to wait, and leaves nothing behind', async () => {
    const inside = make().withLock('bread', async () => clock.sleep(2_000))
    await clock.advance(10)
    const [first] = await registers.numbers('bread')
    const outcome = make().withLock('bread', { waitMs: 500 }, async () => 'served')
    await expect(clock.run(outcome)).rejects.toMatchObject({ code: 'lease-held', holder: first?.customer })
    expect(await registers.numbers('bread')).toEqual([first])
    await clock.run(inside)
  })

  it('stops waiting when the signal aborts, and leaves nothing behind', async () => {
    const inside = make().withLock('bread', async () => clock.sleep(2_000))
    // Customers who choose at the same time are served in the order of their ids, which are random.
    await clock.advance(1)
    const enough = new AbortController()
    const waiting = make().withLock('bread', { waitMs: 60_000, signal: enough.signal }, async () => {})
    waiting.catch(() => {})
    await clock.advance(500)
    enough.abort(new Error('enough'))
    await expect(clock.run(waiting)).rejects.toThrow('enough')
    await clock.run(inside)
    expect(await registers.numbers('bread')).toEqual([])
  })

  it('keeps its number through work that outlives many TTLs', async () => {
    const inside = make().withLock('bread', async (signal) => {
      await clock.sleep(65_000)
      return signal.aborted
    })
    await clock.advance(1_000)
    const next = make().withLock('bread', { waitMs: 120_000 }, async () => clock.now().monotonicMs)
    expect(await clock.run(inside)).toBe(false)
    expect(await clock.run(next)).toBeGreaterThanOrEqual(65_000)
  })

  it.each([1, 5, 1.5, Number.NaN])('refuses a TTL of %s s', (ttlSeconds) => {
    expect(() => make({ ttlSeconds })).toThrow(/ttlSeconds|TTL/)
  })
})

describe('loss', () => {
  it('aborts the signal at the deadline when the number can no longer be written, before it expires', async () => {
    let abortedAtMs = 0
    const inside = make().withLock('bread', async (signal, turn) => {
      registers.fault = (kind) => (kind === 'setNumber' ? { kind: 'unavailable' } : undefined)
      signal.addEventListener('abort', () => {
        abortedAtMs = clock.now().monotonicMs
      })
      await clock.sleep(8_499)
      expect(turn.held).toBe(true)
      await clock.sleep(2)
      expect([turn.held, turn.remainingMs, signal.aborted]).toEqual([false, 0, true])
    })
    await expect(clock.run(inside)).rejects.toMatchObject({ code: 'lease-lost', reason: 'deadline' })
    expect(abortedAtMs).toBe(8_500)
  })

  it('shows by the clock after a suspend, before any timer fires', async () => {
    const inside = make().withLock('bread', async (signal, turn) => {
      clock.suspend(8_600)
      expect(turn.held).toBe(false)
      expect(signal.aborted).toBe(true)
      expect(() => turn.throwIfLost()).toThrow(/its deadline passed/)
      return 'done too late'
    })
    await expect(clock.run(inside)).rejects.toMatchObject({ code: 'lease-lost' })
  })

  it('throws the error of the work rather than its own', async () => {
    const inside = make().withLock('bread', async () => {
      clock.suspend(60_000)
      throw new Error('burnt')
    })
    await expect(clock.run(inside)).rejects.toThrow('burnt')
  })

  it('sends a waiter whose row was deleted back to the end of the line', async () => {
    const inside = make().withLock('bread', async () => clock.sleep(3_000))
    await clock.advance(1)
    const waiting = make().withLock('bread', { waitMs: 60_000 }, async (_, turn) => turn.held)
    await clock.advance(500)
    for (const { customer } of await registers.numbers('bread'))
      await registers.clearNumber({ name: 'bread', customer, timestampMicros: 2n ** 60n })
    expect(await clock.run(waiting)).toBe(true)
    await clock.run(inside)
  })
})

describe('the end of a turn whose number cannot be cleared', () => {
  const turn = (error: Error) => {
    let tries = 0
    registers.clearNumber = async () => {
      tries++
      throw error
    }
    const served = make({ ttlSeconds: 600 }).withLock('bread', async () => 'served')
    return { served, tries: () => tries }
  }

  it.each([
    new ClosedError(),
    new StoreRefusedError('the role may not delete'),
    new TypeError('a bug of the store'),
  ])('comes at once when no retry helps, and the number expires by itself: %s', async (error) => {
    const { served, tries } = turn(error)
    expect(await clock.run(served)).toBe('served')
    expect([tries(), clock.now().monotonicMs]).toEqual([1, 0])
    expect(await registers.numbers('bread')).toHaveLength(1)
    await clock.advance(600_000)
    expect(await registers.numbers('bread')).toEqual([])
  })

  it.each([new StoreUnavailableError('no quorum'), new StatementUnknownError('no answer', 'never')])(
    'comes when the number has expired, if a retry might help: %s',
    async (error) => {
      const { served, tries } = turn(error)
      expect(await clock.run(served)).toBe('served')
      expect(clock.now().monotonicMs).toBe(598_500)
      expect(tries()).toBeGreaterThan(5_000)
    },
  )
})
