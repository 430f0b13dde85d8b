import { systemTimer, type Timer } from 'leasehold/time'
import { bodyMaxBytes } from '../../../contract/routes.ts'
import type { ApiHeaders, ApiRequest } from '../adapters/api-request.ts'
import { HttpProblem } from '../http-problem.ts'

/** How deep arrays and objects may be in each other; ours are four deep at most. */
export const bodyMaxDepth = 32
/** The time for the whole body: a slow one holds its memory no longer than this. */
export const bodyWithinMs = 10_000

interface BodyOptions {
  maxBytes?: number | undefined
  timer?: Timer | undefined
}

/** What is left of a refused body is not waited for. */
const close = { Connection: 'close' }

/**
 * The JSON of a request's body; undefined when it has none. Read piece by piece: a body that is too long is not kept;
 * it is not read at all when its length says so.
 * @throws HttpProblem
 */
export async function readJsonBody(
  request: ApiRequest,
  { maxBytes = bodyMaxBytes, timer = systemTimer }: BodyOptions = {},
): Promise<unknown> {
  if (request.body === null) return undefined
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes)
  const text = await readText(request, request.body, maxBytes, timer)
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
  maxBytes: number,
  timer: Timer,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = body.getReader()
  const deadline = deadlineOf(timer)
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await deadline.before(reader.read())
      if (done || value === undefined) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      text += decoder.decode(value, { stream: true })
    }
  } catch (thrown) {
    reader.cancel().catch(() => {})
    // The sender has closed the connection: the answer is not read, and the server is not at fault.
    if (request.signal.aborted || (thrown as NodeJS.ErrnoException).code === 'ECONNRESET')
      throw new HttpProblem('bad-request', 'The request ended before its body did.')
    if (thrown instanceof TypeError) throw new HttpProblem('bad-request', 'The body is not UTF-8.')
    throw thrown
  } finally {
    deadline.stop()
  }
}

/** A time limit for reads that come one after another. */
function deadlineOf(timer: Timer) {
  let isLate = false
  let fail: (problem: HttpProblem) => void = () => {}
  const stop = timer.after(bodyWithinMs, () => {
    isLate = true
    fail(tooSlow())
  })
  return {
    stop,
    before: <T>(read: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        fail = reject
        if (isLate) reject(tooSlow())
        read.then(resolve, reject)
      }),
  }
}

const tooSlow = () =>
  new HttpProblem(
    'body-too-slow',
    `The body was incomplete after ${bodyWithinMs / 1000} s. Nothing was done.`,
    {},
    close,
  )

const tooLarge = (maxBytes: number) =>
  new HttpProblem('body-too-large', `The body is longer than ${maxBytes / 1024} KiB.`, {}, close)

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
      `The body is ${type || 'of no type'}. Send application/json.`,
    )
  const charset = parameters
    .find((each) => each.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    throw new HttpProblem('unsupported-media-type', `The body is in ${charset}. Send it in UTF-8.`)
  const encoding = headers.get('content-encoding')?.toLowerCase()
  if (encoding !== undefined && encoding !== 'identity')
    throw new HttpProblem(
      'unsupported-media-type',
      `The body is compressed (${encoding}). Send it uncompressed.`,
    )
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
