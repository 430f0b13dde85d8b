import { expect, it } from 'vitest'
import { type SentEvent, sentEvents } from './sent-events.ts'

function read(...pieces: string[]): SentEvent[] {
  const found: SentEvent[] = []
  const take = sentEvents((event) => found.push(event))
  for (const piece of pieces) take(piece)
  return found
}

const text = 'event: snapshot\nid: 7\ndata: {"a":1}\n\n: still here\n\nevent: heartbeat\ndata: {}\n\n'

it('reads events with their names and ids, and passes over comments', () => {
  expect(read(text)).toEqual([
    { name: 'snapshot', id: '7', data: '{"a":1}' },
    { name: 'heartbeat', id: '7', data: '{}' },
  ])
})

it('does not depend on where the network cuts, nor on how lines end', () => {
  const whole = read(text)
  expect(read(...text)).toEqual(whole)
  const windows = text.replaceAll('\n', '\r\n')
  expect(read(windows)).toEqual(whole)
  expect(read(...windows)).toEqual(whole)
})

it('joins data of several lines, and says nothing of an event that is not whole or has no data', () => {
  expect(read('data: a\ndata:b\n\n')).toEqual([{ name: 'message', id: '', data: 'a\nb' }])
  expect(read('event: x\n\ndata: never ended\n')).toEqual([])
})
