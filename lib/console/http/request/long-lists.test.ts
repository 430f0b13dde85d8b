/** A request with a long list costs about what a short one does, and so does its answer. */
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { type Route, routes } from '../../../contract/routes.ts'
import { HttpProblem } from '../http-problem.ts'
import { parse } from './parse.ts'

/** Of a field that is neither of the right type nor of the right length. */
const issuesOfOneMax = 2
const rows = Object.entries<Route>(routes)

const problem = (schema: z.ZodType | undefined, data: unknown): HttpProblem => {
  try {
    parse(schema, data, 'body')
  } catch (thrown) {
    if (thrown instanceof HttpProblem) return thrown
    throw thrown
  }
  throw new Error('nothing was refused')
}
/** The fields of what a route takes. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  const def = schema?._zod.def as { shape?: object; innerType?: z.ZodType } | undefined
  return def?.innerType === undefined ? Object.keys(def?.shape ?? {}) : fieldsOf(def.innerType)
}
const queries = rows.flatMap(([id, { query }]) =>
  fieldsOf(query).map((field) => ({ id, field, schema: query })),
)
const bodies = rows.flatMap(([id, { body }]) => fieldsOf(body).map((field) => ({ id, field, schema: body })))

const ofField = ({ extra }: HttpProblem, field: string) =>
  extra.issues?.filter(({ path }) => path.split('.')[0] === field) ?? []

it.each(queries)(
  'the query of $id with 6,000 elements in $field: the answer does not grow',
  ({ field, schema }) => {
    const long = Array.from({ length: 6_000 }, () => 'x').join(',')
    try {
      parse(schema, { [field]: long }, 'query')
    } catch (thrown) {
      const refused = thrown as HttpProblem
      expect(ofField(refused, field).length).toBeLessThanOrEqual(issuesOfOneMax)
      expect(JSON.stringify(refused.extra).length + refused.message.length).toBeLessThan(4_000)
    }
  },
)

it.each(bodies)(
  'the body of $id with 6,000 elements in $field: the answer does not grow',
  ({ field, schema }) => {
    const refused = problem(schema, { [field]: Array.from({ length: 6_000 }, () => 1) })
    expect(ofField(refused, field).length).toBeLessThanOrEqual(issuesOfOneMax)
    expect(JSON.stringify(refused.extra).length + refused.message.length).toBeLessThan(4_000)
  },
)

it('says of a list of states, prefixes or tables what is too long', () => {
  const long = Array.from({ length: 60 }, () => 'held')
  expect(problem(routes.listLeases.query, { state: long.join(',') }).message).toMatch(/more than 16 states/)
  expect(problem(routes.createToken.body, { name: 'a', prefixes: long }).message).toMatch(
    /more than 50 prefixes/,
  )
  expect(problem(routes.createToken.body, { name: 'a', prefixes: ['a/'], tables: long }).message).toMatch(
    /more than 50 tables/,
  )
})
