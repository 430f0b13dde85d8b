/** For tests alone: what a client sent to a test's own server. */
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * @returns undefined where the client went before it had sent all of it. Programs of the tests end by themselves, or are killed, in
 *   the middle of a request: nothing is left to answer, and a server's handler that throws fails the whole run.
 */
export async function wholeBody(request: IncomingMessage): Promise<string | undefined> {
  try {
    return await text(request)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return undefined
    throw error
  }
}
