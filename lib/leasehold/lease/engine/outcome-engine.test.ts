/** The engine by itself: operations that a test writes down, in fake time. */
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../testing/index.ts'
import {
  ClosedError,
  OutcomeUnknownError,
  StatementUnknownError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../errors.ts'
import { type Operation, OutcomeEngine, type Verdict } from './outcome-engine.ts'

let clock: FakeClock
let engine: OutcomeEngine
/** The steps that were taken, in order. */
let steps: string[]

const lost = (finality: 'read' | 'never' = 'never') => new StatementUnknownError('lost', finality)
const away = () => new StoreUnavailableError('away')
const refused = () => new StoreRefusedError('refused')
type Step = Verdict<string> | Error

/** Each step takes the next of these; the last one stands for all that follow. */
function operation({ sends, looks = [], ...rest }: Script): Operation<string> {
  const next = (name: string, script: Step[]) => async () => {
    steps.push(name)
    const step = script.length > 1 ? script.shift() : script[0]
    if (step === undefined) throw new Error(`The script has no ${name}.`)
    if (step instanceof Error) throw step
    return step
  }
  return {
    send: next('send', sends),
    look: next('look', looks),
    lost: () => ({ next: 'look', soon: true }),
    unknown: (why, cause) => new OutcomeUnknownError(why, 'job', 'me', { cause }),
    ...rest,
  }
}
type Script = { sends: Step[]; looks?: Step[] } & Partial<Operation<string>>

const settle = (script: Script, options?: Parameters<OutcomeEngine['settle']>[1]) =>
  clock.run(engine.settle(operation(script), options))

beforeEach(() => {
  clock = new FakeClock()
  engine = new OutcomeEngine({ clock, timer: clock, random: () => 0.5, settleMs: 5_000 })
  steps = []
})

it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('refuses a settleMs of %s', (settleMs) => {
  expect(() => new OutcomeEngine({ clock, timer: clock, random: () => 0.5, settleMs })).toThrow(
    `settleMs is ${settleMs}`,
  )
})

describe('an operation', () => {
  it('is done by its answer, without a pause', async () => {
    expect(await settle({ sends: [{ done: 'written' }] })).toBe('written')
    expect([steps, clock.now().monotonicMs]).toEqual([['send'], 0])
  })

  it('may begin with a look', async () => {
    const script = { first: 'look' as const, looks: [{ next: 'send' as const, soon: true }] }
    expect(await settle({ sends: [{ done: 'written' }], ...script })).toBe('written')
    expect([steps, clock.now().monotonicMs]).toEqual([['look', 'send'], 0])
  })

  it('fails with the error of its verdict', async () => {
    await expect(settle({ sends: [{ fail: refused() }] })).rejects.toMatchObject({ code: 'store-refused' })
  })

  it('pauses between two steps, longer each time, and not for longer than half a second', async () => {
    const at: number[] = []
    const script = operation({ sends: [{ next: 'send' }] })
    const send = script.send
    script.send = () => {
      at.push(clock.now().monotonicMs)
      return send()
    }
    await expect(clock.run(engine.settle(script))).rejects.toMatchObject({ code: 'outcome-unknown' })
    const pauses = at.slice(1).map((each, i) => each - (at[i] as number))
    expect(pauses.slice(0, 7)).toEqual([20, 40, 80, 160, 320, 500, 500])
    expect(at.length).toBe(14)
  })
})

describe('an answer that is lost', () => {
  it('is looked for, where the operation says so', async () => {
    const looks: Step[] = [{ next: 'look' }, { done: 'seen' }]
    expect(await settle({ sends: [lost()], looks })).toBe('seen')
    expect(steps).toEqual(['send', 'look', 'look'])
  })

  it('is asked for again, where the operation may be sent twice', async () => {
    const sends = [lost(), { done: 'written' }]
    expect(await settle({ sends, lost: () => ({ next: 'send' }) })).toBe('written')
    expect(steps).toEqual(['send', 'send'])
  })

  it('is unknown when the time is over, with the lost answer as its cause', async () => {
    const failed = settle({ sends: [lost()], looks: [{ next: 'look' }] })
    await expect(failed).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: 'no answer came.',
      cause: { code: 'statement-unknown' },
    })
    expect(clock.now().monotonicMs).toBe(5_000)
  })

  it.each([
    ['send', 2],
    ['look', 1],
  ] as const)('is pursued after a wait that took all of settleMs (%s)', async (next, sends) => {
    const script = operation({ sends: [lost()], looks: [{ next: 'look' }], lost: () => ({ next }) })
    const { send } = script
    script.send = async () => {
      await clock.sleep(5_000)
      return send()
    }
    await expect(clock.run(engine.settle(script))).rejects.toMatchObject({ code: 'outcome-unknown' })
    expect(steps.filter((step) => step === 'send')).toHaveLength(sends)
    // 5 s for the first answer and 5 s of search, or one more answer that was waited for.
    expect(steps.length).toBeGreaterThan(1)
    expect(clock.now().monotonicMs).toBe(next === 'send' ? 10_020 : 10_000)
  })

  it('is pursued from the first loss on, and not for longer after each further one', async () => {
    const script = operation({ sends: [lost()], lost: () => ({ next: 'send' }) })
    const { send } = script
    script.send = async () => {
      await clock.sleep(2_000)
      return send()
    }
    await expect(clock.run(engine.settle(script))).rejects.toMatchObject({ code: 'outcome-unknown' })
    expect(steps).toHaveLength(4)
    expect(clock.now().monotonicMs).toBeLessThan(2_000 + 5_000 + 2_000)
  })

  it.each([{ budgetMs: 5_000 }, { atMostMs: 5_000 }])(
    'is pursued no longer than the operation may take: %o',
    async (options) => {
      const script = operation({ sends: [lost()], lost: () => ({ next: 'send' }) })
      const { send } = script
      script.send = async () => {
        await clock.sleep(3_000)
        return send()
      }
      await expect(clock.run(engine.settle(script, options))).rejects.toMatchObject({
        code: 'outcome-unknown',
      })
      expect(steps).toHaveLength(2)
    },
  )

  it('is unknown at once when the operation knows that nothing more can be found out', async () => {
    const failed = settle({ sends: [lost()], lost: () => ({ unknown: 'no read tells.' }) })
    await expect(failed).rejects.toThrow('no read tells.')
    expect(clock.now().monotonicMs).toBe(0)
  })

  it('may be unknown as an outcome, and no error', async () => {
    const script = { sends: [lost()], looks: [{ next: 'look' as const }] }
    expect(await settle({ ...script, unknown: () => ({ done: 'no read can tell' }) })).toBe(
      'no read can tell',
    )
  })

  it.each([away(), refused(), new Error('of the driver')])(
    'is not hidden by a later error: %s',
    async (later) => {
      const failed = settle({ sends: [lost(), later], lost: () => ({ next: 'send' }) })
      await expect(failed).rejects.toMatchObject({ code: 'outcome-unknown' })
    },
  )

  it('is looked for again when the store is away', async () => {
    expect(await settle({ sends: [lost()], looks: [away(), { done: 'seen' }] })).toBe('seen')
    expect(steps).toEqual(['send', 'look', 'look'])
  })

  it.each([refused(), new TypeError('a bug')])(
    'stays unknown after a look that no retry mends: %s',
    async (failed) => {
      await expect(settle({ sends: [lost()], looks: [failed] })).rejects.toMatchObject({
        code: 'outcome-unknown',
        cause: failed,
      })
      expect(steps).toEqual(['send', 'look'])
    },
  )

  it('is answered by the verdict of an operation that need not be read', async () => {
    const sends = [lost(), { done: 'written' }]
    expect(await settle({ sends, looks: [away()], unread: () => ({ next: 'send' as const }) })).toBe(
      'written',
    )
    expect(steps).toEqual(['send', 'look', 'send'])
  })

  it('counts no more once a read has settled it', async () => {
    const looks: Step[] = [{ next: 'send', settled: true }]
    await expect(settle({ sends: [lost('read'), away()], looks })).rejects.toMatchObject({
      code: 'store-unavailable',
    })
  })
})

