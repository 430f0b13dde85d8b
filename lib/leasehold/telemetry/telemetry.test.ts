/** What the protocols report, in fake time. */
import cassandra from 'cassandra-driver'
import { beforeEach, describe, expect, it } from 'vitest'
import { CassandraSession, type SessionParts, type Statement } from '../cassandra/index.ts'
import { Election } from '../election/index.ts'
import { LeaseProtocol, Leases } from '../lease/index.ts'
import { Operator } from '../operator/index.ts'
import { FakeClock, type Fault, MemoryLeaseStore } from '../testing/index.ts'
import { type Led, noTelemetry, type Telemetry } from './index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let reports: unknown[][]
let led: Led[]
let telemetry: Telemetry

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  reports = []
  led = []
  const note =
    (what: string) =>
    (...report: unknown[]) => {
      reports.push([what, ...report])
    }
  telemetry = {
    ...noTelemetry,
    statement: note('statement'),
    outcomeUnknown: note('unknown'),
    outcomeSettled: note('settled'),
    renewal: note('renewal'),
    acquired: ({ name }) => note('acquired')(name),
    ended: ({ name }, reason) => note('ended')(name, reason),
    candidate: note('candidate'),
    elected(leadership) {
      led.push(leadership)
      note('elected')(leadership.group)
    },
  }
})

const options = () => ({
  store,
  clock,
  timer: clock,
  random: () => 0.5,
  maxClockSkewMs: 100,
  telemetry,
  defaultTtlSeconds: 10,
})
/** The next statement of this kind has this fault, and those after it have none. */
function once(of: string, fault: Fault): void {
  let left = 1
  store.fault = (kind) => (kind === of && left-- > 0 ? fault : undefined)
}
const lost = (applied: boolean, finality: 'read' | 'never' = 'never') =>
  ({ kind: 'lost', applied, finality }) as const

describe('an operation that lost an answer', () => {
  const acquire = () => clock.run(new LeaseProtocol(options()).tryAcquire('job'))

  it('is not reported where each answer came', async () => {
    await acquire()
    expect(reports).toEqual([])
  })

  it('is applied where a read finds its row', async () => {
    once('acquire', lost(true))
    await acquire()
    expect(reports).toEqual([
      ['unknown', 'acquire'],
      ['settled', 'acquire', 'applied'],
    ])
  })

  it('is not applied where a final read does not find it', async () => {
    once('acquire', lost(false, 'read'))
    await acquire()
    expect(reports).toEqual([
      ['unknown', 'acquire'],
      ['settled', 'acquire', 'not-applied'],
    ])
  })

  it('is open where the next try won, and the lost one may still appear behind it', async () => {
    once('acquire', lost(false))
    await acquire()
    expect(reports).toEqual([
      ['unknown', 'acquire'],
      ['settled', 'acquire', 'open'],
    ])
  })

  it('is open when its time is over', async () => {
    store.fault = (kind) => (kind === 'acquire' ? lost(false) : undefined)
    const protocol = new LeaseProtocol(options())
    await expect(clock.run(protocol.tryAcquire('job'))).rejects.toMatchObject({ code: 'outcome-unknown' })
    expect(reports).toEqual([
      ['unknown', 'acquire'],
      ['settled', 'acquire', 'open'],
    ])
  })

  it('is superseded where another owner has the row by then', async () => {
    const protocol = new LeaseProtocol(options())
    const outcome = await clock.run(protocol.tryAcquire('job'))
    if (outcome.kind !== 'acquired') throw new Error('not acquired')
    store.fault = (kind) => {
      if (kind !== 'renew') return undefined
      store.fault = () => undefined
      store.plain.deleteIfOwner('job', outcome.tenure.owner)
      store.plain.insertIfNotExists('job', 'another', null, 30)
      return lost(false)
    }
    expect(await clock.run(protocol.renew(outcome.tenure))).toMatchObject({ kind: 'lost' })
    expect(reports).toEqual([
      ['unknown', 'renew'],
      ['settled', 'renew', 'superseded'],
    ])
  })

  it.each([
    [true, 'superseded'],
    [false, 'not-applied'],
  ])('of a kill, applied: %s, is %s', async (applied, resolution) => {
    await acquire()
    const owner = (await store.read('job')).cells?.owner as string
    once('release', lost(applied, 'read'))
    await clock.run(new Operator(new LeaseProtocol(options())).kill({ name: 'job', owner }))
    expect(reports).toEqual([
      ['unknown', 'kill'],
      ['settled', 'kill', resolution],
    ])
  })
})

