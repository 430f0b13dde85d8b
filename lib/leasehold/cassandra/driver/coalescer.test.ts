import { expect, test } from 'vitest'
import { FakeClock } from '../../testing/index.ts'
import { Coalescer } from './coalescer.ts'

function coalescing(busyFrom: number) {
  const clock = new FakeClock()
  const coalescer = new Coalescer({ timer: clock, windowMs: 4, idleWindowMs: 1, busyFrom })
  const sent: number[] = []
  const answers = new Map<number, () => void>()
  let count = 0
  const statement = () => {
    const id = ++count
    return coalescer.run(
      () =>
        new Promise<number>((resolve) => {
          sent.push(id)
          answers.set(id, () => resolve(id))
        }),
    )
  }
  const answer = async (...ids: number[]) => {
    for (const id of ids) answers.get(id)?.()
    await clock.advance(0)
  }
  return { clock, sent, statement, answer }
}

test('A statement is sent at once while few are in flight, however many came before', async () => {
  const { sent, statement, answer } = coalescing(2)
  for (const id of [1, 2, 3, 4]) {
    const done = statement()
    expect(sent).toHaveLength(id)
    await answer(id)
    expect(await done).toBe(id)
  }
})

test('Statements that come while many are in flight are sent together and in order, once they are as many', async () => {
  const { sent, statement } = coalescing(3)
  for (let i = 0; i < 5; i++) void statement()
  expect(sent).toEqual([1, 2, 3])
  void statement()
  expect(sent).toEqual([1, 2, 3, 4, 5, 6])
})

test('A group is sent when so many answers have come that no more are in flight than wait', async () => {
  const { sent, statement, answer } = coalescing(3)
  for (let i = 0; i < 4; i++) void statement()
  await answer(1)
  expect(sent).toEqual([1, 2, 3])
  await answer(2)
  expect(sent).toEqual([1, 2, 3, 4])
})

test('A group waits no longer than the window, whatever is in flight', async () => {
  const { clock, sent, statement } = coalescing(3)
  for (let i = 0; i < 5; i++) void statement()
  await clock.advance(3.9)
  expect(sent).toEqual([1, 2, 3])
  await clock.advance(0.1)
  expect(sent).toEqual([1, 2, 3, 4, 5])
  // The timer of a group that was sent before does not send the next one early.
  for (let i = 0; i < 5; i++) void statement()
  await clock.advance(0)
  expect(sent).toHaveLength(10)
  await clock.advance(2)
  void statement()
  await clock.advance(3.9)
  expect(sent).toHaveLength(10)
  await clock.advance(0.1)
  expect(sent).toHaveLength(11)
})

test('A statement does not overtake one whose group is sent in the same turn', async () => {
  const { sent, statement, answer } = coalescing(4)
  for (let i = 0; i < 8; i++) void statement()
  expect(sent).toHaveLength(8)
  await answer(1, 2, 3, 4, 5, 6, 7)
  void statement()
  void statement()
  expect(sent.slice(8)).toEqual([9, 10])
})

test('While groups are large the next statement waits for others, also with nothing in flight', async () => {
  const { clock, sent, statement, answer } = coalescing(2)
  for (let i = 0; i < 4; i++) void statement()
  await clock.advance(1)
  await answer(1, 2, 3, 4)
  void statement()
  expect(sent).toHaveLength(4)
  await clock.advance(1)
  expect(sent).toHaveLength(5)
  // The last group had one member: few statements come.
  await answer(5)
  void statement()
  expect(sent).toHaveLength(6)
})

test('A statement that fails counts no more as one in flight', async () => {
  const coalescer = new Coalescer({ timer: new FakeClock(), busyFrom: 1 })
  const failed = () => coalescer.run(() => Promise.reject(new Error('no answer')))
  await expect(failed()).rejects.toThrow('no answer')
  await expect(failed()).rejects.toThrow('no answer')
})
