import type { Answer } from '../../lib/client/call/call.ts'

/** When an elevation ends, by the page's clock; null: there is none. Counted from the server's own `now`. */
export function elevationEndMs({
  data: { elevatedUntil, now },
  arrivedAtMs,
}: Pick<Answer<'getSession'>, 'data' | 'arrivedAtMs'>): number | null {
  if (elevatedUntil === null) return null
  const leftMs = Date.parse(elevatedUntil) - Date.parse(now)
  return leftMs > 0 ? arrivedAtMs + leftMs : null
}

/** `8:42`: whole seconds, rounded down, so that the page never promises more than there is. */
export function elevationText(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
