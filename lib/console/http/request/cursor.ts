import type { z } from 'zod'
import { HttpProblem } from '../http-problem.ts'

/** A place in a list, as callers hold it: opaque text that fits into a URL. */
export const cursorTo = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/**
 * The place that a cursor stands for.
 * @param list what the problem calls the list that did not issue it
 * @throws HttpProblem bad-request, unless the place has the shape of `schema`
 */
export function placeIn<P>(cursor: string, schema: z.ZodType<P>, list: 'list' | 'history'): P {
  const parsed = schema.safeParse(jsonIn(Buffer.from(cursor, 'base64url').toString()))
  if (!parsed.success)
    throw new HttpProblem('bad-request', `This ${list} did not issue the cursor. Start again without it.`)
  return parsed.data
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