describe('a statement that was not sent', () => {
  it('ends the operation with its error', async () => {
    await expect(settle({ sends: [away()] })).rejects.toMatchObject({ code: 'store-unavailable' })
    await expect(settle({ sends: [refused()] })).rejects.toMatchObject({ code: 'store-refused' })
    expect(steps).toEqual(['send', 'send'])
  })

  it('is sent again, where the operation rides that out', async () => {
    const sends = [away(), away(), { done: 'written' }]
    expect(await settle({ sends, ridesOutUnavailable: true })).toBe('written')
    expect(steps).toEqual(['send', 'send', 'send'])
  })

  it('is no unknown outcome when the time is over', async () => {
    const exhausted = (cause: unknown) => new StoreUnavailableError('too long', { cause })
    const failed = settle({ sends: [away()], ridesOutUnavailable: true, exhausted })
    await expect(failed).rejects.toMatchObject({ message: 'too long', cause: { message: 'away' } })
    const lostFirst = settle({ sends: [lost(), away()], lost: () => ({ next: 'send' }), exhausted })
    await expect(lostFirst).rejects.toMatchObject({ code: 'outcome-unknown' })
  })
})

it('an operation that its caller has left takes no further step', async () => {
  const left = new AbortController()
  const failed = expect(
    engine.settle(operation({ sends: [{ next: 'send' }] }), { abandoned: left.signal }),
  ).rejects.toMatchObject({ code: 'outcome-unknown' })
  await clock.advance(100)
  const taken = steps.length
  left.abort()
  await clock.advance(0)
  await failed
  expect(steps.length).toBe(taken)
})

