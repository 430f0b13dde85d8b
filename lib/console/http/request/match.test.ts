import { describe, expect, it } from 'vitest'
import { type Route, routes } from '../../../contract/routes.ts'
import { HttpProblem } from '../http-problem.ts'
import { addressOf, match } from './match.ts'

const problem = (method: string, path: string): HttpProblem => {
  try {
    match(method, path)
  } catch (thrown) {
    if (thrown instanceof HttpProblem) return thrown
    throw thrown
  }
  throw new Error(`${method} ${path} has a route`)
}

describe('match', () => {
  it.each(Object.entries(routes))('finds %s, and decodes each parameter once', (id, route: Route) => {
    const path = route.path.replace(/\{\w+\}/g, 'a%2Fb%2525')
    const found = match(route.method, path)
    expect(found).toMatchObject({ kind: 'route', id })
    if (found.kind !== 'route') throw new Error(found.kind)
    for (const value of Object.values(found.params)) expect(value).toBe('a/b%25')
  })

  it('HEAD is answered by the route of GET', () => {
    expect(match('HEAD', '/v1/leases')).toMatchObject({ id: 'listLeases' })
  })

  it('says which methods a path has', () => {
    expect(match('OPTIONS', '/v1/locks/x')).toEqual({
      kind: 'options',
      allow: 'PUT, GET, HEAD, DELETE, OPTIONS',
    })
    const refused = problem('POST', '/v1/locks/x')
    expect(refused.code).toBe('method-not-allowed')
    expect(refused.headers.Allow).toBe('PUT, GET, HEAD, DELETE, OPTIONS')
  })

  it.each(['/v1', '/v1/', '/v1/nothing', '/v1/locks', '/v1/locks/x/', '/v1/locks/x/y', '/V1/locks/x', ''])(
    'knows nothing at %j',
    (path) => {
      expect(problem('GET', path).code).toBe('not-found')
    },
  )

  it('says of a name with slashes how it is sent', () => {
    expect(problem('PUT', '/v1/locks/mon_a/b').message).toMatch(/send them as %2F: \/v1\/locks\/mon_a%2Fb\.$/)
    for (const path of ['/v1/nothing/a/b', '/v1/locks/x/', '/v1/session/a/b'])
      expect(problem('PUT', path).message).not.toContain('%2F')
  })

  it.each(['%ZZ', '%', '%FF', '%C3%28'])('refuses %s, which is no UTF-8', (name) => {
    expect(problem('GET', `/v1/locks/${name}`).code).toBe('bad-request')
  })
})

it('takes a URL apart as URL does', () => {
  const words = [
    'v1',
    'locks',
    'a=b',
    'owner=vm%3A12%3Aab%3A1',
    '..',
    '%2e',
    '%2E%2e',
    '%2F',
    '%FF',
    '%zz',
    '%00',
    'ä',
  ]
  const parts = [...words, ...'/?&=+ #\\:@.%"\'\t~-_;,!']
  // Each of three after another, and each of two after a query has begun.
  for (const a of parts)
    for (const b of parts)
      for (const c of parts)
        for (const url of [`http://localhost/${a}${b}${c}`, `http://localhost/v1?${a}${b}`]) {
          const { pathname, searchParams } = new URL(url)
          const address = addressOf(url)
          const found = [address.pathname, address.query.toString()]
          if (found.join() !== [pathname, searchParams.toString()].join())
            expect([url, ...found]).toEqual([url, pathname, searchParams.toString()])
        }
})
