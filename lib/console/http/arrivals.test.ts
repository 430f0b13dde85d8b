import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { watchArrivals } from './arrivals.ts'
import { addressHeader, clientAddress } from './limits/client-address.ts'
import { pagePolicy } from './security-headers.ts'
import { undecodablePath } from './undecodable-path.ts'

/** What Next would see of the last request. */
let seen: { url: string | undefined; headers: Headers }
let publicUrl: URL | undefined
let server: Server
let url: string

beforeAll(async () => {
  watchArrivals(() => publicUrl)
  server = createServer((request, response) => {
    seen = { url: request.url, headers: new Headers(request.headers as Record<string, string>) }
    response.end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})
beforeEach(() => {
  publicUrl = new URL('http://localhost:3000')
})

const get = (path = '/', headers: Record<string, string> = {}) => fetch(url + path, { headers })

describe('every request that arrives', () => {
  it('is answered with what browsers are to keep to', async () => {
    const { headers } = await get()
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers.get('permissions-policy')).toContain('camera=()')
  })

  it('is answered for nobody to keep, unless it is for a file', async () => {
    for (const path of ['/', '/v1/leases', '/_global-error', '/leases/icon.svg'])
      expect((await get(path)).headers.get('cache-control'), path).toBe('no-store')
    for (const path of ['/_next/static/chunks/a.js', '/icon.svg'])
      expect((await get(path)).headers.get('cache-control'), path).toBeNull()
  })

  it('binds browsers to https where the console is served over it', async () => {
    expect((await get()).headers.get('strict-transport-security')).toBeNull()
    publicUrl = new URL('https://leases.example')
    expect((await get()).headers.get('strict-transport-security')).toBe('max-age=31536000')
    publicUrl = undefined
    expect((await get()).headers.get('strict-transport-security')).toBeNull()
  })

  it('has an id, its own or a new one, which the answer shows', async () => {
    for (const given of ['0123456789abcdef', 'a_program-s_own']) {
      expect((await get('/', { 'x-request-id': given })).headers.get('x-request-id')).toBe(given)
      expect(seen.headers.get('x-request-id')).toBe(given)
    }
    for (const bad of [
      'short',
      'x'.repeat(65),
      'has space in it',
      '<script>alert',
      'ümlaut-id'.normalize(),
    ]) {
      const id = (await get('/', { 'x-request-id': bad })).headers.get('x-request-id')
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(seen.headers.get('x-request-id')).toBe(id)
    }
  })

  it('has the address of its socket, whatever it says itself', async () => {
    await get('/', { [addressHeader()]: '203.0.113.9', 'x-forwarded-for': '203.0.113.9' })
    expect(clientAddress(seen.headers, { trustProxy: false })).toBe('127.0.0.1')
  })

  it('has a path that can be decoded', async () => {
    await get('/v1/locks/%ZZ?a=1')
    expect(seen.url).toBe(undecodablePath)
    await get('/leases/%FF')
    expect(seen.url).toBe('/undecodable-path')
    await get('/leases/%2F')
    expect(seen.url).toBe('/leases/%2F')
  })
})

it('the policy of pages runs no inline script without the nonce, and evaluates nothing', () => {
  const policy = pagePolicy('bm9uY2U=')
  expect(policy).toContain("script-src 'self' 'nonce-bm9uY2U=' 'strict-dynamic';")
  expect(policy).not.toContain('unsafe')
})
