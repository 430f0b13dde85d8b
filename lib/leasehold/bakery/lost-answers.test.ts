/** Writes whose answer was lost, and which land later or never: what they may cost, and what they must not. */
import { beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../lease/index.ts'
import { FakeClock, type Fault, MemoryBakeryRegisters } from '../testing/index.ts'
import { Bakery, type BakeryTurn } from './index.ts'

let clock: FakeClock
let registers: MemoryBakeryRegisters
const make = () => new Bakery({ registers, clock, timer: clock, random: () => 0.5, ttlSeconds: 10 })

/** The first statement of this kind meets a fault, and no other. */
function once(kind: keyof MemoryBakeryRegisters['sent'], fault: Fault): void {
  let met = false
  registers.fault = (sent) => {
    if (sent !== kind || met) return undefined
    met = true
    return fault
  }
}

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 777)
  registers = new MemoryBakeryRegisters(clock)
})

const lost = (applied: boolean): Fault => ({ kind: 'lost', applied, finality: 'never' })

describe('a write whose answer is lost', () => {
  it.each([
    ['setChoosing', true],
    ['setChoosing', false],
    ['setNumber', true],
    ['setNumber', false],
    ['clearChoosing', true],
    ['clearChoosing', false],
    ['clearNumber', true],
    ['clearNumber', false],
  ] as const)('%s, landed: %s, is repeated, and costs no customer a turn', async (kind, applied) => {
    once(kind, lost(applied))
    expect(await clock.run(make().withLock('bread', { waitMs: 2_000 }, async () => 'served'))).toBe('served')
    expect(await registers.numbers('bread')).toEqual([])
    expect(await registers.choosing('bread')).toEqual([])
  })

  it.each(['setChoosing', 'setNumber'] as const)(
    '%s changes nothing when it lands after its customer has left',
    async (kind) => {
      once(kind, { kind: 'late', afterMs: 5_000 })
      await clock.run(make().withLock('bread', { waitMs: 2_000 }, async () => {}))
      await clock.advance(6_000)
      expect(await registers.numbers('bread')).toEqual([])
      expect(await registers.choosing('bread')).toEqual([])
      expect(await clock.run(make().withLock('bread', async () => 'at once'))).toBe('at once')
    },
  )

  it.each(['setChoosing', 'setNumber'] as const)(
    '%s of a customer that crashed delays the others for one TTL at most',
    async (kind) => {
      // Its writes land three seconds late, and its clearings never.
      registers.fault = (sent) =>
        sent === kind ? { kind: 'late', afterMs: 3_000 } : sent.startsWith('clear') ? lost(false) : undefined
      const gone = make().withLock('bread', { waitMs: 0 }, async () => 'served')
      await expect(clock.run(gone)).rejects.toMatchObject({ code: 'store-unavailable' })
      registers.fault = () => undefined
      await clock.advance(3_001)
      const cameMs = clock.now().monotonicMs
      const served = make().withLock('bread', { waitMs: 60_000 }, async () => clock.now().monotonicMs)
      const waitedMs = (await clock.run(served)) - cameMs
      expect(waitedMs).toBeGreaterThan(8_000)
      expect(waitedMs).toBeLessThan(10_200)
    },
  )

  it('costs the line the rest of the TTL when a number is never cleared', async () => {
    registers.fault = (kind) => (kind === 'clearNumber' ? lost(false) : undefined)
    const first = clock.run(make().withLock('bread', async () => 'served'))
    expect(await first).toBe('served')
    // It tried until its number had expired, and no longer.
    expect(clock.now().monotonicMs).toBeLessThan(10_000)
    registers.fault = () => undefined
    expect(await clock.run(make().withLock('bread', { waitMs: 2_000 }, async () => 'next'))).toBe('next')
  })
})

