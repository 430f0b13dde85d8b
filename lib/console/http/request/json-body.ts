import { systemTimer, type Timer } from 'leasehold/time'
import type { ApiHeaders, ApiRequest } from '../adapters/api-request.ts'
import { HttpProblem } from '../http-problem.ts'

/** The largest body: a signed plan of a lease with a value of 16 KiB, each character escaped. */
export const bodyMaxBytes = 512 * 1024
/** How deep arrays and objects may be in each other; ours are four deep at most. */
export const bodyMaxDepth = 32
/** How long a body may stand still. One that trickles on is ended by Node after 300 s (`requestTimeout`). */
export const bodyIdleMs = 10_000

/** What is left of a refused body is not waited for. */
const close = { Connection: 'close' }

/**
 * The JSON of a request's body; undefined when it has none. Read piece by piece: what is too long is not kept, and not
 * even begun when its length says so.
 * @throws HttpProblem
 */
export async function readJsonBody(request: ApiRequest, timer: Timer = systemTimer): Promise<unknown> {
  if (request.body === null) return undefined
  if (Number(request.headers.get('content-length')) > bodyMaxBytes) throw tooLarge()
  const text = await readText(request, request.body, timer)
  if (text === '') return undefined
  checkType(request.headers)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new HttpProblem('bad-request', 'The body is not JSON.')
  }
  if (isDeeperThan(bodyMaxDepth, json))
    throw new HttpProblem('bad-request', `The body is nested deeper than ${bodyMaxDepth} levels.`)
  return json
}

async function readText(
  request: ApiRequest,
  body: NonNullable<ApiRequest['body']>,
  timer: Timer,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = body.getReader()
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await notIdle(reader.read(), timer)
      if (done || value === undefined) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > bodyMaxBytes) throw tooLarge()
      text += decoder.decode(value, { stream: true })
    }
  } catch (thrown) {
    reader.cancel().catch(() => {})
    // The sender has closed the connection: the answer is not read, and the server is not at fault.
    if (request.signal.aborted || (thrown as NodeJS.ErrnoException).code === 'ECONNRESET')
      throw new HttpProblem('bad-request', 'The request ended before its body did.')
    if (thrown instanceof TypeError) throw new HttpProblem('bad-request', 'The body is not UTF-8.')
    throw thrown
  }
}

function notIdle<T>(read: Promise<T>, timer: Timer): Promise<T> {
  return new Promise((resolve, reject) => {
    const idle = () =>
      reject(
        new HttpProblem(
          'body-too-slow',
          `Nothing of the body came for ${bodyIdleMs / 1000} s; nothing was done.`,
          {},
          close,
        ),
      )
    const stop = timer.after(bodyIdleMs, idle)
    read.then(resolve, reject).finally(stop)
  })
}

const tooLarge = () =>
  new HttpProblem('body-too-large', `The body is longer than ${bodyMaxBytes / 1024} KiB.`, {}, close)

function checkType(headers: ApiHeaders): void {
  const [type = '', ...parameters] =
    headers
      .get('content-type')
      ?.toLowerCase()
      .split(';')
      .map((part) => part.trim()) ?? []
  if (type !== 'application/json')
    throw new HttpProblem(
      'unsupported-media-type',
      `The body is ${type || 'of no type'}; application/json is expected.`,
    )
  const charset = parameters
    .find((each) => each.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    throw new HttpProblem('unsupported-media-type', `The body is in ${charset}; UTF-8 is expected.`)
  const encoding = headers.get('content-encoding')?.toLowerCase()
  if (encoding !== undefined && encoding !== 'identity')
    throw new HttpProblem('unsupported-media-type', `The body is compressed (${encoding}); send it as it is.`)
}

/** Level by level: a body of half a million brackets must not exhaust the stack. */
function isDeeperThan(levels: number, json: unknown): boolean {
  let layer: unknown[] = [json]
  for (let level = 0; layer.length > 0; level++) {
    layer = layer.filter((value) => typeof value === 'object' && value !== null)
    if (layer.length > 0 && level === levels) return true
    layer = layer.flatMap((value) => Object.values(value as object))
  }
  return false
}
