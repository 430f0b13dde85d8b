import { expect, it } from 'vitest'
import type { Input } from '../http/handler.ts'
import { getOpenApi } from './openapi-handler.ts'

const ask = async (publicUrl: string) => {
  const config = { publicUrl: new URL(publicUrl) }
  // The handler reads nothing of its input: the document is the same for every caller.
  return (await getOpenApi({} as Input<never>, { config })).json
}

it('is built and encoded once a process, for the address and the cookie of this console', async () => {
  const first = await ask('https://console.example/')
  expect(first).toBeInstanceOf(Uint8Array)
  expect(JSON.parse(String(first))).toMatchObject({
    servers: [{ url: 'https://console.example' }],
    components: { securitySchemes: { session: { name: '__Host-leasehold' } } },
  })
  expect(await ask('https://console.example/')).toBe(first)
})
