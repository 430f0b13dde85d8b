/** A campaign that waited acts with what its sender may do now. */
import { LeaseProtocol, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { Session } from '../../../contract/people/session.ts'
import type { Leadership } from '../../../contract/programs/election.ts'
import { ActWindow } from '../../http/act-window.ts'
import type { Reply } from '../../http/handler.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import { log } from '../../http/log/log.ts'
import { TableTrust } from '../../leases/table-trust.ts'
import { campaign, campaignAgain } from '../election-handlers.ts'

const token: Session = {
  username: 'jobs',
  role: 'client',
  via: 'token',
  elevatedUntil: null,
  expiresAt: null,
  scope: { role: 'client', prefixes: [''], tables: ['leases'] },
}

let clock: FakeClock
let leases: LeaseProtocol
let store: MemoryLeaseStore
let written: AuditEvent[]
const terms = { begin: vi.fn(), last: vi.fn<() => Promise<object | null>>(async () => null) }

/** For a campaign that has nothing to wait for. */
const mustNotWait = async () => expect.unreachable('it waits')

/** @param meanwhile what the other programs do while the campaign waits */
async function campaigning(
  session: Session,
  body: object,
  stillAllowed: () => Promise<Session>,
  meanwhile: () => Promise<unknown>,
  wait = 10_000,
  kept?: Reply,
) {
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const settings = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 60 }
  const tables = new Map([['leases', { ...settings, leases, trust: new TableTrust() }]])
  const holders = {
    changed: async () => {
      await meanwhile()
      return leases.read('group')
    },
  }
  const config = { secondPersonFor: [], secondPersonAfterMs: 0, adminActions: true, maxClockSkewMs: 100 }
  const append = async (event: AuditEvent) => void written.push(event)
  const services = {
    tables,
    holders,
    terms,
    clock,
    log,
    requestLog: log,
    config,
    paxosVariant: 'v2',
    session: { keyspace: 'leasehold' },
    audit: { append, appendUntilWritten: append },
    actLimit: { take: () => {} },
  }
  const input = {
    params: { group: 'group' },
    query: { wait },
    body,
    session,
    stillAllowed,
    requestId: 'a',
    address: null,
    sessionId: null,
    cookieHeader: null,
    window: new ActWindow(clock),
    signal: new AbortController().signal,
  }
  return clock.run(
    kept === undefined
      ? campaign(input as never, services as never)
      : campaignAgain(services as never)(kept, input as never),
  )
}

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  const deps = { clock, timer: clock, maxClockSkewMs: 100, defaultTtlSeconds: 60 }
  store = new MemoryLeaseStore(clock)
  leases = new LeaseProtocol({ store, ...deps })
  written = []
  terms.begin.mockReset()
})

async function led(owner: string, ttlSeconds = 60) {
  const outcome = await leases.tryAcquire('group', { owner, ttlSeconds })
  if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
  return outcome.tenure
}

it('a campaign that waited does not try again once its sender has lost its permission', async () => {
  const leader = await clock.run(led('leader'))
  const stillAllowed = vi.fn(async () => {
    throw new HttpProblem('unauthenticated', 'The token was revoked.')
  })
  const answered = campaigning(token, {}, stillAllowed, () => leases.release(leader))
  await expect(answered).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(stillAllowed).toHaveBeenCalledTimes(1)
  expect((await leases.read('group'))?.owner ?? null).toBeNull()
  expect(terms.begin).not.toHaveBeenCalled()
})

describe('a group that changes hands between each try and the read after it', () => {
  /** Of so many tries. */
  function changesHands(times: number): void {
    const acquire = store.acquire.bind(store)
    store.acquire = async (write) => {
      if (times-- <= 0) return acquire(write)
      const owner = `other-${times}`
      store.plain.insertIfNotExists('group', owner, null, 60)
      const answer = await acquire(write)
      await store.release({ name: 'group', owner })
      return answer
    }
  }
  const campaign = (wait: number) => campaigning(token, {}, async () => token, mustNotWait, wait)

  it('has a leader, the last one, for a campaign that does not wait', async () => {
    changesHands(7)
    await expect(campaign(0)).rejects.toMatchObject({
      code: 'lock-held',
      extra: { holder: { name: 'group', owner: 'other-4' } },
      headers: { 'Retry-After': '1' },
    })
  })

  it('does not end the wait of one that waits', async () => {
    changesHands(7)
    terms.begin.mockResolvedValue({ term: 1n, token: 1n, sinceMs: 0, leader: 'x' })
    expect(await campaign(10_000)).toMatchObject({ status: 201 })
  })
})

