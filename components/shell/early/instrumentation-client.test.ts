import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const file = '../../../instrumentation-client.ts'

it('zod compiles no parser in a page, and comes with no page that does not need it', async () => {
  const { config } = await import('zod')
  config({ jitless: false })
  await import(file)
  expect(config().jitless).toBe(true)
  expect(readFileSync(new URL(file, import.meta.url), 'utf8')).not.toMatch(/^import /m)
})
