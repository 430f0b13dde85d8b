/**
 * What Next gets of the headers of a request for a page or a file. A browser sends Next's own headers when it goes from one page to
 * another; Next answers others with 500 and a stack in the log, or reads one of them for seconds.
 */
import type { IncomingHttpHeaders } from 'node:http'
// Not public: a copy of this would refuse browsers, or let through what Next refuses, after the next version of Next.
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'

/** The state of a page has some twenty levels and a hundred values. Next's check takes a second for a thousand levels. */
const levelsMax = 60
const valuesMax = 600

const ignored = [
  // It asks for a Server Action. This console has none, and Next would print the unknown id.
  'next-action',
  // Next answers 500 where a file has no such part, or is not the one that is asked for: it looks for pages named 416 and 412, and
  // has none. Without them it sends the whole file, as HTTP allows; the largest has 1.5 MB.
  'range',
  'if-range',
  'if-match',
  'if-unmodified-since',
]

/** Takes away what no page and no file here has a use for. */
export function ignoreUnserved(headers: IncomingHttpHeaders): void {
  for (const name of ignored) delete headers[name]
}

/** @returns what is wrong, as a sentence for a person; null: Next can read them */
export function unreadable(headers: IncomingHttpHeaders): string | null {
  const state = headers['next-router-state-tree']
  if (state === undefined) return null
  try {
    if (isSmall(JSON.parse(decodeURIComponent(String(state))))) {
      parseAndValidateFlightRouterState(state)
      return null
    }
  } catch {
    // Not JSON, or not the state of a page.
  }
  return 'The header Next-Router-State-Tree is not the state of a page. Leave it out, or reload the page.'
}

/** Without recursion: the header may have as many levels as it has characters. */
function isSmall(parsed: unknown): boolean {
  let level = [parsed]
  let values = 0
  for (let levels = 0; level.length > 0; levels++) {
    values += level.length
    if (levels > levelsMax || values > valuesMax) return false
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return true
}
