import type { z } from 'zod'
import { startOf } from '../../../contract/text-size.ts'
import { HttpProblem } from '../http-problem.ts'
import { issueText, mustBeSentence } from './issue-text.ts'

/** An answer does not grow with the request: how many issues it has, and how long their sentences and paths may be. */
const issuesMax = 10
const sentenceMaxLength = 600
const pathMaxLength = 200

/** One part of a request, by its schema; undefined: the route has no such part. @throws HttpProblem bad-request */
export function parse(schema: z.ZodType | undefined, data: unknown, place: string): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(data, { error: (issue) => mustBeSentence(issue, place) })
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, issuesMax).map((issue) => ({
    path: startOf(issue.path.join('.'), pathMaxLength) || place,
    message: startOf(issueText(issue, schema), sentenceMaxLength),
  }))
  const more = parsed.error.issues.length - issues.length
  const sentences = issues.map(({ message }) => message)
  if (more > 0) sentences.push(`${more} more ${more === 1 ? 'part is' : 'parts are'} not valid.`)
  throw new HttpProblem('bad-request', sentences.join(' '), { issues })
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
