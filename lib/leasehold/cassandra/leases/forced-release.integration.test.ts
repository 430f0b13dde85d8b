/**
 * Forced release on a real Cassandra: the times for which old and new holders believe to hold a lease, by their own
 * deadlines, after a break, a kill and a request to resign. They share one clock here, so that the times compare.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  isLeaseholdError,
  type Lease,
  type LeaseLostError,
  LeaseProtocol,
  Leases,
  type QuarantineWrite,
  type Tenure,
} from '../../lease/index.ts'
import { type BreakStep, type KillStep, Operator } from '../../operator/index.ts'
import {
  testConnect,
  testContactPoint,
  testCredentials,
  testKeptTtlSeconds,
  testSession,
} from '../../test/node-session.ts'
import { StandStills } from '../../test/standing-still.ts'
import { FaultProxy } from '../../testing/index.ts'
import { tables } from '../schema/tables.ts'
import type { CassandraSession } from '../session/session.ts'
import { CassandraLeaseStore } from './lease-store.ts'
import { CassandraResignRequests } from './resign-requests.ts'

const keyspace = 'forced_release_test'
const options = { maxClockSkewMs: 100 }
const ttlSeconds = testKeptTtlSeconds(options.maxClockSkewMs)
let session: CassandraSession
const names = (
  (count) => () =>
    `forced/${process.pid}/${Date.now().toString(36)}/${++count}`
)(0)
const leasesOn = (on: CassandraSession) => new Leases({ store: new CassandraLeaseStore(on), ...options })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const nowMs = () => performance.now()
const stills = new StandStills()
const deadlineMsOf = ({ deadline }: Tenure) => deadline.from.monotonicMs + deadline.afterMs

beforeAll(async () => {
  session = await testSession(keyspace)
  for (const table of [tables.leases, tables.resign_requests])
    await session.client.execute(table.replaceAll('$k', keyspace))
})
afterAll(() => session?.close())

/** The machine was too busy for this round: its holder lost the lease before the act, or an answer did not come. It shows nothing. */
class TooBusy extends Error {}

const hadNoAnswer = (thrown: unknown): boolean =>
  isLeaseholdError(thrown, 'store-unavailable') || isLeaseholdError(thrown, 'outcome-unknown')

async function untilShown<T>(round: (tries: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await round(tries)
    } catch (thrown) {
      const isBusy = thrown instanceof TooBusy || hadNoAnswer(thrown)
      if (!isBusy || tries === 10) throw thrown
    }
  }
}

/** 50 rounds, 25 at a time, which do not begin in one moment. */
async function fifty<T>(round: (index: number, tries: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let batch = 0; batch < 2; batch++)
    results.push(
      ...(await Promise.all(
        Array.from({ length: 25 }, async (_, i) => {
          await pause(i * 117)
          return untilShown((tries) => round(batch * 25 + i, tries))
        }),
      )),
    )
  return results
}

/** Figures for people: the test run shows them. */
function report(what: string, figuresMs: number[]): { p50: number; max: number } {
  const sorted = figuresMs.toSorted((a, b) => a - b)
  const [p50, max] = [sorted[Math.floor(sorted.length / 2)] as number, sorted.at(-1) as number]
  console.info(`${what}: p50 ${p50.toFixed(0)} ms, max ${max.toFixed(0)} ms, ${sorted.length} rounds`)
  return { p50, max }
}

/** A waiter's turn after a break, in milliseconds. */
interface Turn {
  /** From the old holder's last deadline to the sending of the try that succeeded. */
  gapMs: number
  /** From "safe at" to the sending of that try, and to the moment when the lease was handed out, less what this process stood still. */
  sentMs: number
  lateMs: number
  /** The duration of an acquisition of a free lease at the same time. */
  plainMs: number
}

