/**
 * What a reader types and presses in the page's HTML before React runs: React empties the fields and does not know of the
 * press. Both are kept, and done when React is there: the texts, then the last press. Links need no help: the browser
 * follows them.
 */

interface Kept {
  texts: Map<HTMLInputElement, string>
  /** The button, or the form that was sent. */
  target: HTMLButtonElement | HTMLFormElement | null
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
  const kept: Kept = { texts: new Map(), target: null, stop: () => stop.abort() }
  const options = { capture: true, signal: stop.signal }
  addEventListener(
    'click',
    (event) => {
      const button = (event.target as Element).closest('button')
      if (button !== null && button.type !== 'submit') kept.target = button
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
      kept.target = event.target as HTMLFormElement
    },
    options,
  )
  window.earlyPress = kept
}

/** The script for the page's HTML, before everything that can be pressed. */
export const keepEarlyPress = `(${keep})()`

/** Sets a text past React. */
const setText = Object.getOwnPropertyDescriptor(globalThis.HTMLInputElement?.prototype ?? {}, 'value')?.set

/** Does what was typed and pressed. To be called once, when the whole page listens. */
export function replayEarlyPress(): void {
  const kept = window.earlyPress
  if (kept === undefined) return
  kept.stop()
  delete window.earlyPress
  for (const [field, text] of kept.texts) {
    if (!field.isConnected) continue
    // React reports no change to a field whose text is the one that it set last.
    field.value = ''
    setText?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  if (!kept.target?.isConnected) return
  if (kept.target instanceof HTMLFormElement) kept.target.requestSubmit()
  else kept.target.click()
}
