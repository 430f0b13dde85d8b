import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { problemCodes, problemStatus } from '../problem-codes.ts'
import { problemsOf, type Route, routes } from '../routes.ts'
import { openApiDocument } from './document.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into at many depths
const document: any = openApiDocument({ url: 'https://console.example', cookieName: '__Host-leasehold' })
const rows = Object.entries<Route>(routes)

interface Parameter {
  in?: string
  name: string
  schema: { type?: string }
}
/** The parameters of queries that the document calls integers. */
const wholeNumbers = rows.flatMap(([id, { path, method, query }]) => {
  const parameters: Parameter[] = document.paths[path][method.toLowerCase()].parameters
  const integers = parameters.filter((each) => each.in === 'query' && each.schema.type === 'integer')
  return integers.map(({ name }) => ({ id, name, query }))
})

/** Every value under a key, at any depth. */
function valuesOf(key: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return []
  return Object.entries(within).flatMap(([each, value]) => [
    ...(each === key ? [value] : []),
    ...valuesOf(key, value),
  ])
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, every reference included', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
    validator.resolveRefs()
    const targets = valuesOf('$ref', document) as string[]
    for (const target of new Set(targets)) {
      const found = target
        .slice(2)
        .split('/')
        // biome-ignore lint/suspicious/noExplicitAny: as above
        .reduce((at: any, step) => at?.[step], document)
      expect(found, target).toBeDefined()
    }
  })

  it('names every component that it defines, and uses it', () => {
    const used = new Set(valuesOf('$ref', document))
    for (const kind of ['schemas', 'headers', 'parameters', 'examples'])
      for (const name of Object.keys(document.components[kind]))
        expect(used, name).toContain(`#/components/${kind}/${name}`)
  })

  it.each(rows)('has %s with every status and code of its row, and no other', (id, route) => {
    const operation = document.paths[route.path][route.method.toLowerCase()]
    expect(operation.operationId).toBe(id)
    const statuses = new Set([
      ...Object.keys(route.responses),
      ...problemsOf(route).map((code) => String(problemStatus[code])),
    ])
    expect(new Set(Object.keys(operation.responses))).toEqual(statuses)
    expect(new Set(valuesOf('enum', codesIn(operation)).flat())).toEqual(new Set(problemsOf(route)))
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = operation.parameters.filter((each: { in?: string }) => each.in === 'path')
    expect(declared.map(({ name }: { name: string }) => name)).toEqual(inPath)
    expect(operation.security.length === 0).toBe(route.permission.people === 'anybody')
  })

  it('has as many operations as the table has rows', () => {
    const operations = Object.values<object>(document.paths).flatMap((path) => Object.keys(path))
    expect(operations).toHaveLength(rows.length)
  })

  it('says each problem on some route, but for those of paths and methods that it does not have', () => {
    const said = new Set(rows.flatMap(([, route]) => problemsOf(route)))
    expect(problemCodes.filter((code) => !said.has(code))).toEqual(['method-not-allowed'])
  })

  it('says no problem of a route that leads on, or that acts on a plan which was made', () => {
    for (const route of [routes.startSso, routes.finishSso])
      expect(problemsOf(route)).not.toContain('too-many-attempts')
    expect(problemsOf(routes.release)).not.toContain('not-releasable')
  })

  it('says the limits that JSON Schema cannot count', () => {
    const [name] = document.paths['/v1/locks/{name}'].put.parameters
    expect(name).toMatchObject({ name: 'name', schema: { minLength: 1, maxLength: 512 } })
    expect(name.description).toContain('512 bytes of UTF-8')
    const { owner, value, ttlSeconds } = document.components.schemas.LockRequest.properties
    expect(owner.description).toContain('512 bytes of UTF-8')
    expect(value).toMatchObject({ maxLength: 16_384 })
    expect(value.description).toContain('16384 bytes of UTF-8')
    expect(ttlSeconds).toMatchObject({ type: 'integer', minimum: 2, maximum: 31_536_000 })
  })

  it('has no bounds of JavaScript’s integers: a reader shows them as the example', () => {
    const bounds = [...valuesOf('minimum', document), ...valuesOf('maximum', document)]
    expect(bounds.filter((bound) => Math.abs(Number(bound)) >= Number.MAX_SAFE_INTEGER)).toEqual([])
    const { Lock } = document.components.schemas
    expect(Lock.properties.ttlSeconds).toMatchObject({ type: 'integer', minimum: 1 })
  })

  it.each(wholeNumbers)(
    'has $name of $id as an integer, and the schema takes nothing but digits',
    ({ name, query }) => {
      const isRefused = (text: string) =>
        query?.safeParse({ [name]: text }).error?.issues.some(({ path }) => path[0] === name) === true
      const texts = ['', ' ', ' 7', '7 ', '+7', '0x7', '0b1', '7e0', '7.', '٧', 'null', 'true']
      expect(texts.filter((text) => !isRefused(text))).toEqual([])
      expect(isRefused('7')).toBe(false)
    },
  )

  it('shows the fencing token in the answer to an acquisition, and in no other', () => {
    const { 200: renewed, 201: acquired } = document.paths['/v1/locks/{name}'].put.responses
    const schemaOf = (answer: typeof renewed) => {
      const { $ref } = answer.content['application/json'].schema
      return document.components.schemas[$ref.split('/').at(-1)]
    }
    expect(schemaOf(acquired).properties).toHaveProperty('token')
    expect(schemaOf(renewed).properties).not.toHaveProperty('token')
  })

  it.each(rows)('has examples that %s takes', (_, { path, method, params, body }) => {
    const { parameters, requestBody } = document.paths[path][method.toLowerCase()]
    const inPath = parameters.filter((each: { in?: string }) => each.in === 'path')
    const values = inPath.map((each: { name: string; example: unknown }) => [each.name, each.example])
    expect((params ?? z.object({})).safeParse(Object.fromEntries(values)).error).toBeUndefined()
    if (body === undefined) return
    const { example } = requestBody.content['application/json']
    expect(example).toBeDefined()
    expect(body.safeParse(example).error).toBeUndefined()
  })

  it('leaves answers open for fields of later versions, and requests closed', () => {
    const { Lock, LockRequest } = document.components.schemas
    expect(Lock).not.toHaveProperty('additionalProperties')
    expect(LockRequest.additionalProperties).toBe(false)
  })
})

const codesIn = (operation: { responses: Record<string, unknown> }) =>
  Object.values(operation.responses).flatMap((response) => valuesOf('code', response))