describe('a caller that leaves', () => {
  /** Work that takes a second, and what it saw of its caller. */
  const work = async (left: AbortSignal) => {
    await clock.sleep(1_000)
    return left.aborted ? 'late' : 'in time'
  }

  it('stays for what comes in time', async () => {
    expect(await clock.run(engine.background.perform(work))).toBe('in time')
    const failing = engine.background.perform(async () => {
      throw refused()
    })
    await expect(failing).rejects.toMatchObject({ code: 'store-refused' })
  })

  it('hears its abort at once; the work goes on, and its outcome is tidied up', async () => {
    const stop = new AbortController()
    const outcomes: unknown[] = []
    const afterwards = async (outcome: string | undefined) => void outcomes.push(outcome)
    const ended = expect(
      engine.background.perform(work, { signal: stop.signal, afterwards }),
    ).rejects.toThrow('enough')
    await clock.advance(100)
    stop.abort(new Error('enough'))
    await ended
    expect([clock.now().monotonicMs, outcomes]).toEqual([100, []])
    await clock.advance(900)
    expect(outcomes).toEqual(['late'])
  })

  it('begins nothing under a signal that has aborted', async () => {
    let begun = 0
    const performed = engine.background.perform(async () => void begun++, {
      signal: AbortSignal.abort(new Error('no')),
    })
    await expect(performed).rejects.toThrow('no')
    expect(begun).toBe(0)
  })

  it('gets its own error when the time is over, and what failed later is tidied up as nothing', async () => {
    const outcomes: unknown[] = []
    const performed = engine.background.perform(
      async () => {
        await clock.sleep(1_000)
        throw refused()
      },
      {
        withinMs: 300,
        overdue: () => new Error('overdue'),
        afterwards: async (outcome) => void outcomes.push(outcome),
      },
    )
    const ended = expect(performed).rejects.toThrow('overdue')
    await clock.advance(300)
    await ended
    await clock.advance(700)
    expect(outcomes).toEqual([undefined])
  })

  it('leaves no timer behind, also when its work aborts it', async () => {
    let timers = 0
    const timer = {
      sleep: clock.sleep.bind(clock),
      after: (ms: number, work: () => void) => {
        timers++
        const cancel = clock.after(ms, work)
        return () => {
          timers--
          cancel()
        }
      },
    }
    engine = new OutcomeEngine({ clock, timer, random: () => 0.5, settleMs: 5_000 })
    const stop = new AbortController()
    const options = { signal: stop.signal, withinMs: 60_000, overdue: () => new Error('overdue') }
    expect(await clock.run(engine.background.perform(work, options))).toBe('in time')
    const aborting = engine.background.perform((left) => {
      stop.abort(new Error('enough'))
      return work(left)
    }, options)
    await expect(aborting).rejects.toThrow('enough')
    expect(timers).toBe(0)
  })

  it('may stay for longer than a timer can wait', async () => {
    const dayMs = 86_400_000
    // As `setTimeout`, which waits for 24.8 days at most.
    const timer = {
      sleep: clock.sleep.bind(clock),
      after: (ms: number, work: () => void) => clock.after(Math.min(ms, 24 * dayMs), work),
    }
    engine = new OutcomeEngine({ clock, timer, random: () => 0.5, settleMs: 5_000 })
    const options = { withinMs: 30 * dayMs, overdue: () => new Error('overdue') }
    const performed = engine.background.perform(() => clock.sleep(29 * dayMs).then(() => 'in time'), options)
    expect(await clock.run(performed)).toBe('in time')
    await expect(
      clock.run(engine.background.perform(() => clock.sleep(31 * dayMs), options)),
    ).rejects.toThrow('overdue')
  })

  it('does not make Node warn of a leak, however many share a signal', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const stop = new AbortController()
    const all = Array.from({ length: 20 }, () => engine.background.perform(work, { signal: stop.signal }))
    const ended = Promise.allSettled(all)
    await clock.advance(100)
    stop.abort(new Error('enough'))
    expect((await ended).every(({ status }) => status === 'rejected')).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', note)
    expect(warnings).toEqual([])
  })
})

