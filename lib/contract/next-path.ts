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

/** The sign-in page, coming back to `path` afterwards. */
export const signInPath = (path: string): string =>
  path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`
