import type { z } from 'zod'
import { HttpProblem } from '../http-problem.ts'
import { issueText } from './issue-text.ts'

/** One part of a request, by its schema; undefined: the route has no such part. @throws HttpProblem bad-request */
export function parse(schema: z.ZodType | undefined, data: unknown, place: string): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.') || place,
    message: issueText(issue, schema),
  }))
  throw new HttpProblem('bad-request', issues.map(({ message }) => message).join(' '), { issues })
}

/** Of two values under one key, permissions would be checked for one, and the handler would use the other. */
export function refuseRepeated(query: URLSearchParams): void {
  const seen = new Set<string>()
  for (const key of query.keys()) {
    if (seen.has(key))
      throw new HttpProblem('bad-request', `The query parameter ${key} is given more than once.`)
    seen.add(key)
  }
}
