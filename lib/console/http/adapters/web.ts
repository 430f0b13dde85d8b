import type { Answer } from './api-request.ts'

/** For hosts that use the web's types: Next's route handlers, tests. */
export function toResponse({ status, headers, cookies = [], text }: Answer): Response {
  const response = new Response(text, { status, headers })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}
