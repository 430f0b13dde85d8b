import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { CandidateTime } from './candidate-time.ts'

let clock: FakeClock
let time: CandidateTime
let ran: string[]
const run = (what: string) => () => void ran.push(what)

beforeEach(() => {
  clock = new FakeClock()
  time = new CandidateTime(clock, clock)
  ran = []
})

it('a pause holds timers back, and lets the clock go on; what is due then comes in its order', async () => {
  time.after(10, run('first'))
  time.after(20, run('second'))
  time.after(90_000, run('later'))
  const before = time.now().monotonicMs
  time.pause()
  await clock.advance(60_000)
  expect(ran).toEqual([])
  expect(time.now().monotonicMs - before).toBe(60_000)
  time.resume()
  expect(ran).toEqual(['first', 'second'])
  await clock.advance(30_000)
  expect(ran).toEqual(['first', 'second', 'later'])
})

it('a timer that was cancelled in a pause does not run after it', async () => {
  const cancel = time.after(10, run('cancelled'))
  time.pause()
  await clock.advance(10)
  cancel()
  time.resume()
  expect(ran).toEqual([])
})

it('a sleep ends at its signal', async () => {
  const ended = new AbortController()
  void time.sleep(10_000, ended.signal).then(run('slept'))
  ended.abort()
  await clock.advance(0)
  expect(ran).toEqual(['slept'])
})

it('after a crash no timer is left', async () => {
  time.after(10, run('never'))
  void time.sleep(10).then(run('never'))
  time.crash()
  await clock.advance(60_000)
  time.resume()
  time.run(run('never'))
  expect(ran).toEqual([])
})

it('a skew moves both clocks', () => {
  const { monotonicMs, wallMs } = time.now()
  time.skew(-3_000)
  expect(time.now()).toEqual({ monotonicMs: monotonicMs - 3_000, wallMs: wallMs - 3_000 })
})
