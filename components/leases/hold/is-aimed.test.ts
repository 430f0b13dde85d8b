import { expect, it } from 'vitest'
import { isAimed, type Press } from './is-aimed.ts'

const press = (over: Partial<Press>) =>
  isAimed({
    row: 'a',
    x: 10,
    y: 20,
    aim: null,
    byFinger: false,
    before: undefined,
    sinceChangeMs: 60_000,
    ...over,
  })

it('a mouse that was not moved since another row lay under it does not press the one that came there', () => {
  expect(press({ aim: { x: 10, y: 20, row: 'b' } })).toBe(false)
  expect(press({ aim: { x: 10.4, y: 20.9, row: 'b' } }), 'a click has whole pixels').toBe(false)
  expect(press({ aim: { x: 10, y: 20, row: 'a' } })).toBe(true)
  expect(press({ aim: { x: 10, y: 21, row: 'b' } }), 'it was moved').toBe(true)
  expect(press({ aim: null }), 'the user scrolled').toBe(true)
})

it('a finger does not press a row that took another’s place a moment before', () => {
  expect(press({ byFinger: true, before: 'b', sinceChangeMs: 499 })).toBe(false)
  expect(press({ byFinger: true, before: 'b', sinceChangeMs: 500 })).toBe(true)
  expect(press({ byFinger: true, before: 'a', sinceChangeMs: 0 })).toBe(true)
  expect(press({ byFinger: true, before: undefined, sinceChangeMs: 0 }), 'nothing lay there').toBe(true)
})
