/**
 * A button in the page's HTML can be pressed before React runs, which hears only what comes later. The last such press
 * is kept, and done when React is there. Links need no help: the browser follows them.
 */

interface Kept {
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
  const kept: Kept = { target: null, stop: () => stop.abort() }
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

/** Does what was pressed. To be called once, when the whole page listens. */
export function replayEarlyPress(): void {
  const kept = window.earlyPress
  if (kept === undefined) return
  kept.stop()
  delete window.earlyPress
  if (!kept.target?.isConnected) return
  if (kept.target instanceof HTMLFormElement) kept.target.requestSubmit()
  else kept.target.click()
}
