/** Which page came before which: a cursor only leads on, so that the way back is kept for the session. */
const storageKey = 'leasehold.page-trail'
const maxEntries = 500

type Trail = Record<string, string>

function load(storage: Storage): Trail {
  try {
    const trail: unknown = JSON.parse(storage.getItem(storageKey) ?? '{}')
    return typeof trail === 'object' && trail !== null ? (trail as Trail) : {}
  } catch {
    return {}
  }
}

/** Remember that the page at `to` was reached from the page at `from` (empty: the first). */
export function rememberStep(storage: Storage, from: string, to: string): void {
  const trail = Object.entries(load(storage)).slice(-maxEntries)
  try {
    storage.setItem(storageKey, JSON.stringify({ ...Object.fromEntries(trail), [to]: from }))
  } catch {
    // Storage may be full or forbidden; then Previous leads to the first page.
  }
}

/** The cursor of the page before; undefined when this session has not seen it. */
export const previousCursor = (storage: Storage, cursor: string): string | undefined => load(storage)[cursor]
