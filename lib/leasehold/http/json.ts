/** Reads JSON that came over the network, without trusting it to have any shape. */

export type Json = Readonly<Record<string, unknown>>

/** The fields of a JSON object; none for anything else. */
export function fields(text: string): Json {
  try {
    return asFields(JSON.parse(text))
  } catch {
    return {}
  }
}

export const asFields = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** A decimal string. */
export const bigintOf = (value: unknown): bigint | null =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : null

/** ISO 8601, in milliseconds since the epoch. */
export function instantOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

/**
 * The code of a problem document from Leasehold. A proxy's page has none; a proxy's own problem document (RFC 9457) has
 * another `type`, and may use our codes for its own faults.
 */
export function problemOf(response: Response, body: Json): string | null {
  const contentType = response.headers.get('content-type') ?? ''
  const code = textOf(body.code)
  const isOurs =
    contentType.startsWith('application/problem+json') && body.type === `urn:leasehold:problem:${code}`
  return isOurs ? code : null
}
