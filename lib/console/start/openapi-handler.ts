import { openApiDocument } from '../../contract/openapi/document.ts'
import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import { cookieName } from '../http/request/cookie.ts'

let built: { publicUrl: string; document: ReturnType<typeof openApiDocument> } | undefined

/** The document depends on PUBLIC_URL alone: one process builds it once. */
export const getOpenApi: Handler<Routes['getOpenApi'], { config: { publicUrl: URL } }> = async (
  _input,
  { config: { publicUrl } },
) => {
  if (built?.publicUrl !== publicUrl.href) {
    const document = openApiDocument({ url: publicUrl.origin, cookieName: cookieName(publicUrl) })
    built = { publicUrl: publicUrl.href, document }
  }
  return { status: 200, body: built.document }
}
