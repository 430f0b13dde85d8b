import { openApiDocument } from '../../contract/openapi/document.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import { cookieName } from '../http/request/cookie.ts'

let built: { publicUrl: string; json: Uint8Array<ArrayBuffer> } | undefined

/**
 * The document depends on PUBLIC_URL alone: one process builds, writes and encodes it once. As a string it would be encoded
 * again for each answer, which took 2 ms of 2.3.
 */
export const getOpenApi: Handler<Routes['getOpenApi'], { config: { publicUrl: URL } }> = async (
  _input,
  { config: { publicUrl } },
) => {
  if (built?.publicUrl !== publicUrl.href) {
    const document = openApiDocument({ url: publicUrl.origin, cookieName: cookieName(publicUrl) })
    built = { publicUrl: publicUrl.href, json: Buffer.from(JSON.stringify(document)) }
  }
  return { status: 200, json: built.json }
}
