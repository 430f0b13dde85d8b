/**
 * Checks answers by the contract's schemas. The schemas are a third of a page's code, and the page can be shown without
 * them: `call.ts` fetches this file before its first request.
 */
import { z } from 'zod'
import type { RouteId } from '../../contract/endpoints.ts'
import { type Problem, problemSchema } from '../../contract/problem.ts'
import { type Route, routes } from '../../contract/routes.ts'

const nowSchema = z.object({ now: z.string() })

/** Whether a request to this route has a body. */
export const hasBody = (route: RouteId): boolean => 'body' in routes[route]

/** The answer is as the contract says, has a status that the contract does not know, or has a wrong body. */
export type Parsed =
  | { kind: 'answer'; data: unknown; now: string | undefined }
  | { kind: 'problem' }
  | { kind: 'bad'; cause: unknown }

export function parseAnswer(route: RouteId, status: number, json: unknown): Parsed {
  const { responses }: Route = routes[route]
  const schema = responses[status]
  if (schema === null) return { kind: 'answer', data: undefined, now: undefined }
  if (schema === undefined) return { kind: 'problem' }
  const parsed = schema.safeParse(json)
  if (!parsed.success) return { kind: 'bad', cause: parsed.error }
  return { kind: 'answer', data: parsed.data, now: nowSchema.safeParse(parsed.data).data?.now }
}

export function parseProblem(json: unknown): { problem: Problem } | { cause: unknown } {
  const parsed = problemSchema.safeParse(json)
  return parsed.success ? { problem: parsed.data } : { cause: parsed.error }
}
