/** A choice that this browser remembers, shared by all components that show it. */
interface Preference<T extends string> {
  read: () => T
  write: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

export function preference<T extends string>(key: string, allowed: readonly [T, ...T[]]): Preference<T> {
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const onStorage = (event: StorageEvent) => {
    if (event.key !== key) return
    chosen = undefined
    tell()
  }
  let chosen: T | undefined
  return {
    read: () => {
      if (chosen !== undefined) return chosen
      let stored: string | null = null
      try {
        stored = localStorage.getItem(key)
      } catch {
        // Storage may be forbidden: the default holds, and a choice lasts as long as the page.
      }
      return allowed.find((value) => value === stored) ?? allowed[0]
    },
    write: (value) => {
      chosen = value
      try {
        localStorage.setItem(key, value)
      } catch {}
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
