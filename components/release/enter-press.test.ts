import { expect, it } from 'vitest'
import { enterPress } from './enter-press.ts'

const press = (over: Partial<Parameters<typeof enterPress>[0]> = {}) =>
  enterPress({ repeat: false, isComposing: false, afterEnter: false, sinceFocusMs: 5, can: 'act', ...over })

it('Enter in a field presses the act button, or goes to what is missing before that', () => {
  expect(press()).toBe('act')
  expect(press({ can: 'go-on' })).toBe('go-on')
  expect(press({ can: 'nothing' })).toBe('nothing')
})

it('a key that is held down, and the Enter that ends the choice of a character, do nothing', () => {
  expect(press({ repeat: true })).toBe('nothing')
  expect(press({ isComposing: true })).toBe('nothing')
})

it('a second Enter does not act where the first has just put the focus: it was meant for the step before', () => {
  expect(press({ afterEnter: true, sinceFocusMs: 999 })).toBe('nothing')
  expect(press({ afterEnter: true, sinceFocusMs: 1000 })).toBe('act')
})