describe('within', () => {
  it('waits for what comes in time, and throws what it throws', async () => {
    const soon = async () => {
      await clock.sleep(100)
      return 'answer'
    }
    expect(await clock.run(engine.background.within(500, soon()))).toBe('answer')
    await expect(engine.background.within(500, Promise.reject(refused()))).rejects.toMatchObject({
      code: 'store-refused',
    })
  })

  it('does not wait for longer work, which ends in the background', async () => {
    let ended = false
    const slow = clock.sleep(2_000).then(() => {
      ended = true
    })
    expect(await clock.run(engine.background.within(500, slow))).toBeUndefined()
    expect([clock.now().monotonicMs, ended]).toEqual([500, false])
    await clock.run(engine.background.drain(5_000))
    expect([clock.now().monotonicMs, ended]).toEqual([2_000, true])
  })
})

describe('closing', () => {
  it('ends every wait with a ClosedError, and begins nothing any more', async () => {
    const waiting = engine.background.perform((left) => clock.sleep(60_000, left))
    engine.background.refuse('closed.')
    await expect(waiting).rejects.toBeInstanceOf(ClosedError)
    let begun = 0
    await expect(engine.background.perform(async () => void begun++)).rejects.toMatchObject({
      code: 'closed',
    })
    expect(begun).toBe(0)
  })

  it('waits for what is under way, also for what that begins', async () => {
    const ended: string[] = []
    const second = clock.sleep(2_000).then(() => void ended.push('second'))
    engine.background.add(
      clock.sleep(1_000).then(() => {
        ended.push('first')
        engine.background.add(second)
      }),
    )
    engine.background.add(Promise.reject(new Error('dropped')))
    engine.background.refuse('closed.')
    await clock.run(engine.background.drain(10_000))
    expect(ended).toEqual(['first', 'second'])
    expect(clock.now().monotonicMs).toBe(2_000)
  })

  it('does not wait for ever, and stops what is left', async () => {
    const settled = engine.settle(operation({ sends: [{ next: 'send' }] }), { budgetMs: 1_000_000 })
    engine.background.add(settled)
    engine.background.refuse('closed.')
    await clock.run(engine.background.drain(3_000))
    expect(clock.now().monotonicMs).toBe(3_000)
    expect(engine.background.stopped.aborted).toBe(true)
    await clock.advance(0)
    const taken = steps.length
    await clock.advance(60_000)
    expect(steps.length).toBe(taken)
  })
})
