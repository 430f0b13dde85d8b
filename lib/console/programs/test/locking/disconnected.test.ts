/** A caller that hangs up before it has the answer: what it acquired is released, and the audit log has it where it has any release. */
import { LeaseProtocol, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../../../contract/audit.ts'
import type { Session } from '../../../../contract/people/session.ts'
import { ActWindow } from '../../../http/act-window.ts'
import { tooManyRequests } from '../../../http/limits/request-limits.ts'
import { log } from '../../../http/log/log.ts'
import { TableTrust } from '../../../leases/table-trust.ts'
import { campaign } from '../../election-handlers.ts'
import { putLock } from '../../lock-handlers.ts'

const token = {
  username: 'pay',
  role: 'client',
  via: 'token',
  elevatedUntil: null,
  expiresAt: null,
  scope: { role: 'client', prefixes: [''], tables: ['*'] },
} as Session
const operator = {
  ...token,
  username: 'otto',
  role: 'operator',
  via: 'password',
  scope: null,
} as unknown as Session

let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
let written: AuditEvent[]
let takesIntents: boolean
let isOverLimit: boolean
beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 10, 21, 12))
  written = []
  takesIntents = true
  isOverLimit = false
  withOwners(true)
})

function withOwners(has: boolean) {
  store = new MemoryLeaseStore(clock, has ? undefined : { owner: false, value: false })
  leases = new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100, defaultTtlSeconds: 60 })
}

function hangsUp(handler: typeof putLock | typeof campaign, session: Session, name: string) {
  const hasOwners = store.columns.owner
  const mapping = {
    table: 'leases',
    name: 'name',
    owner: hasOwners ? 'owner' : null,
    value: hasOwners ? 'value' : null,
  }
  const settings = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 60 }
  const appendUntilWritten = async (event: AuditEvent) => void written.push(event)
  const append = async (event: AuditEvent) => {
    if (event.act === 'release' && !takesIntents) throw new StoreUnavailableError('No quorum.')
    written.push(event)
  }
  const take = (act: string) => {
    if (act === 'release' && isOverLimit) throw tooManyRequests('Too many.', 1_000)
  }
  const services = {
    tables: new Map([['leases', { ...settings, leases, trust: new TableTrust() }]]),
    clock,
    log,
    requestLog: log,
    audit: { append, appendUntilWritten },
    actLimit: { take },
    session: { keyspace: 'leasehold' },
    terms: { begin: async () => ({ term: 1n, token: 1n, sinceMs: 0, leader: 'a' }) },
    config: { secondPersonFor: ['two/'], secondPersonAfterMs: 0, adminActions: true, maxClockSkewMs: 100 },
  }
  const input = {
    params: { name, group: name },
    query: {},
    body: {},
    session,
    stillAllowed: async () => session,
    requestId: 'r',
    address: null,
    window: new ActWindow(clock),
    signal: AbortSignal.abort(),
  }
  return clock.run(handler(input as never, services as never))
}
const acts = () => written.map(({ act, phase, outcome }) => [act, phase, outcome])
const released = [
  ['release', 'intent', null],
  ['release', 'outcome', 'released'],
]
const isHeld = async (name: string) => (await clock.run(leases.read(name))) !== null
const disconnected = { code: 'bad-request', message: expect.stringMatching(/The caller disconnected/) }

describe.each([
  ['lock', putLock],
  ['campaign', campaign],
] as const)('the %s of a name of two people', (_what, handler) => {
  it('by a token is released with an entry of the release', async () => {
    await expect(hangsUp(handler, token, 'two/x')).rejects.toMatchObject(disconnected)
    expect(await isHeld('two/x')).toBe(false)
    expect(acts()).toEqual(released)
    expect(written[0]).toMatchObject({ actor: { username: 'pay' }, on: { name: 'two/x' } })
  })

  it('by a person is released with an entry of the release', async () => {
    await expect(hangsUp(handler, operator, 'two/x')).rejects.toMatchObject(disconnected)
    expect(await isHeld('two/x')).toBe(false)
    expect(acts().slice(2)).toEqual(released)
  })

  it('is released although the audit log takes no intent, and the entry follows', async () => {
    takesIntents = false
    await expect(hangsUp(handler, token, 'two/x')).rejects.toMatchObject(disconnected)
    expect(await isHeld('two/x')).toBe(false)
    expect(acts()).toEqual([['release', 'event', 'released']])
  })

  it('of a token beyond its limit stays until it expires, and the answer is the same', async () => {
    isOverLimit = true
    await expect(hangsUp(handler, token, 'two/x')).rejects.toMatchObject(disconnected)
    expect(acts()).toEqual([])
    await clock.advance(61_000)
    expect(await isHeld('two/x')).toBe(false)
  })

  it('has no entry where the name needs one person', async () => {
    await expect(hangsUp(handler, token, 'one/x')).rejects.toMatchObject(disconnected)
    expect(await isHeld('one/x')).toBe(false)
    expect(acts()).toEqual([])
  })
})

it('the lock of a table without owners is released with an entry of the release', async () => {
  withOwners(false)
  await expect(hangsUp(putLock, token, 'one/x')).rejects.toMatchObject(disconnected)
  expect(await isHeld('one/x')).toBe(false)
  expect(acts()).toEqual(released)
})
