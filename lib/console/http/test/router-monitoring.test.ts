/** What the router answers to scrapers, and what it counts for them. */
import { StoreUnavailableError } from 'leasehold/lease'
import { systemClock } from 'leasehold/time'
import { describe, expect, it } from 'vitest'
import type { Api } from '../api.ts'
import { ask, context } from './test-router.ts'

describe('the token of scrapers', () => {
  const getMetrics = async () => ({ status: 200, json: 'a 1\n', headers: { 'Content-Type': 'text/plain' } })
  const getLock = async () => ({ status: 200, body: {} })
  const scraping = () => {
    const asked: string[] = []
    const find = async (token: string) => {
      asked.push(token)
      throw new StoreUnavailableError('Cassandra is away.')
    }
    const session = { nodes: () => ({ nodes: 1, nodesUp: 0 }) }
    const api = {
      ...context(),
      session,
      clock: systemClock,
      apiTokens: { find },
      handlers: { getMetrics, getLock },
      scraper: { is: (bearer: string) => bearer === 'scrape' },
    } as unknown as Api
    const get = (path: string, token = 'scrape') =>
      ask(path, { headers: { authorization: `Bearer ${token}` } }, api)
    return { asked, get }
  }

  it('reads the metrics while Cassandra does not answer, as text', async () => {
    const { asked, get } = scraping()
    const answer = await get('/metrics')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain'])
    expect(await answer.text()).toBe('a 1\n')
    expect(asked).toEqual([])
  })

  it('is good for nothing else: elsewhere it is looked up as any other', async () => {
    const { asked, get } = scraping()
    expect((await get('/v1/locks/x')).status).toBe(503)
    expect((await get('/metrics', 'another')).status).toBe(503)
    expect(asked).toEqual(['scrape', 'another'])
  })
})

describe('what the router counts', () => {
  it('is each request, by its route, and each look-up of who sent it', async () => {
    const counted: unknown[] = []
    const meter: Api['meter'] = {
      answered: ({ route, waits }, status) => counted.push([route, waits, status]),
      checked: (kind, outcome) => counted.push([kind, outcome]),
    }
    let found: () => Promise<null> = async () => null
    const api = {
      ...context(),
      clock: systemClock,
      session: { nodes: () => ({ nodes: 1, nodesUp: 0 }) },
      meter,
      apiTokens: { find: () => found() },
      handlers: { healthz: async () => ({ status: 200 }) },
    } as unknown as Api
    const headers = { authorization: 'Bearer lh_0123456789abcdef_secret' }
    await ask('/healthz', {}, api)
    await ask('/v1/some/name/that/a/person/typed', {}, api)
    await ask('/v1/locks/x?wait=1s', { headers }, api)
    found = async () => {
      throw new StoreUnavailableError('Cassandra is away.')
    }
    await ask('/v1/locks/x', { headers }, api)
    expect(counted).toEqual([
      ['healthz', false, 200],
      [null, false, 404],
      ['token', 'invalid'],
      ['getLock', true, 401],
      ['token', 'failed'],
      ['getLock', false, 503],
    ])
  })

  it.each([
    ['GET', 'wait=30s', true],
    ['GET', 'wait=0s', false],
    ['GET', 'wait=never', false],
    ['HEAD', 'wait=30s', false],
  ])('is a wait where the server waits: %s with %s', async (method, query, expected) => {
    const counted: unknown[] = []
    const meter = { answered: ({ waits }: { waits: boolean }) => counted.push(waits), checked: () => {} }
    const api = { ...context(), meter, apiTokens: { find: async () => null } } as unknown as Api
    const headers = { authorization: 'Bearer lh_0123456789abcdef_secret' }
    await ask(`/v1/locks/x?${query}`, { method, headers }, api)
    expect(counted).toEqual([expected])
  })
})
