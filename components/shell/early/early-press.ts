/**
 * What a reader types and presses in the page's HTML before React runs: React empties the fields and does not know of the
 * press. Both are kept, and done when React is there: the texts, then the last press. Links need no help: the browser
 * follows them. A press that is older than `lateMs` is not done: its reader looks at something else by now, and the page
 * says that the press had no effect (late-press.tsx).
 */

/** After it a press is late. The wall clock counts: a laptop may have slept since the press. */
const lateMs = 10_000

interface Kept {
  texts: Map<HTMLInputElement, string>
  /** The button, or the form that was sent. */
  target: HTMLButtonElement | HTMLFormElement | null
  /** When, by the wall clock. */
  pressedAtMs: number
  stop: () => void
}

declare global {
  interface Window {
    earlyPress?: Kept
  }
}

/** Runs in the page's HTML, as text: it may name nothing outside of itself. */
function keep(): void {
  const stop = new AbortController()
  const kept: Kept = { texts: new Map(), target: null, pressedAtMs: 0, stop: () => stop.abort() }
  const options = { capture: true, signal: stop.signal }
  addEventListener(
    'click',
    (event) => {
      const button = (event.target as Element).closest('button')
      if (button === null || button.type === 'submit') return
      // From `hydrateRoot` on React answers it as well: the press would count twice.
      event.stopPropagation()
      kept.target = button
      kept.pressedAtMs = Date.now()
    },
    options,
  )
  addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof HTMLInputElement) kept.texts.set(target, target.value)
    },
    options,
  )
  addEventListener(
    'submit',
    (event) => {
      // Without the script the browser would send the form itself, to an address that takes none.
      event.preventDefault()
      event.stopPropagation()
      kept.target = event.target as HTMLFormElement
      kept.pressedAtMs = Date.now()
    },
    options,
  )
  window.earlyPress = kept
}

/** The script for the page's HTML, before everything that can be pressed. */
export const keepEarlyPress = `(${keep})()`

/** Sets a text past React. */
const setText = Object.getOwnPropertyDescriptor(globalThis.HTMLInputElement?.prototype ?? {}, 'value')?.set

/** A press that was not done, because the page's script came too late. */
export interface LatePress {
  /** What the button says. */
  button: string
  /** The press would have sent a form. */
  sends: boolean
  seconds: number
}

/**
 * Does what was typed and pressed. To be called once, when the whole page listens.
 * @returns a press that was too late: its button has the focus, unless the reader has moved it
 */
export function replayEarlyPress(): LatePress | null {
  const kept = window.earlyPress
  if (kept === undefined) return null
  kept.stop()
  delete window.earlyPress
  for (const [field, text] of kept.texts) {
    if (!field.isConnected) continue
    // React reports no change to a field whose text is the one that it set last.
    field.value = ''
    setText?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const { target, pressedAtMs } = kept
  if (!target?.isConnected) return null
  const agoMs = Date.now() - pressedAtMs
  const sends = target instanceof HTMLFormElement
  // A clock that was set back says nothing of the age.
  if (agoMs > lateMs || agoMs < 0) {
    const button = sends ? target.querySelector<HTMLButtonElement>('button[type=submit]') : target
    if (document.activeElement === document.body) button?.focus()
    const says = button?.ariaLabel ?? button?.textContent.trim() ?? ''
    return { button: says, sends, seconds: Math.max(0, Math.round(agoMs / 1000)) }
  }
  if (sends) target.requestSubmit()
  else target.click()
  return null
}
