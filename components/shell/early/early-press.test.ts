import { runInThisContext } from 'node:vm'
import { afterEach, expect, it, vi } from 'vitest'
import { keepEarlyPress } from './early-press.ts'

afterEach(() => vi.unstubAllGlobals())

/** The page before React runs, and what is pressed in it. */
function earlyPage(button: { type: string } | null) {
  const page = Object.assign(new EventTarget(), { closest: () => button })
  vi.stubGlobal('window', {})
  vi.stubGlobal('HTMLInputElement', class {})
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  runInThisContext(keepEarlyPress)
  return (name: string) => {
    const event = new Event(name, { bubbles: true, cancelable: true })
    page.dispatchEvent(event)
    return { goesOn: !event.cancelBubble, kept: globalThis.window.earlyPress?.target != null }
  }
}

// From `hydrateRoot` on React listens, and answers a press of what it has not taken over yet: done again, it would count twice.
it('a press that is kept does not reach React as well', () => {
  expect(earlyPage({ type: 'button' })('click')).toEqual({ goesOn: false, kept: true })
  expect(earlyPage(null)('submit')).toEqual({ goesOn: false, kept: true })
})

it('other presses go on: of a link, and of a button that sends a form', () => {
  expect(earlyPage(null)('click')).toEqual({ goesOn: true, kept: false })
  expect(earlyPage({ type: 'submit' })('click')).toEqual({ goesOn: true, kept: false })
})
