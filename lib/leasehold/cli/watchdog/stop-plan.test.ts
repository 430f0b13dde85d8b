/** Which signal is due when: no clock, no process. */
import { describe, expect, it } from 'vitest'
import { deadlineOf, type Moment, untilDeadlineMs } from '../../time/index.ts'
import { graceFor, killLeadMs, limitsOf, longestGraceMs, StopPlan } from './stop-plan.ts'

const at = (ms: number, suspendedMs = 0): Moment => ({
  monotonicMs: 1_000 + ms,
  wallMs: 5_000 + ms + suspendedMs,
})
/** TTL 10 s, skew 500 ms: the deadline is 8500 ms after the request was sent. */
const deadline = deadlineOf(at(0), 10, 500)
const graceMs = 2_000
const killMs = 8_500 - killLeadMs
const plan = () => new StopPlan(limitsOf(deadline, graceMs), graceMs)

describe('a lease that is not renewed', () => {
  it('SIGTERM the grace before SIGKILL, and SIGKILL before the deadline', () => {
    const watch = plan()
    expect(watch.due(at(0))).toEqual({ kind: 'wait', ms: killMs - graceMs })
    expect(watch.due(at(killMs - graceMs - 1))).toEqual({ kind: 'wait', ms: 1 })
    expect(watch.due(at(killMs - graceMs)).kind).toBe('terminate')
    expect(watch.due(at(killMs - 1)).kind).toBe('terminate')
    expect(watch.due(at(killMs)).kind).toBe('kill')
    expect(untilDeadlineMs(deadline, at(killMs))).toBe(killLeadMs)
    expect(watch.stopping).toBe('deadline')
  })

  it('isPastLimit does not begin to stop', () => {
    const watch = plan()
    expect([watch.isPastLimit(at(killMs - 1)), watch.isPastLimit(at(killMs))]).toEqual([false, true])
    expect(watch.stopping).toBeUndefined()
  })

  it('a machine that was suspended kills at once: the wall clock went on', () => {
    expect(plan().due(at(10, killMs)).kind).toBe('kill')
  })

  it('without a grace there is no SIGTERM', () => {
    const watch = new StopPlan(limitsOf(deadline, 0), 0)
    expect(watch.due(at(killMs - 1)).kind).toBe('wait')
    expect(watch.due(at(killMs)).kind).toBe('kill')
  })
})

describe('a renewal', () => {
  const renewed = limitsOf(deadlineOf(at(3_000), 10, 500), graceMs)

  it('extends the limits', () => {
    const watch = plan()
    watch.extend(renewed)
    expect(watch.due(at(killMs)).kind).toBe('wait')
    expect(watch.due(at(killMs + 3_000)).kind).toBe('kill')
  })

  it('comes too late once stopping has begun', () => {
    const watch = plan()
    watch.due(at(killMs - graceMs))
    watch.extend(renewed)
    expect(watch.due(at(killMs)).kind).toBe('kill')
  })
})

describe('a requested stop', () => {
  it('SIGTERM at once, SIGKILL after the grace', () => {
    const watch = plan()
    watch.stop(at(1_000), 'orphaned')
    expect(watch.due(at(1_000)).kind).toBe('terminate')
    expect(watch.due(at(2_999)).kind).toBe('terminate')
    expect(watch.due(at(3_000)).kind).toBe('kill')
    expect(watch.stopping).toBe('orphaned')
  })

  it('SIGKILL never later than the limit, and the first reason counts', () => {
    const watch = plan()
    watch.stop(at(killMs - 500), 'requested')
    expect(watch.due(at(killMs - 1)).kind).toBe('terminate')
    watch.stop(at(killMs - 1), 'orphaned')
    expect(watch.due(at(killMs)).kind).toBe('kill')
    // The limit for SIGTERM came before the request.
    expect(watch.stopping).toBe('requested')
  })
})

describe('the grace', () => {
  it('is five seconds, or a quarter of a short window', () => {
    expect(graceFor(30, 500, undefined)).toBe(5_000)
    expect(graceFor(6, 500, undefined)).toBe(1_125)
  })

  it('leaves time for renewals', () => {
    expect(longestGraceMs(6, 500)).toBe(2_250)
    expect(graceFor(6, 500, 2_250)).toBe(2_250)
    expect(graceFor(6, 500, 2_251)).toBeUndefined()
    expect(graceFor(30, 500, 0)).toBe(0)
  })

  it('is over well after a renewal is due, at the latest', () => {
    for (const ttlSeconds of [6, 7, 10, 30, 3_600]) {
      const deadline = deadlineOf(at(0), ttlSeconds, 500)
      // The holder renews after a third of the window, give or take a tenth (`lease/kept/keep-alive.ts`).
      const renewedByMs = (deadline.afterMs / 3) * 1.1
      expect(limitsOf(deadline, longestGraceMs(ttlSeconds, 500)).termAfterMs).toBeGreaterThan(renewedByMs)
    }
  })
})
