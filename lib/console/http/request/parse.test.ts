import { expect, it } from 'vitest'
import { z } from 'zod'
import { HttpProblem } from '../http-problem.ts'
import { parse, refuseRepeated } from './parse.ts'

const problem = (work: () => unknown): HttpProblem => {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof HttpProblem) return thrown
    throw thrown
  }
  throw new Error('nothing was refused')
}

it('gives the parsed part, and nothing where the route has no such part', () => {
  expect(parse(z.object({ limit: z.coerce.number() }), { limit: '5' }, 'query')).toEqual({ limit: 5 })
  expect(parse(undefined, { anything: true }, 'body')).toBeUndefined()
})

it('names every field that is wrong, and those that it knows', () => {
  const schema = z.strictObject({ ttlSeconds: z.number('ttlSeconds is not a number.') })
  const refused = problem(() => parse(schema, { ttlSeconds: 'x', ttl: 5 }, 'body'))
  expect(refused.code).toBe('bad-request')
  expect(refused.extra.issues?.map(({ path }) => path)).toEqual(['ttlSeconds', 'body'])
  expect(refused.message).toBe('ttlSeconds is not a number. "ttl" is not known. Known here: ttlSeconds.')
})

it('names a few of the unknown fields: an answer does not grow with the request', () => {
  const body = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`${i}-${'x'.repeat(200)}`, 1]))
  const refused = problem(() => parse(z.strictObject({ a: z.string().optional() }), body, 'body'))
  expect(refused.message).toContain('3995 more')
  expect(JSON.stringify(refused.extra).length + refused.message.length).toBeLessThan(2_000)
})

it('tells of the first issues, each in a short sentence, and how many more there are', () => {
  const schema = z.strictObject({ a: z.array(z.string(`It is ${'no '.repeat(500)}text.`)) })
  const refused = problem(() => parse(schema, { a: Array.from({ length: 4_000 }, () => 1) }, 'body'))
  expect(refused.extra.issues).toHaveLength(10)
  expect(refused.message).toMatch(/3990 more/)
  expect(JSON.stringify(refused.extra).length + refused.message.length).toBeLessThan(15_000)
})

it('refuses a query parameter that is given twice', () => {
  expect(() => refuseRepeated(new URLSearchParams('prefix=a&owner=a'))).not.toThrow()
  expect(problem(() => refuseRepeated(new URLSearchParams('prefix=a&prefix='))).message).toContain('prefix')
})

it('names an unknown field without cutting a character in two', () => {
  const key = `x${'👑'.repeat(50)}`
  const issue = () => parse(z.strictObject({}), { [key]: 1 }, 'body')
  expect(issue).toThrow(/"x(👑){31}"/u)
})
