import { beforeEach, expect, it } from 'vitest'
import { FakeClock } from '../../../testing/index.ts'
import { SendGate } from './send-gate.ts'

let clock: FakeClock
let gate: SendGate
beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1))
  gate = new SendGate(1_000, clock, clock)
})
const neverSent = { code: 'store-unavailable', mayHaveHappened: false }

it('a write that is sent in time may be answered later', async () => {
  const sent = gate.send(async () => {
    expect(gate.passes()).toBe(true)
    await clock.sleep(5_000)
    return 'applied'
  })
  expect(await clock.run(sent)).toBe('applied')
})

it('what is said to be never sent is not sent, although the timer fired before the time was over', async () => {
  const began = clock.now()
  gate = new SendGate(1_000, { now: () => began }, clock)
  let prepared = () => {}
  const sent = gate.send(() => new Promise<void>((done) => (prepared = done)))
  const refused = expect(sent).rejects.toMatchObject(neverSent)
  await clock.advance(1_000)
  await refused
  prepared()
  expect(gate.passes()).toBe(false)
})

it('a machine that was suspended between the call and the send sends nothing', () => {
  clock.suspend(60_000)
  expect(gate.passes()).toBe(false)
})

it('the answer of a write that fails is passed on, and no timer stays', async () => {
  const failed = gate.send(async () => {
    gate.passes()
    throw new Error('no answer')
  })
  await expect(clock.run(failed)).rejects.toThrow('no answer')
  await clock.advance(10_000)
})
