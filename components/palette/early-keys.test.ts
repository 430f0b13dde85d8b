import { expect, it } from 'vitest'
import { afterEarlyKey } from './early-keys.ts'

const bare = { ctrlKey: false, metaKey: false, altKey: false }
const typed = (...keys: string[]) =>
  keys.reduce<ReturnType<typeof afterEarlyKey>>(
    (text, key) => (text === null || text === 'close' ? text : afterEarlyKey(text, { ...bare, key })),
    '',
  )

it('what is typed before the field has the focus is its text, and no key of the page behind', () => {
  expect(typed(...'pause')).toBe('pause')
  expect(typed(...'r x', 'Backspace', 'Y')).toBe('r Y')
})

it('keys that mean something to the page behind, or to the button that has the focus, do nothing', () => {
  for (const key of ['Enter', 'ArrowDown', 'ArrowUp', 'Home', 'End']) expect(typed('a', key)).toBe('a')
})

it('Esc closes the palette before it is there', () => {
  expect(typed('a', 'Escape')).toBe('close')
})

it('the keys of the browser stay the browser’s', () => {
  expect(typed('F5')).toBeNull()
  expect(typed('Tab')).toBeNull()
  expect(afterEarlyKey('a', { ...bare, ctrlKey: true, key: 'r' })).toBeNull()
  expect(afterEarlyKey('a', { ...bare, metaKey: true, key: 'r' })).toBeNull()
})