describe('a lease that is kept alive', () => {
  it('reports each renewal, with what was left of the window', async () => {
    const leases = new Leases(options())
    const lease = await clock.run(leases.acquire('job'))
    await clock.advance(3_000)
    // The window is 8.9 s; it is renewed after a third of it.
    const [acquired, renewal, ...rest] = reports
    expect(acquired).toEqual(['acquired', 'job'])
    expect(renewal).toEqual(['renewal', { lease: 'job', outcome: 'renewed', tookMs: 0, marginMs: 5_933 }])
    expect(rest).toEqual([])
    await clock.run(lease.release())
    expect(reports.at(-1)).toEqual(['ended', 'job', 'released'])
    await clock.run(leases.close())
  })

  it('reports renewals that fail, and the loss at the deadline, once', async () => {
    const leases = new Leases(options())
    const lease = await clock.run(leases.acquire('job'))
    store.fault = (kind) => (kind === 'renew' ? { kind: 'unavailable' } : undefined)
    await clock.advance(10_000)
    expect(lease.held).toBe(false)
    const renewals = reports.filter(([what]) => what === 'renewal').map(([, report]) => report)
    expect(renewals.length).toBeGreaterThan(0)
    for (const each of renewals) expect(each).toMatchObject({ outcome: 'failed' })
    expect(reports.filter(([what]) => what === 'ended')).toEqual([['ended', 'job', 'deadline']])
    await clock.run(leases.close())
  })
})

describe('a candidate', () => {
  it('leads until its deadline, by the clock, before any timer has fired', async () => {
    const leases = new Leases(options())
    const election = new Election({ leases, group: 'billing/leader' })
    await clock.run(election.campaign())
    expect(reports.filter(([what]) => what !== 'renewal')).toEqual([
      ['candidate', 'billing/leader'],
      ['acquired', 'billing/leader'],
      ['elected', 'billing/leader'],
    ])
    expect(led.map(({ held }) => held)).toEqual([true])
    clock.suspend(60_000)
    expect(led.map(({ held }) => held)).toEqual([false])
    await clock.run(leases.close())
  })
})

describe('a session', () => {
  const { consistencies } = cassandra.types
  const write: Statement = {
    operation: 'acquire',
    cql: 'UPDATE t SET a = 1 WHERE b = 1 IF a = null',
    consistency: consistencies.quorum,
    serialConsistency: consistencies.localSerial,
    readTimeoutMs: 10,
  }
  const read: Statement = { cql: 'SELECT a FROM t', consistency: consistencies.serial, readTimeoutMs: 10 }
  const gone = new cassandra.errors.OperationTimedOutError('No reply.', '127.0.0.1:9042')
  /** What is reported of one statement whose client answers, or fails, like this. */
  async function reportOf(statement: Statement, answer: Record<string, unknown>[] | Error): Promise<unknown> {
    const client = {
      execute: async () => {
        if (answer instanceof Error) throw answer
        return { rows: answer, info: { queriedHost: '127.0.0.1' } }
      },
    }
    const parts = { client, reader: client, keyspace: 'k', telemetry, close: async () => {} }
    const session = new CassandraSession(parts as unknown as SessionParts)
    await session.execute(statement, []).catch(() => {})
    expect(reports).toHaveLength(1)
    return reports[0]?.[1]
  }

  it.each([
    [write, [{ '[applied]': true }], { operation: 'acquire', level: 'LOCAL_SERIAL', outcome: 'applied' }],
    [write, [{ '[applied]': false, a: 2 }], { kind: 'conditional write', outcome: 'not-applied' }],
    [write, gone, { operation: 'acquire', outcome: 'unknown' }],
    [read, [], { operation: 'other', kind: 'read', level: 'SERIAL', outcome: 'answered' }],
    [read, gone, { kind: 'read', outcome: 'unavailable' }],
  ])('reports a statement: %o, %o', async (statement, answer, report) => {
    expect(await reportOf(statement, answer)).toMatchObject({ ...report, tookMs: expect.any(Number) })
  })

  it('gives its telemetry to the leases that are made with it', () => {
    const parts = { client: {}, reader: {}, keyspace: 'k', paxosVariant: 'v2', serial: 'SERIAL', telemetry }
    const session = new CassandraSession(parts as unknown as SessionParts)
    expect(new Leases(session).protocol.context.telemetry).toBe(telemetry)
  })
})
