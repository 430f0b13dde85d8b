import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { actsEnd, type CallEvent, call, onCall, retryAfter } from './call.ts'

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  vi.fn(
    async (..._: Parameters<typeof fetch>) =>
      new Response(body === null ? null : JSON.stringify(body), { status, headers }),
  )
const problem = (status: number, code: string, more = {}) => ({
  type: '',
  title: '',
  status,
  code,
  detail: 'why',
  ...more,
})

// A call waits ten seconds for them, and a busy machine may need longer to read them for the first time.
beforeAll(() => import('./answers.ts'))
afterEach(() => vi.unstubAllGlobals())

describe('call', () => {
  it('fills the path, leaves out what is not given, and parses the answer', async () => {
    const fetching = answer(200, {
      leases: [],
      nextCursor: null,
      now: '2026-11-20T03:14:00.000Z',
      scan: { rows: 0, tookMs: 1, endedAt: null },
    })
    vi.stubGlobal('fetch', fetching)
    const { status, data, arrivedAtMs } = await call('listLeases', {
      query: { prefix: 'a&b', table: undefined },
    })
    expect([status, data.leases]).toEqual([200, []])
    expect(arrivedAtMs).toBeGreaterThan(0)
    expect(fetching.mock.calls[0]?.[0]).toBe('/v1/leases?prefix=a%26b')
  })

  it('encodes names so that they survive', async () => {
    const fetching = answer(404, problem(404, 'not-held'))
    vi.stubGlobal('fetch', fetching)
    await expect(call('getLease', { params: { name: 'a/../b c.rsc%2F' } })).rejects.toMatchObject({
      code: 'not-held',
    })
    expect(fetching.mock.calls[0]?.[0]).toBe('/v1/leases/a%2F%2E%2E%2Fb%20c%2Ersc%252F')
  })

  it('throws problems with code, status and Retry-After', async () => {
    vi.stubGlobal(
      'fetch',
      answer(503, problem(503, 'cassandra-unavailable', { nodes: 3, nodesUp: 1 }), { 'retry-after': '2' }),
    )
    await expect(call('getCluster', {})).rejects.toMatchObject({
      name: 'ApiError',
      code: 'cassandra-unavailable',
      status: 503,
      retryAfterMs: 2000,
      problem: { nodesUp: 1 },
    })
  })

  it.each([
    ['an HTML page', async () => new Response('<html>', { status: 502 }), 'bad-answer'],
    ['another shape', async () => Response.json({ leases: 1 }), 'bad-answer'],
    ['no connection', async () => Promise.reject(new TypeError('fetch failed')), 'server-unreachable'],
  ])('calls %s by its name', async (_, fetching, code) => {
    vi.stubGlobal('fetch', fetching)
    await expect(call('listLeases', { query: {} })).rejects.toMatchObject({ code })
  })

  it('gives up in time, and notifies every listener', async () => {
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(signal.reason))),
    )
    const events: CallEvent[] = []
    const silence = onCall((event) => events.push(event))
    await expect(call('getCluster', { timeoutMs: 10 })).rejects.toMatchObject({ code: 'server-timeout' })
    silence()
    expect(events).toMatchObject([{ route: 'getCluster', error: { code: 'server-timeout' } }])
  })

  it('reads an answer that came while the page stood still', async () => {
    const standStill = (ms: number) => {
      for (const endMs = performance.now() + ms; performance.now() < endMs; );
    }
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
      standStill(2_500)
      // As in a browser, where timers that are due run before the answer is delivered.
      for (let turns = 0; turns < 3; turns++) await new Promise((done) => setTimeout(done, 1))
      signal?.throwIfAborted()
      return Response.json(problem(503, 'cassandra-unavailable'), { status: 503 })
    })
    // Of ten steps: a machine that stalls in each of the three turns ends three of them.
    await expect(call('getCluster', { timeoutMs: 2_000 })).rejects.toMatchObject({
      code: 'cassandra-unavailable',
    })
  })

  it('is silent about a call that its caller gave up', async () => {
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(signal.reason))),
    )
    const events: CallEvent[] = []
    const silence = onCall((event) => events.push(event))
    const caller = new AbortController()
    const calling = call('getCluster', { signal: caller.signal })
    caller.abort()
    await expect(calling).rejects.toMatchObject({ name: 'AbortError' })
    silence()
    expect(events).toEqual([])
  })

  it('says when the last act has ended, after the listeners have seen how; reads do not count', async () => {
    const answers: ((answer: Response) => void)[] = []
    vi.stubGlobal('fetch', () => new Promise<Response>((done) => answers.push(done)))
    const order: string[] = []
    const silence = onCall(({ route }) => order.push(route))
    const reading = call('getCluster', {}).catch(() => {})
    await expect.poll(() => answers.length).toBe(1)
    await actsEnd()
    const acting = call('signOut', {})
    const ended = actsEnd().then(() => order.push('acts have ended'))
    await expect.poll(() => answers.length).toBe(2)
    expect(order).toEqual([])
    answers[1]?.(new Response(null, { status: 204 }))
    await Promise.all([acting, ended])
    expect(order).toEqual(['signOut', 'acts have ended'])
    answers[0]?.(Response.json({}))
    await reading
    silence()
  })

  it('knows an answer without a body', async () => {
    vi.stubGlobal('fetch', answer(204, null))
    expect(await call('signOut', {})).toMatchObject({ status: 204, data: undefined })
  })
})

it('reads Retry-After in seconds alone', () => {
  expect([retryAfter('2'), retryAfter(null), retryAfter('Fri, 20 Nov 2026 03:14:00 GMT')]).toEqual([
    2000,
    undefined,
    undefined,
  ])
})
