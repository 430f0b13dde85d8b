/** `GET /metrics` of a console on a real Cassandra: what happened is what it says. */

import { StatementProxy } from 'leasehold/testing'
import { systemTimer } from 'leasehold/time'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ShownEntry } from '../../contract/audit.ts'
import { harmless } from '../../leasehold/test/patient-sessions.ts'
import { settledRelease, type TestConsole, testConsole } from '../test/test-console.ts'
import { emptiedKeyspace } from '../test/test-keyspace.ts'
import { type Family, parseExposition, sampleOf } from './test-exposition.ts'
import { WatchedLeases } from './watched-leases.ts'

const scraper = 'a token of a scraper'.replaceAll(' ', '-')
let proxy: StatementProxy
let console: TestConsole
/** Whether the answer to the next acquisition of `lost` never comes. */
let loses = false

beforeAll(async () => {
  const [host = '', port = ''] = (process.env.LEASEHOLD_TEST_CONTACT_POINT ?? '').split(':')
  proxy = await StatementProxy.listen(host, Number(port), {
    fault: ({ cql, values }) => {
      const isIt = loses && cql.startsWith('UPDATE') && values.some((value) => value?.toString() === 'lost')
      if (!isIt) return undefined
      loses = false
      return { kind: 'time-out', arrives: true }
    },
  })
  harmless(proxy.contactPoint)
  console = await testConsole(await emptiedKeyspace(), {
    CASSANDRA_CONTACT_POINTS: proxy.contactPoint,
    LEASEHOLD_METRICS_TOKEN: scraper,
    LEASEHOLD_METRICS_LEASES: 'watched',
  })
  // A text is kept for a second. What is looked at here is what each has just after an act.
  const { metrics } = console.context
  vi.spyOn(metrics, 'text').mockImplementation(() => metrics.registry.metrics())
})
afterAll(async () => {
  await console?.context.session.close()
  await proxy?.close()
})

const asScraper = { cookie: '', authorization: `Bearer ${scraper}` }
async function scrape(): Promise<Map<string, Family>> {
  const { status, headers, body } = await console.api('GET', '/metrics', undefined, asScraper)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  return parseExposition(body)
}
/** By how much each of these grew while `work` ran. */
async function grown(series: [name: string, labels: Record<string, string>][], work: () => Promise<unknown>) {
  const values = async () => {
    const families = await scrape()
    return series.map(([name, labels]) => sampleOf(families, name, labels) ?? 0)
  }
  const before = await values()
  await work()
  return (await values()).map((value, i) => value - (before[i] as number))
}

const series = (name: string, labels: Record<string, string>): [string, Record<string, string>] => [
  name,
  labels,
]
const put = (name: string, owner?: string) =>
  console.api('PUT', `/v1/locks/${name}`, { owner, ttlSeconds: 120 })
const openActs = async () => {
  const entries: ShownEntry[] = (await console.api('GET', '/v1/audit?limit=100')).body.entries
  const closed = new Set(entries.filter(({ phase }) => phase === 'outcome').map(({ id }) => id))
  return entries.filter(({ phase, id }) => phase === 'intent' && !closed.has(id))
}
const writes = (operation: string, outcome: string) =>
  series('leasehold_conditional_write_duration_seconds_count', { operation, outcome })
const requests = (route: string, status: string) =>
  series('leasehold_http_request_duration_seconds_count', { route, status })

