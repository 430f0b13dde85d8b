import { serve } from '../http/router.ts'
import { consoleContext } from './start.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Every method of one of Next's route files, answered by the router of the contract: 404 and 405 are its own too. */
export function mountAll(): Record<(typeof methods)[number], (request: Request) => Promise<Response>> {
  const handle = (request: Request) => serve(request, consoleContext())
  return Object.fromEntries(methods.map((method) => [method, handle])) as ReturnType<typeof mountAll>
}