async function turnAfter(
  waiting: Promise<Lease>,
  safeAtMs: number,
  oldDeadlineMs: () => number,
): Promise<Turn> {
  const next = await waiting
  const sinceSafeMs = Date.now() - safeAtMs
  const lateMs = sinceSafeMs - stills.since(nowMs() - sinceSafeMs)
  const { from } = next.tenure.deadline
  const before = nowMs()
  await leasesOn(session).protocol.tryAcquire(names(), { ttlSeconds })
  return {
    gapMs: from.monotonicMs - oldDeadlineMs(),
    sentMs: from.wallMs - safeAtMs,
    lateMs,
    plainMs: nowMs() - before,
  }
}

function expectInTurn(what: string, turns: Turn[]): void {
  expect(Math.min(...turns.map(({ gapMs }) => gapMs))).toBeGreaterThan(0)
  report(
    `${what}, sent after "safe at"`,
    turns.map(({ sentMs }) => sentMs),
  )
  const late = report(
    `${what}, acquired after "safe at"`,
    turns.map(({ lateMs }) => lateMs),
  )
  const plain = report(
    'an acquisition at that time',
    turns.map(({ plainMs }) => plainMs),
  )
  // 100 ms on an idle machine. A waiter that missed the end of the quarantine would be seconds late. A turn is a timer, a read, a
  // conditional write and sometimes another: on a busy machine each takes as long as a plain acquisition.
  expect(late.p50).toBeLessThan(1_000 + 4 * plain.p50)
  expect(late.max).toBeLessThan(3_000 + 4 * plain.max)
}

describe.concurrent('a break', () => {
  it('of a holder that goes on renewing: never two by their own deadlines, and the next one comes when it is safe', async () => {
    const rounds = await fifty(async (index) => {
      const name = names()
      const [holder, waiter] = [leasesOn(session), leasesOn(session)]
      const old = await holder.acquire(name, { ttlSeconds })
      const waiting = waiter.acquire(name, { ttlSeconds, waitMs: 60_000 })
      waiting.catch(() => {})
      await pause(500 + (index % 10) * 150)
      const outcome = await new Operator(holder.protocol).break(
        { name, owner: old.owner },
        { id: `plan-${index}` },
      )
      if (outcome.kind !== 'broken') throw new TooBusy(outcome.kind)
      // Its last confirmed deadline counts, although it learned of its loss before.
      const turn = await turnAfter(waiting, outcome.safeAtMs, () => old.deadlineMs)
      expect(old.held).toBe(false)
      await waiter.close()
      return turn
    })
    expectInTurn('break', rounds)
  })

  it('between whose re-read and mark the holder renews: never two by their own deadlines', async () => {
    const rounds = await fifty(async (index, tries) => {
      const name = names()
      const holder = new LeaseProtocol({ store: new CassandraLeaseStore(session), ...options })
      // One that a busy machine lost before the break gets more time.
      const longer = ttlSeconds + 2 * (tries - 1)
      const acquired = await holder.tryAcquire(name, { ttlSeconds: longer })
      if (acquired.kind !== 'acquired') throw new Error(acquired.kind)
      let old = acquired.tenure
      class RenewedBefore extends CassandraLeaseStore {
        override async quarantine(write: QuarantineWrite) {
          const outcome = await holder.renew(old)
          if (outcome.kind !== 'renewed') throw new TooBusy(outcome.kind)
          old = outcome.tenure
          return super.quarantine(write)
        }
      }
      const waiter = leasesOn(session)
      const waiting = waiter.acquire(name, { ttlSeconds, waitMs: 60_000 })
      waiting.catch(() => {})
      // The less of the TTL is left at the read, the shorter would be a quarantine that counts the rest alone.
      await pause(longer * 500 - 500 + (index % 10) * 100)
      const operator = new LeaseProtocol({ store: new RenewedBefore(session), ...options })
      const outcome = await new Operator(operator).break({ name, owner: old.owner }, { id: `plan-${index}` })
      if (outcome.kind !== 'broken') throw new TooBusy(outcome.kind)
      const turn = await turnAfter(waiting, outcome.safeAtMs, () => deadlineMsOf(old))
      await waiter.close()
      return turn
    })
    expectInTurn('break with a renewal', rounds)
  })
})