describe('after a few locks', () => {
  it('has each conditional write by its outcome, and each request by its route', async () => {
    const found = await grown(
      [
        writes('acquire', 'applied'),
        writes('acquire', 'not-applied'),
        writes('renew', 'applied'),
        writes('release', 'applied'),
        ['leasehold_read_duration_seconds_count', { level: 'SERIAL', outcome: 'answered' }],
        requests('putLock', '2xx'),
        requests('putLock', '4xx'),
        requests('deleteLock', '2xx'),
      ],
      async () => {
        expect((await put('one', 'holder')).status).toBe(201)
        expect((await put('two', 'holder')).status).toBe(201)
        // An owner that is named meets the holder by a read, another one by a conditional write.
        expect((await put('one', 'another')).status).toBe(409)
        expect((await put('one')).status).toBe(409)
        expect((await put('two', 'holder')).status).toBe(200)
        expect((await console.api('DELETE', '/v1/locks/one?owner=holder')).status).toBe(204)
      },
    )
    const [acquired, refused, renewed, released, reads, ...answers] = found
    expect([acquired, refused, renewed, released]).toEqual([2, 1, 1, 1])
    expect(answers).toEqual([3, 2, 1])
    expect(reads).toBeGreaterThan(3)
  })

  it('has an answer that was lost, and that it was applied', async () => {
    loses = true
    const found = await grown(
      [
        writes('acquire', 'unknown'),
        ['leasehold_unknown_outcomes_total', { operation: 'acquire' }],
        ['leasehold_unknown_outcomes_resolved_total', { operation: 'acquire', resolution: 'applied' }],
        ['leasehold_unknown_outcomes_resolved_total', { operation: 'acquire', resolution: 'open' }],
      ],
      // A first PUT with an owner of a program's: what a row with this owner proves is the acquisition.
      async () => {
        const made = await console.api('POST', '/v1/tokens', { name: 'p', role: 'client', prefixes: [''] })
        const headers = { cookie: '', authorization: `Bearer ${made.body.token}` }
        const body = { owner: 'lost', ttlSeconds: 30 }
        expect((await console.api('PUT', '/v1/locks/lost', body, headers)).status).toBe(201)
      },
    )
    expect(loses).toBe(false)
    expect(found).toEqual([1, 1, 1, 0])
  })

  it('has a forced release by mode and outcome, and the audit entries that it took', async () => {
    await put('forced', 'holder')
    const killed = series('leasehold_forced_releases_total', { mode: 'kill', outcome: 'released' })
    const counted = async () => sampleOf(await scrape(), ...killed)
    // What a person released above by naming the owner is a kill without a plan.
    await expect.poll(counted).toBe(1)
    // The outcomes of the acts above are no entries of this one: no answer waits for them.
    await expect.poll(openActs).toEqual([])
    const found = await grown(
      [
        killed,
        ['leasehold_audit_append_duration_seconds_count', { chain: 'main', outcome: 'written' }],
        writes('release', 'applied'),
        writes('audit', 'applied'),
      ],
      async () => {
        const { plan } = (await console.api('POST', '/v1/leases/forced/release-plan', {})).body
        const body = { plan, mode: 'kill', reason: 'test', confirmName: 'forced' }
        const answer = console.api('POST', '/v1/leases/forced/release', body)
        expect((await settledRelease(console, answer)).body.outcome).toBe('released')
        // The answer does not wait for the entry of the outcome.
        await expect.poll(counted).toBe(2)
      },
    )
    const [releases, entries, deletes, appends] = found
    // The plan, the intent and the outcome.
    expect([releases, entries, deletes]).toEqual([1, 3, 1])
    expect(appends).toBeGreaterThan(0)
  })

  it('has the look-ups of sessions and tokens', async () => {
    const found = await grown(
      [
        ['leasehold_credential_checks_total', { kind: 'session', outcome: 'valid' }],
        ['leasehold_credential_checks_total', { kind: 'token', outcome: 'invalid' }],
      ],
      async () => {
        await console.api('GET', '/v1/session')
        const headers = { cookie: '', authorization: 'Bearer lh_0123456789abcdef_none' }
        expect((await console.api('GET', '/v1/session', undefined, headers)).status).toBe(401)
      },
    )
    expect(found).toEqual([1, 1])
  })

  it('has the requests that wait, while they do', async () => {
    await put('awaited', 'holder')
    const waiting = console.api('GET', '/v1/locks/awaited?wait=60s&since=holder')
    const waits = async () => sampleOf(await scrape(), 'leasehold_open_waits')
    await expect.poll(waits).toBe(1)
    await console.api('DELETE', '/v1/locks/awaited?owner=holder')
    expect((await waiting).status).toBe(404)
    expect(await waits()).toBe(0)
    const route = { route: 'getLock', status: '4xx' }
    expect(sampleOf(await scrape(), 'leasehold_http_waits_total', route)).toBe(1)
  })

  it('names no lease, owner, user or token', async () => {
    const text = JSON.stringify([...(await scrape())])
    for (const name of ['holder', 'forced', 'admin', 'another']) expect(text).not.toContain(`"${name}"`)
  })
})

it('a lease of LEASEHOLD_METRICS_LEASES has its holder, its hand-overs and its time without one', async () => {
  const { context } = console
  expect(context.config.metrics.leases).toEqual([{ table: 'leases', name: 'watched' }])
  const table = context.tables.get('leases')
  if (table === undefined) throw new Error('no table')
  const stop = new AbortController()
  const { clock, log, metrics } = context
  const watch = new WatchedLeases(metrics.registry, [{ table, name: 'watched' }], {
    clock,
    timer: systemTimer,
    log,
  })
  const watching = watch.watch(stop.signal)
  const of = async (name: string) => sampleOf(await scrape(), `leasehold_lease_${name}`, { lease: 'watched' })
  await expect.poll(() => of('held')).toBe(0)
  await put('watched', 'one')
  await expect.poll(() => of('held')).toBe(1)
  const vacancy = await of('leaderless_seconds_total')
  expect(vacancy).toBeGreaterThan(0)
  expect(await of('hand_overs_total')).toBe(0)
  await console.api('DELETE', '/v1/locks/watched?owner=one')
  await put('watched', 'two')
  await expect.poll(() => of('hand_overs_total')).toBe(1)
  stop.abort()
  await watching
})

describe('who may read it', () => {
  const status = async (headers: Record<string, string>) =>
    (await console.api('GET', '/metrics', undefined, headers)).status
  const token = async (prefixes: string[]) => {
    const body = { name: 'reader', role: 'viewer', prefixes, tables: ['*'] }
    const made = await console.api('POST', '/v1/tokens', body)
    return { cookie: '', authorization: `Bearer ${made.body.token}` }
  }

  it('is people, tokens of all names, and the scraper', async () => {
    expect(await status({})).toBe(200)
    expect(await status(await token(['']))).toBe(200)
    expect(await status(await token(['billing/']))).toBe(403)
    expect(await status({ cookie: '' })).toBe(401)
    expect(await status({ ...asScraper, authorization: `${asScraper.authorization}x` })).toBe(401)
  })

  it('is not the scraper for anything else', async () => {
    expect((await console.api('GET', '/v1/session', undefined, asScraper)).status).toBe(401)
  })

  it('is the scraper also while Cassandra does not answer', async () => {
    await proxy.close()
    const unavailable = async () => {
      await console.api('GET', '/v1/leases/one')
      const reads = { level: 'SERIAL', outcome: 'unavailable' }
      return sampleOf(await scrape(), 'leasehold_read_duration_seconds_count', reads)
    }
    await expect.poll(unavailable).toBeGreaterThan(0)
    const failed = { kind: 'session', outcome: 'failed' }
    expect(sampleOf(await scrape(), 'leasehold_credential_checks_total', failed)).toBeGreaterThan(0)
  })
})
