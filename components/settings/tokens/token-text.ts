/** What is said of tokens. */
import { durationText } from '../../../lib/client/time/time-text.ts'
import { anyTable } from '../../../lib/contract/people/rights.ts'
import type { ApiToken } from '../../../lib/contract/programs/token.ts'
import { byteLength, nameMaxBytes } from '../../../lib/contract/text-size.ts'

const minuteMs = 60_000

/** How long ago a token was used last. It is kept to about a minute: nothing finer is said. */
export function lastUseText(agoMs: number): string {
  return agoMs < 2 * minuteMs ? 'within 2 min' : `${durationText(agoMs - (agoMs % minuteMs))} ago`
}

/** In a shell, between single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/**
 * A line that uses a token as far as it goes. The token itself stands in a variable, the one that the command
 * `leasehold` reads too: a shell keeps its lines.
 */
export function curlLine(
  { role, prefixes, tables }: Pick<ApiToken, 'role' | 'prefixes' | 'tables'>,
  origin: string,
): string {
  const prefix = prefixes[0] ?? ''
  const isDefault = tables.includes('leases') || tables.includes(anyTable)
  const table = isDefault ? '' : `table=${tables[0]}`
  const bearer = '-H "Authorization: Bearer $LEASEHOLD_API_TOKEN"'
  if (role === 'viewer') {
    const query = [prefix === '' ? '' : `prefix=${encodeURIComponent(prefix)}`, table]
      .filter(Boolean)
      .join('&')
    return `curl ${bearer} ${quoted(`${origin}/v1/leases${query && `?${query}`}`)}`
  }
  const name = byteLength(`${prefix}example`) > nameMaxBytes ? prefix : `${prefix}example`
  const body = quoted('{ "ttlSeconds": 30 }')
  return `curl -X PUT ${bearer} -H 'Content-Type: application/json' -d ${body} ${quoted(`${origin}/v1/locks/${encodeURIComponent(name)}${table && `?${table}`}`)}`
}
