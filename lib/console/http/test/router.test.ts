import { FakeClock } from 'leasehold/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { problemsOf, type Route, routes } from '../../../contract/routes.ts'
import { actAfterPermitMs } from '../act-window.ts'
import type { Api } from '../api.ts'
import type { Input } from '../handler.ts'
import { addressPerSecond, costlyPerSecond } from '../limits/request-limits.ts'
import { ask, context } from './test-router.ts'

const programOf = (prefix: string) => ({
  username: 'jobs',
  role: 'client',
  via: 'token',
  elevatedUntil: null,
  expiresAt: null,
  scope: { role: 'client', prefixes: [prefix], tables: ['leases'] },
})

describe('before a handler runs', () => {
  // Limits count for a second: on a busy machine it would be over before all requests of a test are sent.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('a problem carries the id of its request, a given one or a new one', async () => {
    const headers = { 'x-request-id': 'a-given-id' }
    expect(await (await ask('/v1/nothing', { headers })).json()).toMatchObject({
      code: 'not-found',
      requestId: 'a-given-id',
    })
    expect((await (await ask('/v1/nothing')).json()).requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('too many requests are refused, with a Retry-After', async () => {
    const given = context()
    const answers = await Promise.all(
      Array.from({ length: addressPerSecond + 1 }, () => ask('/v1/nothing', {}, given)),
    )
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(addressPerSecond)
    const refused = answers.find(({ status }) => status === 429) as Response
    expect(refused.headers.get('retry-after')).toBe('1')
    const { code } = await refused.json()
    expect(code).toBe('too-many-requests')
    expect(problemsOf(routes.getSession)).toContain(code)
  })

  it('costly requests of strangers are turned away sooner, before their bodies are read', async () => {
    const sent = (path: string, init: RequestInit) => async (given: Api) =>
      (await ask(path, init, given)).status
    const headers = { origin: 'http://localhost:3000', 'content-type': 'application/json' }
    const body = JSON.stringify({ username: 'a', password: 'b', unknown: 'x'.repeat(4_000) })
    const handlers = { getOpenApi: async () => ({ status: 200, json: '{}' }) }
    for (const [one, status] of [
      [sent('/v1/session', { method: 'POST', headers, body }), 400],
      [sent('/v1/setup', { method: 'POST', headers, body }), 400],
      [sent('/v1/openapi.json', {}), 200],
    ] as const) {
      const given = { ...context(), handlers } as unknown as Api
      const statuses = await Promise.all(Array.from({ length: costlyPerSecond + 30 }, () => one(given)))
      expect(statuses.filter((each) => each === status)).toHaveLength(costlyPerSecond)
      expect(statuses.filter((each) => each === 429)).toHaveLength(30)
    }
  })

  it('no stranger sends a body that a sign-in has no use for', async () => {
    const headers = { origin: 'http://localhost:3000', 'content-type': 'application/json' }
    const send = (password: string) =>
      ask('/v1/session', { method: 'POST', headers, body: JSON.stringify({ username: '', password }) })
    expect((await send('x'.repeat(9_000))).status).toBe(413)
    // The longest password, all escaped.
    expect((await send('\u0001'.repeat(1_024))).status).toBe(400)
  })

  it('with a cookie beside a token, the origin is checked', async () => {
    const sent = async (headers: Record<string, string>) => {
      // A body that cannot be read: what gets so far was not turned away for its origin.
      const body = 'not JSON'
      const answer = await ask('/v1/session', { method: 'POST', body, headers })
      return (await answer.json()).code
    }
    const authorization = 'Bearer some-token'
    const cookie = 'leasehold-3000=some.session'
    expect(await sent({ authorization })).toBe('unsupported-media-type')
    expect(await sent({ authorization, cookie })).toBe('wrong-origin')
    expect(await sent({ authorization, cookie, origin: 'http://localhost:3000' })).toBe(
      'unsupported-media-type',
    )
    expect(await sent({})).toBe('wrong-origin')
  })

  const ours = { origin: 'http://localhost:3000' }
  const foreign = { origin: 'https://evil.example' }
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  const cookie = { cookie: 'leasehold-3000=some.session' }
  const token = { authorization: 'Bearer lh_0123456789abcdef_unknown' }
  /** A viewer, who may not acquire: 403 forbidden says that the origin was let by, and the sender was found. */
  const viewer = { username: 'vera', role: 'viewer', via: 'password', elevatedUntil: null, scope: null }
  const senders: [string, Record<string, string>, number, string][] = [
    ['a program that forgot its token', {}, 401, 'unauthenticated'],
    ['one with another kind of credentials', { authorization: 'Basic YTpi' }, 401, 'unauthenticated'],
    ['one with a header that has no token', { authorization: 'Bearer' }, 401, 'unauthenticated'],
    ['a cookie of another application on this host', { cookie: 'theirs=1' }, 401, 'unauthenticated'],
    ['a page of the console, signed out', ours, 401, 'unauthenticated'],
    ['an address typed into a browser', { 'sec-fetch-site': 'none' }, 401, 'unauthenticated'],
    ['a foreign page', foreign, 403, 'wrong-origin'],
    ['a foreign page that hides its origin', { origin: 'null' }, 403, 'wrong-origin'],
    ['a foreign page, by Sec-Fetch-Site', crossSite, 403, 'wrong-origin'],
    ['a foreign page with Basic', { ...foreign, authorization: 'Basic YTpi' }, 403, 'wrong-origin'],
    ['a cookie alone', cookie, 403, 'wrong-origin'],
    ['a cookie and our origin', { ...cookie, ...ours }, 403, 'forbidden'],
    ['a cookie and a foreign page', { ...cookie, ...foreign }, 403, 'wrong-origin'],
    ['a cookie, our origin, cross-site', { ...cookie, ...ours, ...crossSite }, 403, 'wrong-origin'],
    ['a token alone', token, 401, 'unauthenticated'],
    [
      'a token and a foreign page, which sent it on purpose',
      { ...token, ...foreign },
      401,
      'unauthenticated',
    ],
    ['a token and a cookie', { ...token, ...cookie }, 403, 'wrong-origin'],
    ['a token, a cookie and a foreign page', { ...token, ...cookie, ...foreign }, 403, 'wrong-origin'],
    ['a token, a cookie and our origin', { ...token, ...cookie, ...ours }, 401, 'unauthenticated'],
  ]
  it.each(senders)('of a change, %s is answered', async (_, headers, status, code) => {
    const given = {
      ...context(),
      sessions: { find: async () => viewer },
      apiTokens: { find: async () => null },
    } as unknown as Api
    for (const [method, path] of [
      ['PUT', '/v1/locks/x'],
      ['DELETE', '/v1/locks/x?owner=o'],
      ['POST', '/v1/sequences/x/next'],
    ] as const) {
      const answer = await ask(path, { method, headers }, given)
      expect([answer.status, (await answer.json()).code], path).toEqual([status, code])
      // No page of another origin may read any answer, or be let to send a header.
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('a program that forgot its token reads which header to send', async () => {
    const answer = await ask('/v1/locks/x', { method: 'PUT' })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect((await answer.json()).detail).toContain('Send the header Authorization: Bearer TOKEN')
  })
})

describe('a lease that is read while its reader is identified', () => {
  const authorization = 'Bearer lh_0123456789abcdef_secret'
  /** Each step is written down when it begins and when it ends; a test ends the steps. */
  function beside() {
    const steps: string[] = []
    const ends = new Map<string, (outcome: unknown) => void>()
    const step = (name: string) => {
      steps.push(name)
      return new Promise<never>((resolve, reject) => {
        ends.set(name, (outcome) =>
          outcome instanceof Error ? reject(outcome) : (resolve as (value: unknown) => void)(outcome),
        )
      })
    }
    const getLock = () => step('read')
    const api = {
      ...context(),
      apiTokens: { find: () => step('identify') },
      handlers: { getLock },
      reads: { getLock },
    } as unknown as Api
    const begin = () => ask('/v1/locks/mine%2Fx', { headers: { authorization } }, api)
    const end = async (name: string, outcome: unknown) => {
      await expect.poll(() => ends.has(name)).toBe(true)
      ends.get(name)?.(outcome)
      ends.delete(name)
    }
    return { begin, end, steps }
  }
  const program = programOf('mine/')
  const found = { status: 200, body: { owner: 'a' } }

  /** One request that was answered, so that the sender is known. */
  async function identified() {
    const made = beside()
    const first = made.begin()
    await made.end('identify', program)
    await made.end('read', found)
    expect((await first).status).toBe(200)
    // Nothing is read for a stranger.
    expect(made.steps.splice(0)).toEqual(['identify', 'read'])
    return made
  }

  it('is read at once for a sender that was identified before', async () => {
    const { begin, end, steps } = await identified()
    const answer = begin()
    await expect.poll(() => [...steps].sort()).toEqual(['identify', 'read'])
    await end('read', found)
    await end('identify', program)
    expect((await answer).status).toBe(200)
  })

  it.each([
    ['read', found],
    ['could not be read', new Error('no lease')],
  ])('is kept from a sender whose token was revoked: %s', async (_, outcome) => {
    const { begin, end, steps } = await identified()
    const answer = begin()
    await end('read', outcome)
    await end('identify', null)
    expect((await answer).status).toBe(401)
    // It is a stranger again: the next request is identified first.
    steps.splice(0)
    const next = begin()
    await end('identify', null)
    expect((await next).status).toBe(401)
    expect(steps).toEqual(['identify'])
  })

  it('is not shown to a sender whose token was changed to other names', async () => {
    const { begin, end } = await identified()
    const answer = begin()
    await end('read', found)
    await end('identify', { ...program, scope: { role: 'client', prefixes: ['other/'], tables: ['leases'] } })
    expect((await answer).status).toBe(403)
  })
})

describe('a sender that loses its permission while its request is under way', () => {
  const program = programOf('')

  /** A `PUT` of a lock whose body takes so long to arrive; its token is revoked once the body was asked for. */
  async function putWithin(bodyMs: number, handler: (input: Input<Route>) => Promise<unknown>) {
    let nowMs = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    let isRevoked = false
    const find = vi.fn(async () => (isRevoked ? null : program))
    const putLock = vi.fn(async (input: Input<Route>) => {
      await handler(input)
      return { status: 200 }
    })
    const body = new ReadableStream(
      {
        pull(controller) {
          nowMs += bodyMs
          isRevoked = true
          controller.enqueue(new TextEncoder().encode('{}'))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { authorization: 'Bearer lh_0123456789abcdef_secret', 'content-type': 'application/json' }
    const given = { ...context(), apiTokens: { find }, handlers: { putLock } } as unknown as Api
    const init = { method: 'PUT', headers, body, duplex: 'half' } as RequestInit
    const { status } = await ask('/v1/locks/mine', init, given)
    clock.mockRestore()
    return { status, handled: putLock.mock.calls.length, identified: find.mock.calls.length }
  }

  it('is turned away when its body was slow', async () => {
    expect(await putWithin(300, async () => {})).toEqual({ status: 401, handled: 0, identified: 2 })
  })

  it('is identified once when its body came at once', async () => {
    expect(await putWithin(200, async () => {})).toEqual({ status: 200, handled: 1, identified: 1 })
  })

  it('is turned away by a handler that asks before it acts', async () => {
    const asks = ({ stillAllowed }: Input<Route>) => stillAllowed()
    expect(await putWithin(0, asks)).toEqual({ status: 401, handled: 1, identified: 2 })
  })
})

it('a token that was called like a person, or like another token, shared the turns of its lists', async () => {
  const senders: string[] = []
  const given = {
    ...context(),
    apiTokens: { find: async () => ({ ...programOf(''), username: 'ann' }) },
    sessions: { find: async () => ({ ...programOf(''), username: 'ann', role: 'viewer', via: 'password' }) },
    listSlots: {
      run: (sender: string, work: () => Promise<unknown>) => {
        senders.push(sender)
        return work()
      },
    },
    handlers: { listLeases: async () => ({ status: 200 }) },
  } as unknown as Api
  const list = (headers: Record<string, string>) => ask('/v1/leases', { headers }, given)
  for (const headers of [
    { authorization: 'Bearer lh_0123456789abcdef_secret' },
    { authorization: 'Bearer lh_fedcba9876543210_secret' },
    { cookie: 'leasehold-3000=one.session' },
    { cookie: 'leasehold-3000=another.session' },
  ])
    expect((await list(headers)).status).toBe(200)
  expect(new Set(senders).size).toBe(3)
  expect(senders[2]).toBe(senders[3])
})

describe('the time in which a request may act', () => {
  const headers = { authorization: 'Bearer lh_0123456789abcdef_secret', 'content-type': 'application/json' }
  const suspendedMs = actAfterPermitMs + 1
  /** @param act what the handler does before it looks at the window */
  const put = async (clock: FakeClock, act: (input: Input<Route>) => unknown) => {
    const putLock = async (input: Input<Route>) => {
      await act(input)
      input.window.throwIfOver()
      return { status: 200 }
    }
    const scope = { role: 'client', prefixes: [''], tables: ['leases'] }
    const find = async () => ({ username: 'jobs', role: 'client', via: 'token', scope })
    const given = { ...context(), clock, apiTokens: { find }, handlers: { putLock } } as unknown as Api
    return (await ask('/v1/locks/mine', { method: 'PUT', headers, body: '{}' }, given)).status
  }

  it('ends in the handler', async () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 1))
    expect(await put(clock, () => clock.suspend(suspendedMs - 1))).toBe(200)
    expect(await put(clock, () => clock.suspend(suspendedMs))).toBe(503)
  })

  it('begins again when a handler that waited asks whether it may still act', async () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 1))
    const waits = async ({ stillAllowed }: Input<Route>) => {
      clock.suspend(suspendedMs)
      await stillAllowed()
    }
    expect(await put(clock, waits)).toBe(200)
  })
})
