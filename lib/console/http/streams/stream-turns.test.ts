import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it, vi } from 'vitest'
import { log } from '../log/log.ts'
import { StreamTurns } from './stream-turns.ts'

let clock: FakeClock
let turns: StreamTurns
let begun: string[]

beforeEach(() => {
  clock = new FakeClock()
  turns = new StreamTurns({ clock, timer: clock })
  begun = []
})

const turnComes = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
}
/** What `tookMs` says of the time that a beginning takes is by the clock of the turns. */
const take = (sender: string, tookMs = 0, gone = new AbortController().signal, failed = () => {}) =>
  turns.take(
    sender,
    () => {
      begun.push(sender)
      const { monotonicMs, wallMs } = clock.now()
      if (tookMs > 0)
        vi.spyOn(clock, 'now').mockReturnValueOnce({
          monotonicMs: monotonicMs + tookMs,
          wallMs: wallMs + tookMs,
        })
    },
    gone,
    failed,
  )

it('streams begin one in a turn of the event loop', async () => {
  for (let i = 0; i < 20; i++) take(`viewer ${i}`)
  let others = 0
  while (begun.length < 20) {
    const before = begun.length
    await new Promise(setImmediate)
    others++
    expect(begun.length - before).toBeLessThanOrEqual(1)
  }
  expect(others).toBeGreaterThan(15)
})

it('after one that took long, the next one waits for three times as long', async () => {
  take('ann', 100)
  take('ben')
  await turnComes()
  expect(begun).toEqual(['ann'])
  await clock.advance(299)
  expect(begun).toEqual(['ann'])
  await clock.advance(1)
  await turnComes()
  expect(begun).toEqual(['ann', 'ben'])
})

it('a sender who asks for many lets the others in between', async () => {
  for (let i = 0; i < 5; i++) take('ann', 100)
  take('ben', 100)
  await turnComes()
  await clock.advance(300)
  await turnComes()
  expect(begun).toEqual(['ann', 'ben'])
})

it('a stream whose reader has gone is not begun', async () => {
  const gone = new AbortController()
  take('ann', 100)
  take('ben', 0, gone.signal)
  await turnComes()
  gone.abort()
  await clock.advance(1_000)
  await turnComes()
  expect(begun).toEqual(['ann'])
})

it('one that cannot begin is logged and ended, and the next one begins', async () => {
  const logged = vi.spyOn(log, 'error').mockReturnValue()
  const failed = vi.fn()
  const mistake = new Error('a mistake')
  turns.take(
    'ann',
    () => {
      throw mistake
    },
    new AbortController().signal,
    failed,
  )
  take('ben')
  await turnComes()
  expect(failed).toHaveBeenCalledOnce()
  expect(logged).toHaveBeenCalledWith({ error: mistake }, 'a stream could not begin')
  expect(begun).toEqual(['ben'])
})
