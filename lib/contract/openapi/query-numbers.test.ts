import { expect, it } from 'vitest'
import type { z } from 'zod'
import { type Route, routes } from '../routes.ts'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'

/** Every number in a query of the API: its route, its name and its schema. */
const numbers = Object.entries<Route>(routes).flatMap(([id, { query }]) => {
  if (query === undefined) return []
  const { properties = {} } = jsonSchemaOf(query, 'input') as { properties?: Record<string, JsonSchema> }
  const { shape } = query as z.ZodObject
  return Object.entries(properties)
    .filter(([, { type }]) => type === 'integer' || type === 'number')
    .map(([name]) => [id, name, shape[name] as z.ZodType] as const)
})

it('there are numbers in queries', () => {
  expect(numbers.map(([id, name]) => `${id} ${name}`)).toContain('nextNumbers count')
  expect(numbers.length).toBeGreaterThan(7)
})

it.each(numbers)(
  '%s reads %s of digits alone, and refuses what JavaScript takes for a number',
  (_, name, schema) => {
    expect(schema.parse('7')).toBe(7)
    for (const given of ['1e1', '0x7', ' 7', '7 ', '+7', '7.0', '-7', '', 'seven', '٧', 'Infinity']) {
      const { error } = schema.safeParse(given)
      expect(error?.issues.map(({ message }) => message)[0], JSON.stringify(given)).toMatch(
        new RegExp(`\\b${name} is not a whole number, written in digits alone; \\d+ `),
      )
    }
  },
)
