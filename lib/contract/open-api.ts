import { z } from 'zod'

/** The document that describes the API: see `openapi/document.ts`. Its inside is OpenAPI's own schema. */
export const openApiSchema = z.looseObject({
  openapi: z.literal('3.1.1'),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
})
