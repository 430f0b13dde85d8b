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

type RawIssue = z.core.$ZodRawIssue

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
const units: Record<string, string> = { string: 'characters', array: 'elements' }

/**
 * What is wrong with a field, after its name: `must be viewer or client`. For schemas without a message of their own; that
 * of zod names neither the field nor, to a reader who does not write JavaScript, what is allowed.
 * @returns undefined: an issue that needs a message of its own
 */
export function mustBe(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${anyOf(issue.values)}`
    case 'invalid_union':
      return 'options' in issue ? `must be ${anyOf(issue.options as unknown[])}` : undefined
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing'
      return issue.expected in types ? `must be ${types[issue.expected]}` : undefined
    case 'too_big': {
      const unit = units[issue.origin]
      if (unit !== undefined) return `has more than ${issue.maximum} ${unit}`
      return `is above ${issue.maximum}, the most that is allowed`
    }
    case 'too_small': {
      const unit = units[issue.origin]
      if (unit !== undefined) return `has fewer than ${issue.minimum} ${unit}`
      return `is below ${issue.minimum}, the least that is allowed`
    }
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be an instant in UTC with milliseconds, such as 2026-01-01T00:00:00.000Z'
        : undefined
    case 'invalid_key':
      return issue.issues[0]?.message
    default:
      return undefined
  }
}

/**
 * The same as a sentence.
 * @param place what a request has wrong as a whole: `body`
 */
export function mustBeSentence(issue: RawIssue, place: string): string | undefined {
  const words = mustBe(issue)
  return words === undefined ? undefined : `${subjectOf(issue.path ?? [], place)} ${words}.`
}

function subjectOf(path: readonly PropertyKey[], place: string): string {
  const name = path.filter((key) => typeof key !== 'number').join('.') || `the ${place}`
  const subject = typeof path.at(-1) === 'number' ? `an element of ${name}` : name
  return subject.replace(/^(the|an) /, (article) => article[0]?.toUpperCase() + article.slice(1))
}

const anyOf = (values: readonly unknown[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(values.map(String))
