import { beforeEach, expect, it } from 'vitest'
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
