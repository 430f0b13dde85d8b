import { describe, expect, it } from 'vitest'
import { problemsOf, routes } from '../../contract/routes.ts'
import type { Api } from './api.ts'
import { addressPerSecond, RequestLimits } from './limits/request-limits.ts'
import { log } from './log/log.ts'
import { serve } from './router.ts'

/** What is asked before any handler is. */
const context = () =>
  ({
    config: { publicUrl: new URL('http://localhost:3000'), trustProxy: false },
    log,
    noteRefusal: () => {},
    reads: {},
    requestLimits: new RequestLimits(log),
  }) as unknown as Api

const ask = (path: string, init: RequestInit = {}, given = context()) =>
  serve(new Request(`http://localhost:3000${path}`, init), given)

describe('before a handler is asked', () => {
  it('a problem carries the id of its request, a given one or a new one', async () => {
    const headers = { 'x-request-id': 'a-given-id' }
    expect(await (await ask('/v1/nothing', { headers })).json()).toMatchObject({
      code: 'not-found',
      requestId: 'a-given-id',
    })
    expect((await (await ask('/v1/nothing')).json()).requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('too many requests are turned away, and told when to come again', async () => {
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

  it('a cookie beside a token makes the origin count again', async () => {
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
})
