/** A value that this browser keeps under a key, shared by all components that show it. */
export interface StoredValue<T> {
  /** The same object until the value changes. */
  read: () => T
  write: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

/**
 * @param parse gives the value of a stored text, which another version may have written; null: none is stored
 * @param textOf gives the text to store
 */
export function storedValue<T>(
  key: string,
  parse: (text: string | null) => T,
  textOf: (value: T) => string,
): StoredValue<T> {
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  /** Storage may be forbidden or full: a text that it refused lasts as long as the page. */
  let refused: string | null = null
  const textNow = () => {
    try {
      return refused ?? localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const onStorage = (event: StorageEvent) => {
    // Without a key: everything was cleared.
    if (event.key !== key && event.key !== null) return
    refused = null
    tell()
  }
  let last: { text: string | null; value: T } | undefined
  return {
    // Each time from storage: while no component subscribes, no event says that another tab wrote.
    read: () => {
      const text = textNow()
      if (last === undefined || last.text !== text) last = { text, value: parse(text) }
      return last.value
    },
    write: (value) => {
      const text = textOf(value)
      refused = null
      try {
        localStorage.setItem(key, text)
      } catch {
        refused = text
      }
      tell()
    },
    subscribe: (listener) => {
      if (listeners.size === 0) addEventListener('storage', onStorage)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) removeEventListener('storage', onStorage)
      }
    },
  }
}