describe('a kill', () => {
  it('overlaps for one TTL at most, also when the holder is cut off', async () => {
    // A busy machine does not lose them before they are killed.
    const longer = Math.max(12, ttlSeconds)
    const [host = '', port] = testContactPoint().split(':')
    const proxy = await FaultProxy.listen(host, Number(port ?? 9042))
    const behind = await testConnect({
      contactPoints: [proxy.contactPoint],
      localDataCenter: 'datacenter1',
      keyspace,
      ...testCredentials(),
    })
    try {
      const operator = new LeaseProtocol({ store: new CassandraLeaseStore(session), ...options })
      const held = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const cutOff = index % 2 === 0
          const leases = leasesOn(cutOff ? behind : session)
          return { cutOff, lease: await leases.acquire(names(), { ttlSeconds: longer, waitMs: 10_000 }) }
        }),
      )
      proxy.refuse()
      const rounds = await Promise.all(
        held.map(async ({ cutOff, lease }, index) => {
          const { name, owner } = lease
          // Kills at any point between two renewals.
          await pause(index * 30)
          const killedMs = nowMs()
          const stopped = new Promise<number>((resolve) =>
            lease.signal.addEventListener('abort', () => resolve(stills.ranSince(killedMs))),
          )
          const killed = lease.held ? await new Operator(operator).kill({ name, owner }) : null
          // A renewal that is sent in this time may still come before the kill.
          const tookMs = nowMs() - killedMs
          // Lost before, or an answer was lost: it shows nothing.
          if (killed === null || killed.kind === 'unknown' || killed.kind === 'superseded') return []
          expect(killed.kind).toBe('released')
          // The next holder acquires at once.
          const next = await operator.tryAcquire(name, { ttlSeconds }).catch((thrown) => {
            if (!hadNoAnswer(thrown)) throw thrown
          })
          if (next === undefined) return []
          expect(next.kind).toBe('acquired')
          const byClockMs = await stopped
          expect(lease.held).toBe(false)
          return [{ cutOff, tookMs, byClockMs, byDeadlineMs: lease.deadlineMs - killedMs }]
        }),
      )
      const overlaps = rounds.flat()
      const of = (cutOff: boolean) => overlaps.filter((overlap) => overlap.cutOff === cutOff)
      // Of 25 each.
      for (const cutOff of [true, false]) expect(of(cutOff).length, `cut off: ${cutOff}`).toBeGreaterThan(12)
      report(
        'kill of a connected holder, until it stops',
        of(false).map(({ byClockMs }) => byClockMs),
      )
      report(
        'kill of one that is cut off, until its deadline',
        of(true).map(({ byDeadlineMs }) => byDeadlineMs),
      )
      for (const { byDeadlineMs, tookMs } of overlaps)
        expect(byDeadlineMs).toBeLessThanOrEqual(longer * 1_000 + tookMs)
      // On a busy machine the timer aborts the signal late; `lease.held` is false in time.
      for (const { byClockMs, tookMs } of overlaps)
        expect(byClockMs).toBeLessThan(longer * 1_000 + 1_000 + tookMs)
      // The test shows something only if a holder that is cut off goes on for a while.
      expect(Math.max(...of(true).map(({ byDeadlineMs }) => byDeadlineMs))).toBeGreaterThan(1_000)
    } finally {
      proxy.restore()
      await behind.close()
      await proxy.close()
    }
  })
})

