/**
 * That a link was followed while the server was silent: the link does nothing then, and the page says why. Browser
 * only.
 */
let count = 0
const listeners = new Set<() => void>()

const set = (next: number): void => {
  count = next
  for (const changed of listeners) changed()
}

export const notOpened = {
  /** How many links were followed since the server fell silent. */
  count: (): number => count,
  add: (): void => set(count + 1),
  clear: (): void => set(0),
  subscribe: (changed: () => void): (() => void) => {
    listeners.add(changed)
    return () => listeners.delete(changed)
  },
}
