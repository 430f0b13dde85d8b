import { expect, it } from 'vitest'
import type { z } from 'zod'
import { type Route, routes } from '../../../contract/routes.ts'
import { HttpProblem } from '../http-problem.ts'
import { parse } from './parse.ts'

const refused = (schema: z.ZodType | undefined, data: unknown): HttpProblem => {
  try {
    parse(schema, data, 'body')
  } catch (thrown) {
    if (thrown instanceof HttpProblem) return thrown
    throw thrown
  }
  throw new Error('nothing was refused')
}

it.each([
  [routes.createToken.body, { name: 'a', prefixes: [''], role: 'admin' }, 'role must be viewer or client.'],
  [
    routes.createUser.body,
    { username: 'a', password: 'x'.repeat(12), role: 'root' },
    'role must be viewer, operator, or admin.',
  ],
  [routes.actInLab.body, { act: 'leave' }, 'candidate is missing.'],
  [routes.changeUser.body, { disabled: 'yes' }, 'disabled must be true or false.'],
  [routes.listLeases.query, { order: 'up' }, 'order must be asc or desc.'],
  [routes.listLeases.query, { q: 'x'.repeat(513) }, 'q has more than 512 characters.'],
  [
    routes.listLeases.query,
    { state: 'held,free' },
    'An element of state must be held, risk, quarantined, zombie, partial, eternal, or flapping.',
  ],
  [
    routes.getLeaseHistory.query,
    { from: 'yesterday' },
    'from must be an instant in UTC with milliseconds, such as 2026-01-01T00:00:00.000Z.',
  ],
  [routes.putLock.body, { value: 5 }, 'value must be text.'],
  [routes.putLock.body, [], 'The body must be an object.'],
  [routes.startLabRun.body, { candidates: 99 }, 'candidates is above 8, the most that is allowed.'],
  [routes.startLabRun.body, { candidates: 1.5 }, 'candidates must be a whole number.'],
  [
    routes.actInLab.body,
    { act: 'dance' },
    'act must be join, leave, resign, fault, release, deadline-check, or story.',
  ],
])('names the field, and what is allowed (%#)', (schema, data, sentence) => {
  expect(refused(schema, data).message).toBe(sentence)
})

/** The fields of what a route takes. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  const def = schema?._zod.def as { shape?: object; innerType?: z.ZodType } | undefined
  return def?.innerType === undefined ? Object.keys(def?.shape ?? {}) : fieldsOf(def.innerType)
}
const fields = Object.entries<Route>(routes).flatMap(([id, { query, body }]) =>
  [query, body].flatMap((schema) => fieldsOf(schema).map((field) => ({ id, field, schema }))),
)

it.each(fields)('$id says of a wrong $field no word of zod', ({ field, schema }) => {
  for (const wrong of [{}, [], 5.5, -1, 'x'.repeat(20_000), true, null]) {
    let sentence = ''
    try {
      parse(schema, { [field]: wrong }, 'body')
    } catch (thrown) {
      sentence = (thrown as HttpProblem).message
    }
    expect(sentence).not.toMatch(/Invalid|expected (one|string|number|bool|array|object)|Too (big|small)/)
  }
})
