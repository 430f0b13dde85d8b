import type { EventRange, HistoryPlace } from 'leasehold/history'
import { z } from 'zod'
import { cursorTo, placeIn } from '../../http/request/cursor.ts'

/** The cursors of older versions have two parts: such a page is read on from without the rows above it. */
const cursorSchema = z.tuple([z.number().int(), z.string().max(64), z.number().int().nullish()])

export const cursorOf = ({ atMs, id, contextMs }: HistoryPlace): string => cursorTo([atMs, id, contextMs])

/** @throws HttpProblem bad-request */
export function placeOf(cursor: string, { fromMs, toMs }: EventRange): HistoryPlace {
  const [atMs, id, contextMs] = placeIn(cursor, cursorSchema, 'history')
  // A cursor may be older than what is kept by now.
  return {
    atMs: Math.min(toMs, Math.max(fromMs, atMs)),
    id: atMs < fromMs ? '' : id,
    contextMs: contextMs ?? undefined,
  }
}
