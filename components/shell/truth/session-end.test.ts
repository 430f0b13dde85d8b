import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '../../../lib/client/call/api-error.ts'
import { SessionEnd } from './session-end.ts'

const refusal = new ApiError({ code: 'unauthenticated', status: 401 })
let isOver = true
let ways: (true | 'act')[] = []
let endActs = () => {}
let acts = Promise.resolve()

const newEnd = () =>
  new SessionEnd({
    isEnded: async () => isOver,
    actsEnd: () => acts,
    pause: (ms) => new Promise((done) => setTimeout(done, ms)),
    leave: (ended) => ways.push(ended),
  })
const actUnderWay = () => {
  acts = new Promise((done) => {
    endActs = done
  })
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  isOver = true
  ways = []
  acts = Promise.resolve()
})
afterEach(() => vi.useRealTimers())

it('leaves once, and stays when only a request with the session id of before was refused', async () => {
  const end = newEnd()
  isOver = false
  end.note({ route: 'getCluster', error: refusal })
  await pass(1000)
  expect(ways).toEqual([])
  isOver = true
  end.note({ route: 'getCluster', error: refusal })
  await pass(1000)
  end.note({ route: 'listLeases', error: refusal })
  await pass(1000)
  expect(ways).toEqual([true])
})

it('waits for the answer of an act that is under way, and says that the act was refused', async () => {
  const end = newEnd()
  actUnderWay()
  end.note({ route: 'getCluster', error: refusal })
  await pass(5000)
  expect(ways).toEqual([])
  end.note({ route: 'release', error: refusal })
  endActs()
  await pass(0)
  expect(ways).toEqual(['act'])
})

it('does not wait without end for the answer of an act', async () => {
  const end = newEnd()
  actUnderWay()
  end.note({ route: 'getCluster', error: refusal })
  await pass(11_000)
  expect(ways).toEqual([true])
})

it('does not leave a second time with a user who signs out, however late that answer comes', async () => {
  const end = newEnd()
  actUnderWay()
  end.note({ route: 'getCluster', error: refusal })
  await pass(3000)
  end.note({ route: 'signOut' })
  endActs()
  await pass(1000)
  end.note({ route: 'getCluster', error: refusal })
  await pass(1000)
  expect(ways).toEqual([])
})
