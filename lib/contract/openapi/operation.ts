import type { Permission } from '../permission.ts'
import type { Route } from '../routes.ts'
import { bodyExamples, pathExample } from './examples.ts'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import { responsesOf } from './responses.ts'
import { tagOf } from './tags.ts'

/** One operation of the document: everything that a row of the route table says. */
export function operationOf(id: string, route: Route): Record<string, unknown> {
  const { permission, summary, body } = route
  return {
    operationId: id,
    tags: [tagOf(route.path)],
    // Of the two, only a description is Markdown.
    summary: summary.replaceAll('`', ''),
    description: permissionText(permission),
    security: securityOf(permission),
    'x-permission': permission,
    parameters: parametersOf(route),
    requestBody: body && {
      // A body may be left out if all of its fields may.
      required: !body.safeParse(undefined).success,
      content: {
        'application/json': {
          schema: jsonSchemaOf(body, 'input'),
          example: (bodyExamples as Record<string, unknown>)[id],
        },
      },
    },
    responses: responsesOf(route),
  }
}

function parametersOf({ path, params, query, idempotent }: Route): unknown[] {
  const inPath = params ? jsonSchemaOf(params, 'input') : {}
  const inQuery = query ? jsonSchemaOf(query, 'input') : {}
  const headers = [{ $ref: '#/components/parameters/RequestId' }]
  if (idempotent) headers.push({ $ref: '#/components/parameters/IdempotencyKey' })
  return [...fieldsOf(inPath, 'path', path), ...fieldsOf(inQuery, 'query', path), ...headers]
}

function fieldsOf(object: JsonSchema, place: 'path' | 'query', path: string): unknown[] {
  const {
    properties,
    required = [],
    additionalProperties,
  } = object as {
    properties?: Record<string, JsonSchema>
    required?: string[]
    additionalProperties?: unknown
  }
  const fields = Object.entries(properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    description,
    schema,
    example: place === 'path' ? pathExample(path, name) : undefined,
  }))
  if (properties !== undefined || additionalProperties === undefined) return fields
  // Any parameter: a provider of single sign-on chooses the parameters of the way back.
  return [{ name: 'answer', in: 'query', style: 'form', explode: true, schema: object }]
}

/** `components.parameters` of the document. */
export const namedParameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Names this request in its answer, the log and the audit. 8 to 64 letters, digits, `-` and `_`; the console replaces any other by an id of its own.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The console carries out the same request under the same key once, and repeats the answer for a day.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}

/** OpenAPI allows role names here; `x-permission` says the same for programs. */
function securityOf(permission: Permission): Record<string, string[]>[] {
  if (permission.people === 'anybody') return []
  const people = { session: [permission.people] }
  if (permission.programs === 'never') return [people]
  return [people, { token: permission.programs === 'any' ? [] : [permission.programs] }]
}

function permissionText(permission: Permission): string {
  if (permission.people === 'anybody') return 'Public: needs neither a session nor a token.'
  const elevated = 'elevated' in permission ? ', elevated within the last ten minutes' : ''
  const people = `People: ${permission.people}${permission.people === 'admin' ? '' : ' or above'}${elevated}.`
  if (permission.programs === 'never') return `${people} Programs: never.`
  if (!('scopedBy' in permission)) return `${people} Programs: any valid token.`
  const least = permission.programs === 'viewer' ? 'viewer or client' : 'client'
  if (permission.scopedBy === 'all') {
    const scraper = permission.scraper === true ? ' `LEASEHOLD_METRICS_TOKEN` is good for it too.' : ''
    return `${people} Programs: ${least} tokens with an empty prefix.${scraper}`
  }
  const begun =
    permission.scopedBy === 'prefix' ? '`name` (or, without a name, `prefix`)' : `\`${permission.scopedBy}\``
  return `${people} Programs: ${least} tokens with a prefix that ${begun} begins with.`
}
