import { expect, it, vi } from 'vitest'
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

it('gives the same events for every cut into three pieces', () => {
  for (const ends of ['\n', '\r\n', '\r']) {
    const sent = `id: 7${ends}data: a${ends}data: b${ends}${ends}${ends}: c${ends}event: x${ends}data:${ends}${ends}`
    const whole = [
      { name: 'message', id: '7', data: 'a\nb' },
      { name: 'x', id: '7', data: '' },
    ]
    for (let first = 0; first <= sent.length; first++)
      for (let second = first; second <= sent.length; second++)
        expect(read(sent.slice(0, first), sent.slice(first, second), sent.slice(second))).toEqual(whole)
  }
})

it('an event is there as soon as its last line has ended', () => {
  expect(read('data: a\r\r')).toHaveLength(1)
  expect(read('data: a\r', '\n')).toHaveLength(0)
  expect(read('data: a\r\n\r')).toHaveLength(1)
})

it('looks at each character once, however many pieces a long line comes in', () => {
  const pieces = Array.from({ length: 300 }, (_, i) => `${i === 0 ? 'data: ' : ''}${'x'.repeat(1000)}`)
  const { exec } = RegExp.prototype
  let searched = 0
  const counting = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    searched += text.length - this.lastIndex
    return exec.call(this, text)
  })
  const [event] = read(...pieces, '\n\n')
  counting.mockRestore()
  expect(event?.data).toHaveLength(300_000)
  expect(searched).toBeGreaterThanOrEqual(300_000)
  expect(searched).toBeLessThan(700_000)
})

it('joins data of several lines, and says nothing of an event that is not whole or has no data', () => {
  expect(read('data: a\ndata:b\n\n')).toEqual([{ name: 'message', id: '', data: 'a\nb' }])
  expect(read('event: x\n\ndata: never ended\n')).toEqual([])
})
