interface Known {
  /** Moments of the page's clock; null: it is not so, or no event ever came. */
  paused: { readonly sinceMs: number } | null
  silence: { readonly sinceMs: number | null } | null
  unanswered: { readonly sinceMs: number } | null
  lost: { readonly sinceMs: number; readonly goodAtMs: number | null } | null
}

/**
 * Since when nothing is known of the rows; null: they are live. While nothing can be read this is the moment that the alarm names:
 * a stream that goes on for some seconds, and says that Cassandra does not answer, makes no row newer.
 */
export function asOf({ paused, silence, unanswered, lost }: Known): number | null {
  if (paused !== null) return paused.sinceMs
  const known = lost === null || lost.goodAtMs === null ? null : lost.sinceMs
  const moments = [known, silence?.sinceMs, unanswered?.sinceMs].filter(
    (moment) => typeof moment === 'number',
  )
  return moments.length === 0 ? null : Math.min(...moments)
}
