import { HttpProblem } from './http-problem.ts'

/** The largest body: a signed plan of a lease with a value of 16 KiB, each character escaped. */
export const bodyMaxBytes = 512 * 1024

/** The JSON of a request's body; undefined when it has none. Read piece by piece: what is too long is not kept. */
export async function readJsonBody(request: Request): Promise<unknown> {
  if (request.body === null) return undefined
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      if (bytes > bodyMaxBytes)
        throw new HttpProblem('body-too-large', `The body is longer than ${bodyMaxBytes / 1024} KiB.`)
      text += decoder.decode(chunk, { stream: true })
    }
    text += decoder.decode()
  } catch (thrown) {
    // Whoever sent it has gone: nobody reads the answer, and it is no fault of ours.
    if (request.signal.aborted || (thrown as NodeJS.ErrnoException).code === 'ECONNRESET')
      throw new HttpProblem('bad-request', 'The request ended before its body did.')
    if (thrown instanceof TypeError) throw new HttpProblem('bad-request', 'The body is not UTF-8.')
    throw thrown
  }
  if (text === '') return undefined
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new HttpProblem(
      'unsupported-media-type',
      `The body is ${type ?? 'of no type'}; application/json is expected.`,
    )
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpProblem('bad-request', 'The body is not JSON.')
  }
}
