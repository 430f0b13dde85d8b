/**
 * A renewal that the server sends twice, and whose first send is applied late: the client's deadline allows for it, although
 * the client knows of one request alone.
 */
import { Election } from 'leasehold/election'
import { HttpLeaseStore, HttpTerms, LeaseholdServer } from 'leasehold/http'
import { LeaseProtocol, Leases } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it, vi } from 'vitest'
import { ActWindow } from '../../http/act-window.ts'
import { acquireOrRenew } from '../locking.ts'

vi.mock('../../http/authorise.ts', () => ({ permit: () => {} }))

const ttlSeconds = 6

/** A client, the server's own handling of its requests, and a store whose first renewal contends before it is applied. */
function setUp(contendedMs: number, first: 'breaks at once' | 'is answered late') {
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + 460)
  const store = new MemoryLeaseStore(clock)
  const sent = { renewals: 0, terms: 0 }
  let isCut = false
  const renew = store.renew.bind(store)
  const behindServer = Object.create(store, {
    renew: {
      value: (write: Parameters<typeof renew>[0]) => {
        if (++sent.renewals !== 1) return renew(write)
        store.fault = () => ({ kind: 'delayed', contendedMs, breaks: first === 'breaks at once' })
        const answer = renew(write)
        store.fault = () => undefined
        return answer
      },
    },
    ...Object.fromEntries(
      (['acquire', 'release', 'read', 'hint', 'quarantine', 'scan'] as const).map((method) => [
        method,
        { value: (store[method] as (...args: unknown[]) => unknown).bind(store) },
      ]),
    ),
  }) as MemoryLeaseStore
  const deps = { clock, timer: clock, random: () => 0.5, maxClockSkewMs: 400, defaultTtlSeconds: ttlSeconds }
  const table = {
    leases: new LeaseProtocol({ store: behindServer, ...deps }),
    defaultTtlSeconds: ttlSeconds,
    mapping: { table: 'leases', owner: 'owner', value: 'value' },
  }
  const handle = (name: string, request: object) =>
    acquireOrRenew(
      { clock, session: { keyspace: 'k' }, config: { secondPersonFor: [] } } as never,
      { session: { role: 'client' }, window: new ActWindow(clock) } as never,
      table as never,
      name,
      request as never,
    )
  const reply = (status: number, body: object) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  const broken = (code: string) => Object.assign(new TypeError('fetch failed'), { cause: { code } })

  const fetchOnServer = async (url: URL | string, init: RequestInit) => {
    if (isCut) throw broken('ECONNREFUSED')
    const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) as string)
    const body = init.body === undefined ? {} : JSON.parse(init.body as string)
    if (init.method === 'POST') {
      const renewing = handle(name, { ...body, token: undefined })
      // The client gets no answer to its first request.
      if (++sent.terms === 1) {
        renewing.catch(() => {})
        throw broken('ECONNRESET')
      }
      await renewing
      return reply(200, { group: name, owner: body.owner, term: '1', since: new Date().toISOString() })
    }
    if (init.method === 'PUT') {
      const outcome = await handle(name, body)
      if (outcome.kind === 'renewed') return reply(200, { name, owner: outcome.view.owner })
      if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
      return reply(201, { name, owner: outcome.tenure.owner, token: String(outcome.tenure.token) })
    }
    const view = await table.leases.read(name)
    return reply(200, {
      name,
      owner: view?.owner,
      value: view?.value,
      version: String(view?.version),
      ttlSeconds: view?.ttlSeconds,
      expiresAt: new Date(view?.expiresAtMs as number).toISOString(),
      now: new Date(view?.read.serverNowMs as number).toISOString(),
      evidence: {},
    })
  }
  const server = new LeaseholdServer({
    url: 'http://server.example',
    timer: clock,
    fetch: fetchOnServer as typeof fetch,
  })
  const leases = new Leases({ store: new HttpLeaseStore(server, { paxosVariant: 'v2' }), ...deps })

  /** Cuts the client off, and lets a rival wait. @returns whether the rival came in while the client believed */
  async function overlaps(held: { held: boolean }): Promise<boolean> {
    isCut = true
    let isIn = false
    void new Leases({ store, ...deps }).acquire('job').then(() => {
      isIn = true
    })
    for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 10) {
      await clock.advance(10)
      if (isIn && held.held) return true
    }
    expect(isIn).toBe(true)
    return false
  }
  return { clock, sent, server, leases, deps, overlaps }
}

it('no rival holds a lease whose renewal the server has repeated', async () => {
  const { clock, sent, leases, overlaps } = setUp(1_600, 'breaks at once')
  const lease = await clock.run(leases.acquire('job', { ttlSeconds }))
  while (sent.renewals < 3) await clock.advance(10)
  expect(await overlaps(lease)).toBe(false)
})

it('no rival leads beside a leader whose term was begun by a request that was repeated', async () => {
  const { clock, server, leases, deps, overlaps } = setUp(1_700, 'is answered late')
  const election = new Election({ leases, group: 'job', terms: new HttpTerms({ server, ...deps }) })
  const leadership = await clock.run(election.campaign({ ttlSeconds }))
  await clock.advance(1_650)
  expect(await overlaps(leadership)).toBe(false)
})
