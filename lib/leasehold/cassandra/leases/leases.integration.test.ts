/** Leases that are kept alive, on a real Cassandra and real clocks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LeaseLostError, Leases } from '../../lease/index.ts'
import { Operator } from '../../operator/index.ts'
import { testKeptTtlSeconds, testSession } from '../../test/node-session.ts'
import type { CassandraSession } from '../session/session.ts'
import { CassandraLeaseStore } from './lease-store.ts'

let session: CassandraSession
const names = (
  (count) => () =>
    `keep/${process.pid}/${++count}`
)(0)
const maxClockSkewMs = 100
const ttlSeconds = testKeptTtlSeconds(maxClockSkewMs)
/** The leases of one process; to Cassandra, each call is a process of its own. */
const process_ = () => new Leases({ store: new CassandraLeaseStore(session), maxClockSkewMs })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

beforeAll(async () => {
  session = await testSession('leases_test')
  await session.client.execute(
    'CREATE TABLE IF NOT EXISTS leases_test.leases (name text PRIMARY KEY, owner text, value text) WITH default_time_to_live = 180',
  )
})
afterAll(() => session?.close())

describe('a lease that is kept alive', () => {
  it('outlives three TTLs, keeps its token, and leaves at once when it is released', async () => {
    const keep = async () => {
      const name = names()
      const [holder, waiter] = [process_(), process_()]
      const lease = await holder.acquire(name, { ttlSeconds, value: 'first' })
      const { token } = lease
      await lease.update('second')
      const waiting = waiter.acquire(name, { ttlSeconds, waitMs: 60_000 })
      waiting.catch(() => {})
      await pause(3 * ttlSeconds * 1_000 + 500)
      return { name, holder, waiter, lease, token, waiting }
    }
    let kept = await keep()
    // A machine that stands still for three seconds loses it too: a mistake loses it each time.
    for (let tries = 1; tries < 3 && !kept.lease.held; tries++) {
      await kept.waiter.close()
      kept = await keep()
    }
    const { name, holder, waiter, lease, token, waiting } = kept
    expect(lease.held).toBe(true)
    expect(lease.token).toBe(token)
    expect(await holder.protocol.read(name)).toMatchObject({ owner: lease.owner, value: 'second' })
    await lease.release()
    const next = await waiting
    expect(next.held).toBe(true)
    expect(next.token).toBeGreaterThan(token)
    expect(await waiter.close({ waitMs: 60_000 })).toEqual([])
    expect(await holder.protocol.read(name)).toBeNull()
  })

  it('goes to the next holder after its holder died, at the expiry and not before', async () => {
    const name = names()
    const sentMs = Date.now()
    const dead = await process_().protocol.tryAcquire(name, { ttlSeconds: 3 })
    if (dead.kind !== 'acquired') throw new Error(dead.kind)
    const waiter = process_()
    const next = await waiter.acquire(name, { ttlSeconds, waitMs: 60_000 })
    // By the second in which the statement began. One read's expiry may be a second late: its now() is evaluated later.
    expect(Date.now()).toBeGreaterThanOrEqual((Math.floor(sentMs / 1000) + 3) * 1000)
    expect(next.token).toBeGreaterThan(dead.tenure.token ?? 0n)
    await waiter.close()
  })

  it('learns of a kill at its next renewal', async () => {
    const name = names()
    const leases = process_()
    // With a shorter TTL, a machine that stands still for three seconds meets the deadline before that renewal is answered.
    const lease = await leases.acquire(name, { ttlSeconds: Math.max(20, ttlSeconds) })
    const lost = new Promise<LeaseLostError>((resolve) =>
      lease.signal.addEventListener('abort', () => resolve(lease.signal.reason)),
    )
    expect(await new Operator(leases.protocol).kill({ name, owner: lease.owner })).toMatchObject({
      kind: 'released',
    })
    expect((await lost).reason).toBe('not-holder')
    expect(lease.held).toBe(false)
  })

  it('one of ten waiters at a time holds it', async () => {
    const name = names()
    let inside = 0
    let most = 0
    // Nothing here waits for an expiry: a machine that stands still for some seconds loses no lease.
    const long = Math.max(30, ttlSeconds)
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        await using lease = await process_().acquire(name, { ttlSeconds: long, waitMs: 170_000 })
        most = Math.max(most, ++inside)
        await pause(20)
        lease.throwIfLost()
        inside--
      }),
    )
    expect(most).toBe(1)
  })
})