describe('a stall while choosing', () => {
  it.each([
    // Its deadline is after 8.5 s; its choosing expires after 9 to 10 s, by any coordinator's clock.
    { stallMs: 8_400, ids: 2 },
    { stallMs: 8_600, ids: 3 },
    { stallMs: 12_000, ids: 3 },
  ])(
    'of $stallMs ms: past the deadline it costs the number, because another customer may be inside',
    async ({ stallMs, ids }) => {
      const numbers = registers.numbers.bind(registers)
      let reads = 0
      registers.numbers = async (name) => {
        const answer = await numbers(name)
        if (++reads === 1) await clock.sleep(stallMs)
        return answer
      }
      let inside = 0
      const serve = async () => {
        expect(++inside).toBe(1)
        await clock.sleep(5_000)
        inside--
      }
      const stalled = make().withLock('bread', { waitMs: 60_000 }, serve)
      await clock.advance(100)
      const next = make().withLock('bread', { waitMs: 60_000 }, serve)
      await clock.run(Promise.all([stalled, next]))
      expect(registers.sent.setChoosing).toBe(ids)
    },
  )

  // Ten times: which of two equal numbers goes first depends on their customers' ids.
  it.each(Array.from({ length: 10 }, (_, i) => i))(
    'in which the number could not be sent lets no second customer in (%i)',
    async () => {
      const setNumber = registers.setNumber.bind(registers)
      let cutOff: string | undefined
      // By then its choosing has expired, and the next customer has seen neither that nor a number.
      registers.setNumber = async (register, ...rest) => {
        cutOff ??= register.customer
        if (register.customer === cutOff && clock.now().monotonicMs < 10_500)
          throw new StoreUnavailableError('cut off')
        return setNumber(register, ...rest)
      }
      let inside = 0
      let most = 0
      const serve = async (_: AbortSignal, turn: { held: boolean }) => {
        most = Math.max(most, ++inside)
        for (let i = 0; i < 30 && turn.held; i++) await clock.sleep(100)
        inside--
      }
      const first = make().withLock('bread', serve)
      await clock.advance(10_050)
      const next = make().withLock('bread', serve)
      await clock.run(Promise.all([first, next]))
      expect(most).toBe(1)
    },
  )

  it('does not take an unreachable store for a free lock', async () => {
    registers.fault = (kind) =>
      kind === 'choosing' || kind === 'numbers' ? { kind: 'unavailable' } : undefined
    const outcome = make().withLock('bread', { waitMs: 3_000 }, async () => 'served')
    await expect(clock.run(outcome)).rejects.toMatchObject({ code: 'store-unavailable' })
    registers.fault = () => undefined
    expect(await clock.run(make().withLock('bread', async () => 'served'))).toBe('served')
  })
})

it('a customer whose own number is not among those read goes back to the end of the line', async () => {
  const numbers = registers.numbers.bind(registers)
  const seen: string[] = []
  let reads = 0
  // The second read comes from a table that was emptied.
  registers.numbers = async (name) => {
    const answer = ++reads === 2 ? [] : await numbers(name)
    seen.push(answer.map(({ customer }) => customer).join())
    return answer
  }
  let served = ''
  await clock.run(
    make().withLock('bread', async () => {
      served = seen.at(-1) as string
    }),
  )
  expect(registers.sent.setChoosing).toBe(2)
  // By a number of its own that it has seen, under an id of its own.
  expect(served).not.toBe('')
})

it('a number that is acknowledged after its deadline stays lost, also where no timer has fired since', async () => {
  const setNumber = registers.setNumber.bind(registers)
  let writes = 0
  registers.setNumber = async (...of) => {
    await setNumber(...of)
    // The process stands still before it sees the acknowledgement: past the old deadline, and not past the new one.
    if (++writes === 2) clock.suspend(7_000)
  }
  const held: boolean[] = []
  const served = make().withLock('bread', async (_, turn) => {
    held.push(turn.held)
    while (writes < 2) await clock.sleep(100)
    held.push(turn.held)
  })
  await expect(clock.run(served)).rejects.toMatchObject({ code: 'lease-lost', reason: 'deadline' })
  expect(held).toEqual([true, false])
})

it('a turn whose first write is acknowledged late counts from before that write: it is over before the next customer is inside', async () => {
  const setNumber = registers.setNumber.bind(registers)
  let slow: string | undefined
  let writes = 0
  registers.setNumber = async (register, ...rest) => {
    slow ??= register.customer
    if (register.customer !== slow) return setNumber(register, ...rest)
    if (++writes > 1) throw new StoreUnavailableError('cut off')
    await setNumber(register, ...rest)
    // Written at once, and visible for ten seconds from then on.
    await clock.sleep(4_000)
  }
  let first: BakeryTurn | undefined
  const served = make().withLock('bread', async (_, turn) => {
    first = turn
    expect(turn.remainingMs).toBe(4_500)
    await clock.sleep(12_000)
  })
  const lost = expect(served).rejects.toMatchObject({ code: 'lease-lost', reason: 'deadline' })
  await clock.advance(4_100)
  const next = make().withLock('bread', async (_, turn) => [turn.held, first?.held])
  expect(await clock.run(next)).toEqual([true, false])
  await clock.run(lost)
})

it('a place whose deadline passes between its two reads is not won', async () => {
  const numbers = registers.numbers.bind(registers)
  let reads = 0
  registers.numbers = async (name) => {
    const answer = await numbers(name)
    // The first one is for the choice of a number. No timer fires while the process stands still.
    if (++reads === 2) clock.suspend(9_000)
    return answer
  }
  const began: boolean[] = []
  await clock.run(make().withLock('bread', { waitMs: 60_000 }, async (_, turn) => began.push(turn.held)))
  expect(began).toEqual([true])
  expect(registers.sent.setChoosing).toBe(2)
})

it('a number that could not be sent by its deadline is not sent after it', async () => {
  const setNumber = registers.setNumber.bind(registers)
  const sent: string[] = []
  registers.setNumber = async (register, ...rest) => {
    sent.push(register.customer)
    if (sent.length === 1) {
      clock.suspend(9_000)
      throw new StoreUnavailableError('cut off')
    }
    return setNumber(register, ...rest)
  }
  expect(await clock.run(make().withLock('bread', { waitMs: 60_000 }, async () => 'served'))).toBe('served')
  expect(sent.filter((customer) => customer === sent[0])).toHaveLength(1)
})
