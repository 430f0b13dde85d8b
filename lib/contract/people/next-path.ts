/** Where to go after signing in: a path of this origin, or the list. Never another site. */
export function safeNext(next: string | null | undefined, origin = 'http://console.invalid'): string {
  if (!next?.startsWith('/')) return '/'
  try {
    // The parser decides, as a browser would: `//host`, `/\host` and a tab in between all lead elsewhere.
    const url = new URL(next, origin)
    const inside = url.origin === origin && !url.pathname.startsWith('//')
    return inside && url.pathname !== '/sign-in' && url.pathname !== '/setup'
      ? url.pathname + url.search + url.hash
      : '/'
  } catch {
    return '/'
  }
}

/**
 * The sign-in page, coming back to `path` afterwards. `ended`: it says that there was a session, which is over; `act`: and
 * that an act was refused for that.
 */
export function signInPath(path: string, { ended = false }: { ended?: boolean | 'act' } = {}): string {
  const word = ended === true ? '1' : ended
  const query = [path !== '/' && `next=${encodeURIComponent(path)}`, word && `ended=${word}`].filter(Boolean)
  return query.length === 0 ? '/sign-in' : `/sign-in?${query.join('&')}`
}
