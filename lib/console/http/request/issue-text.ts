import { z } from 'zod'
import { startOf } from '../../../contract/text-size.ts'

/** The fields of an object schema, also where a default stands around it. */
function fieldsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault)
    return fieldsOf(schema.unwrap() as z.ZodType)
  return []
}

/** How many unknown fields an answer names, and how long each may be: the answer must not grow with the request. */
const namedMax = 5
const namedMaxLength = 64

/** One issue as a sentence for people; for an unknown field, it names the known ones. */
export function issueText(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  if (issue.code !== 'unrecognized_keys') return issue.message
  const named = issue.keys.slice(0, namedMax).map((key) => JSON.stringify(startOf(key, namedMaxLength)))
  const more = issue.keys.length - named.length
  const unknown = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const known = issue.path.length === 0 ? fieldsOf(schema) : []
  const instead = known.length === 0 ? '' : ` Known here: ${known.join(', ')}.`
  return `${unknown} ${issue.keys.length === 1 ? 'is' : 'are'} not known.${instead}`
}
