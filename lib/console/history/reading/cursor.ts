import type { EventRange, HistoryPlace } from 'leasehold/history'
import { z } from 'zod'
import { HttpProblem } from '../../http/http-problem.ts'

/** The cursors of older versions have two parts: such a page is read on from without the rows above it. */
const cursorSchema = z.tuple([z.number().int(), z.string().max(64), z.number().int().nullish()])

export const cursorOf = ({ atMs, id, contextMs }: HistoryPlace): string =>
  Buffer.from(JSON.stringify([atMs, id, contextMs])).toString('base64url')

/** @throws HttpProblem bad-request */
export function placeOf(cursor: string, { fromMs, toMs }: EventRange): HistoryPlace {
  const parsed = cursorSchema.safeParse(jsonIn(Buffer.from(cursor, 'base64url').toString()))
  if (!parsed.success)
    throw new HttpProblem('bad-request', 'This history did not issue the cursor. Start again without it.')
  const [atMs, id, contextMs] = parsed.data
  // A cursor may be older than what is kept by now.
  return {
    atMs: Math.min(toMs, Math.max(fromMs, atMs)),
    id: atMs < fromMs ? '' : id,
    contextMs: contextMs ?? undefined,
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
