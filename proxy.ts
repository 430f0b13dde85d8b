import { type NextRequest, NextResponse } from 'next/server'
import { nonceHeader, pagePolicy } from './lib/console/http/security-headers.ts'

/**
 * Gives every page a policy with a nonce of its own. It decides nothing: who may see or do what is asked in pages and
 * handlers, since what this sees of a path is not always what they see.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  const policy = pagePolicy(nonce)
  const headers = new Headers(request.headers)
  headers.set(nonceHeader, nonce)
  // Next finds the nonce for its own scripts in here.
  headers.set('Content-Security-Policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('Content-Security-Policy', policy)
  return response
}

export const config = {
  // All but what never is a page: running it costs as much again as the smallest answer.
  matcher: [
    '/((?!v1/|v1$|healthz$|readyz$|metrics$|_next/static/|icon\\.svg$|favicon\\.ico$|apple-touch-icon\\.png$|icon-192\\.png$|icon-512\\.png$|manifest\\.webmanifest$|preview\\.png$).*)',
  ],
}
