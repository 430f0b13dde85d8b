import { beforeEach, describe, expect, it } from 'vitest'
import { ApiError } from '../call/api-error.ts'
import type { LeaseView } from '../view/lease-view.ts'
import { LiveList } from './live-list.ts'
import type { StreamListener } from './watch-stream.ts'

let streams: StreamListener[] = []
let troubles = 0
let list: LiveList

const view: LeaseView = {
  table: undefined,
  prefix: '',
  q: '',
  owner: '',
  states: [],
  sort: 'trouble',
  order: 'asc',
}
const window = { offset: 0, limit: 100 }

beforeEach(() => {
  streams = []
  troubles = 0
  list = new LiveList({
    open: (_, listener) => {
      streams.push(listener)
      return { close: () => {} }
    },
    now: () => 1000,
    setTimer: () => undefined,
    clearTimer: () => {},
    onTrouble: () => {
      troubles++
    },
    onSession: () => {},
  })
  list.watch(view, window)
})

it.each([200, 404, 502])(
  'an answer of a proxy, with status %i, is a reason to find out who is in trouble',
  (status) => {
    streams[0]?.broken(new ApiError({ code: 'bad-answer', status }), false)
    expect(troubles).toBe(1)
  },
)

describe('a stream that was refused for good', () => {
  const forbidden = new ApiError({ code: 'forbidden', status: 403 })
  const refuse = () => {
    streams.at(-1)?.silence({ sinceMs: 900 })
    streams.at(-1)?.broken(forbidden, true)
  }

  it('is shown as one that the page does not open again by itself', () => {
    streams[0]?.broken(new ApiError({ code: 'not-ready', status: 503 }), false)
    expect(list.shown().isFinal).toBe(false)
    refuse()
    expect(list.shown()).toMatchObject({ error: forbidden, isFinal: true, silence: { sinceMs: 900 } })
    list.watch(view, window)
    expect(streams).toHaveLength(1)
  })

  it('is shown in a pause too', () => {
    list.pause(true)
    refuse()
    expect(list.shown()).toMatchObject({ error: forbidden, isFinal: true })
  })

  it.each([
    ['the page is shown again', () => list.wake()],
    ['the reader asks for it', () => list.retry()],
  ])('is opened again when %s: that it is refused still, it has to say again', (_, open) => {
    refuse()
    open()
    expect(streams).toHaveLength(2)
    expect(list.shown()).toMatchObject({ error: forbidden, isFinal: false, silence: { sinceMs: 900 } })
    list.wake()
    expect(streams).toHaveLength(2)
    refuse()
    expect(list.shown().isFinal).toBe(true)
  })
})
