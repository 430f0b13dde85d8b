'use client'

import { useSearchParams } from 'next/navigation'
import { useCallback } from 'react'

export type UrlPatch = Record<string, string | undefined>
/**
 * What to change; as a function of the URL's parameters, if it depends on them. Two keys pressed in one frame both count
 * that way: the second would otherwise start from what was last rendered.
 */
export type UrlChange = UrlPatch | ((params: URLSearchParams) => UrlPatch)

/**
 * The page's state, in its URL. Changed through `history`, which the router follows without asking the server: what is
 * behind the URL comes from /v1, and a typed letter must not cost a page.
 */
export function useUrlState() {
  const params = useSearchParams()
  const change = useCallback((change: UrlChange, how: 'push' | 'replace' = 'push') => {
    const url = new URL(location.href)
    const patch = typeof change === 'function' ? change(url.searchParams) : change
    for (const [key, value] of Object.entries(patch)) {
      if (value === undefined || value === '') url.searchParams.delete(key)
      else url.searchParams.set(key, value)
    }
    if (url.href === location.href) return
    if (how === 'push') history.pushState(null, '', url)
    else history.replaceState(null, '', url)
  }, [])
  return { params, change }
}