describe('a campaign of an elevated admin that names another program as its owner, and waited', () => {
  const elevatedUntil = '2100-01-01T00:00:00.000Z'
  const person = { username: 'bob', role: 'admin', via: 'password', scope: null } as const
  const admin: Session = { ...person, elevatedUntil, expiresAt: null }
  /** The leader goes, and the named program acquires the group, before the campaign renews for it. */
  const renewedAs = async (session: Session) => {
    const leader = await clock.run(led('leader'))
    return campaigning(
      admin,
      { owner: 'prog-1', ttlSeconds: 2 },
      async () => session,
      async () => {
        await leases.release(leader)
        await led('prog-1', 120)
      },
    )
  }
  const leftSeconds = async () => (await clock.run(leases.read('group')))?.ttlSeconds

  it.each([
    ['forbidden', 'was made an operator', { ...admin, role: 'operator', elevatedUntil: null }],
    ['elevation-needed', 'ended the elevation', { ...admin, elevatedUntil: null }],
  ] as const)('is answered %s when the admin %s meanwhile', async (code, _what, now) => {
    await expect(renewedAs(now as Session)).rejects.toMatchObject({ code })
    expect(await leftSeconds()).toBe(120)
    expect(written).toEqual([])
  })

  it('is audited with the session that it acts with', async () => {
    terms.begin.mockResolvedValue({ term: 1n, token: 1n, sinceMs: 0, leader: 'prog-1' })
    expect(await renewedAs({ ...admin, via: 'sso' })).toMatchObject({ status: 200 })
    expect(written.map(({ act, phase, actor }) => [act, phase, actor.via])).toEqual([
      ['renewal', 'intent', 'sso'],
      ['renewal', 'outcome', 'sso'],
    ])
  })
})

const olga: Session = {
  username: 'olga',
  role: 'operator',
  via: 'password',
  scope: null,
  elevatedUntil: null,
  expiresAt: null,
}
it.each([
  [{ acquireOnly: true }, olga],
  [{ acquireOnly: true }, token],
  [{ owner: 'mine', token: '1700000000000000' }, token],
] as const)(
  'a campaign with %j that is sent again under its key is renewed, and has the answer of the first',
  async (body, sender) => {
    const led = { term: 1n, token: 7n, sinceMs: 0, leader: 'x' }
    terms.begin.mockResolvedValue(led)
    const first = await campaigning(sender, body, async () => sender, mustNotWait, 0)
    expect(first).toMatchObject({ status: 201 })
    await clock.advance(10_000)
    const { owner } = first.body as Leadership
    terms.last.mockResolvedValueOnce({ ...led, leader: owner } as never)
    const again = await campaigning(sender, body, async () => sender, mustNotWait, 0, first)
    expect(again).toMatchObject({ status: 201, body: { owner, term: '1', token: '7' } })
    expect((await clock.run(leases.read('group')))?.owner).toBe(owner)
  },
)

describe('a leader that campaigns again, and whose lease was renewed', () => {
  const silent = async () => Promise.reject(new StoreUnavailableError('No node answers.'))
  const kept = {
    status: 201,
    body: {
      group: 'group',
      owner: 'prog-1',
      token: '1',
      term: '1',
      since: '2026-11-21T12:00:00.000Z',
      version: '1',
      ttlSeconds: 60,
      expiresAt: '2026-11-21T12:01:00.000Z',
    },
  }
  const again = (before?: Reply) =>
    campaigning(token, { owner: 'prog-1', ttlSeconds: 90 }, async () => token, mustNotWait, 0, before)

  it.each([
    ['is read', () => terms.last.mockImplementationOnce(silent), undefined],
    ['is begun', () => terms.begin.mockImplementationOnce(silent), undefined],
    ['is read, under its key', () => terms.last.mockImplementationOnce(silent), kept],
  ] as const)('has an unknown outcome when Cassandra is silent as its term %s', async (_, fail, reply) => {
    await clock.run(led('prog-1'))
    fail()
    await expect(again(reply)).rejects.toMatchObject({ code: 'outcome-unknown', owner: 'prog-1' })
    expect((await clock.run(leases.read('group')))?.ttlSeconds).toBe(90)
  })
})