describe('a row that a client dated ahead of the clocks', () => {
  const dated = async (aheadMs: number) => {
    const name = names()
    await session.client.execute(
      `INSERT INTO "${keyspace}".leases (name, owner, value) VALUES (?, 'plain', 'v') USING TTL 300 AND TIMESTAMP ?`,
      [name, String((Date.now() + aheadMs) * 1_000)],
      { prepare: true },
    )
    return { name, owner: 'plain' }
  }

  it('is not said to be killed: its cells outlive the delete', async () => {
    const operator = new Operator(leasesOn(session))
    for (const aheadMs of [30_000, 3_600_000])
      expect(await operator.kill(await dated(aheadMs))).toEqual({ kind: 'not-released' })
  })

  /** The owner as a heartbeat by a clock that is ahead leaves it, beside the value and the row marker of the first INSERT. */
  const datedOwner = async (aheadMs: number) => {
    const name = names()
    const cql = (text: string, params: string[]) => session.client.execute(text, params, { prepare: true })
    await cql(
      `INSERT INTO "${keyspace}".leases (name, owner, value) VALUES (?, 'plain', 'v') USING TTL 300`,
      [name],
    )
    await cql(
      `UPDATE "${keyspace}".leases USING TTL 300 AND TIMESTAMP ? SET owner = 'plain' WHERE name = ?`,
      [String((Date.now() + aheadMs) * 1_000), name],
    )
    return { name, owner: 'plain' }
  }

  it('loses its value to a delete and to a mark where its owner alone is dated ahead, and the step shows it', async () => {
    const store = new CassandraLeaseStore(session)
    const operator = new Operator(new LeaseProtocol({ store, maxClockSkewMs: 28_000 }))
    const steps: (KillStep | BreakStep)[] = []
    const onStep = (step: KillStep | BreakStep) => steps.push(step)
    expect(await operator.kill(await datedOwner(25_000), onStep)).toEqual({ kind: 'not-released' })
    expect(steps.at(-1)).toMatchObject({
      step: 'no-effect',
      before: { owner: 'plain', value: 'v' },
      lease: { owner: 'plain', value: null },
    })
    const planned = await datedOwner(25_000)
    expect(await operator.break(planned, { id: 'b2', value: 'note' }, onStep)).toEqual({ kind: 'not-broken' })
    expect(steps.at(-1)).toMatchObject({
      step: 'no-effect',
      before: { owner: 'plain', value: 'v' },
      lease: { owner: 'plain', value: 'note' },
    })
  })

  it('is not said to be broken: its cells outlive the mark', async () => {
    // A skew for which a break allows.
    const store = new CassandraLeaseStore(session)
    const operator = new Operator(new LeaseProtocol({ store, maxClockSkewMs: 28_000 }))
    expect(await operator.break(await dated(25_000), { id: 'b1' })).toEqual({ kind: 'not-broken' })
  })
})

describe('a request to resign', () => {
  it('ends the tenure within one renewal interval, and the waiter acquires then', () =>
    untilShown(async () => {
      const name = names()
      const resignRequests = new CassandraResignRequests(session)
      const holder = new Leases({ store: new CassandraLeaseStore(session), ...options, resignRequests })
      const waiter = leasesOn(session)
      const old = await holder.acquire(name, { ttlSeconds })
      const waiting = waiter.acquire(name, { ttlSeconds, waitMs: 60_000 })
      const resigned = new Promise<number>((resolve) =>
        old.signal.addEventListener('abort', () => resolve(nowMs())),
      )
      const request = { id: 'r1', name, owner: old.owner, requestedBy: 'ana', reason: 'INC-2214' }
      await resignRequests.ask({ ...request, requestedAtMs: Date.now() })
      const askedMs = nowMs()
      const next = await waiting
      await waiter.close()
      const tookMs = (await resigned) - askedMs
      report('ask, until the holder resigned', [tookMs])
      // A third of the window, and a tenth of that: 1797 ms. One busy read more.
      const longestMs = (((ttlSeconds - 1) * 1_000 - 100) / 3) * 1.1 + 1_000
      const { reason } = old.signal.reason as LeaseLostError
      if (reason === 'deadline') throw new TooBusy('It lost the lease before it resigned.')
      if (tookMs > longestMs)
        throw new TooBusy(`It resigned after ${tookMs} ms, and not within ${longestMs} ms.`)
      expect(old.signal.reason).toMatchObject({ reason: 'resign-requested', cause: request })
      expect(next.tenure.deadline.from.monotonicMs).toBeGreaterThan(await resigned)
    }))
})
