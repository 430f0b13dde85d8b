import type { z } from 'zod'
import type { openApiSchema } from '../open-api.ts'
import { type Route, routes } from '../routes.ts'
import { namedSchemas } from './json-schema.ts'
import { namedParameters, operationOf } from './operation.ts'
import { namedExamples, namedHeaders } from './responses.ts'
import { tags } from './tags.ts'

/** The version of the API, not of the program: it changes with the document. */
const apiVersion = '1.0.0'

/**
 * The API as an OpenAPI 3.1 document, derived from the route table.
 * @param server where the console is served, and what its session cookie is called there
 * @example openApiDocument({ url: 'http://localhost:3000', cookieName: 'leasehold-3000' }).paths['/v1/locks/{name}']
 */
export function openApiDocument(server: { url: string; cookieName: string }): z.infer<typeof openApiSchema> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [id, route] of Object.entries<Route>(routes)) {
    paths[route.path] ??= {}
    const path = paths[route.path] as Record<string, unknown>
    path[route.method.toLowerCase()] = operationOf(id, route)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Leasehold',
      version: apiVersion,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: introduction,
    },
    servers: [{ url: server.url }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: namedSchemas(),
      headers: namedHeaders,
      examples: namedExamples(),
      parameters: namedParameters,
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: server.cookieName,
          description:
            'People: POST /v1/session sets this cookie. Requests that change something also need the header Origin, equal to PUBLIC_URL; browsers send it.',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'Programs: a token that an admin made under Settings, or with POST /v1/tokens.',
        },
      },
    },
  }
}

const introduction = `Leases, locks, elections and sequences on Apache Cassandra.

Every error is an \`application/problem+json\` with a stable \`code\`; go by the code, show the \`detail\`. A path or method that this document does not name answers 404 \`not-found\` or 405 \`method-not-allowed\`. HEAD answers wherever GET does.

Lengths of names, owners and values are counted in bytes of UTF-8, which JSON Schema cannot say: \`maxLength\` is the same limit counted in characters, and the description repeats it in bytes.

Before you keep a lock through this API, read what it guarantees: \`docs/guarantees.md\` in Leasehold’s repository.`
