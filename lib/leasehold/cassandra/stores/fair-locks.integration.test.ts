/** Fair locks on a real Cassandra: the cost of a hand-over, the order of turns, and reads after a long history. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LeaseStore, Leases, type Ticket } from '../../lease/index.ts'
import { Locks } from '../../lock/index.ts'
import { testSession } from '../../test/node-session.ts'
import { ticketContract } from '../../testing/index.ts'
import { CassandraLeaseStore } from '../leases/lease-store.ts'
import { tables } from '../schema/tables.ts'
import type { CassandraSession } from '../session/session.ts'
import { CassandraTicketStore } from './ticket-store.ts'

const keyspace = 'fair_test'
const contenders = 100
const holdMs = 20
let sessions: CassandraSession[]
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const fresh = () => `fair/${randomBytes(6).toString('hex')}`

beforeAll(async () => {
  sessions = await Promise.all(Array.from({ length: 4 }, () => testSession(keyspace)))
  for (const table of [tables.leases, tables.lock_tickets])
    await session().client.execute(table.replaceAll('$k', keyspace))
})
afterAll(() => Promise.all((sessions ?? []).map((each) => each.close())))

const session = () => sessions[0] as CassandraSession

/** Counts every conditional write that is sent, whatever its outcome. */
class CountingStore extends CassandraLeaseStore {
  static conditional = 0
  override acquire(...write: Parameters<LeaseStore['acquire']>) {
    CountingStore.conditional++
    return super.acquire(...write)
  }
  override renew(...write: Parameters<LeaseStore['renew']>) {
    CountingStore.conditional++
    return super.renew(...write)
  }
  override release(...write: Parameters<LeaseStore['release']>) {
    CountingStore.conditional++
    return super.release(...write)
  }
}

/** Records the tickets that were written, in the order of their numbers. */
class TellingTickets extends CassandraTicketStore {
  static readonly taken = new Map<string, Ticket>()
  /** Whose tickets stand. */
  static readonly standing = new Set<string>()
  /** When the last ticket was taken, by this process' wall clock. */
  static lastMs = 0
  override async put(ticket: Ticket, ttlSeconds: number, atMicros: bigint) {
    if (!TellingTickets.taken.has(ticket.owner)) TellingTickets.lastMs = Number(ticket.number / 1000n)
    TellingTickets.taken.set(ticket.owner, ticket)
    await super.put(ticket, ttlSeconds, atMicros)
    TellingTickets.standing.add(ticket.owner)
  }
}

const locksOn = (by: CassandraSession) =>
  new Locks(
    new Leases({ store: new CountingStore(by), tickets: new TellingTickets(by), maxClockSkewMs: 100 }),
  )

const percentile = (sorted: number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

it('serves a hundred contenders in their order, at no more than three conditional writes a hand-over', async () => {
  const name = fresh()
  const holder = await locksOn(session()).lock(name, { ttlSeconds: 60 })
  const enteredMs: number[] = []
  const leftMs: number[] = []
  const served: number[] = []
  let inside = 0
  const instances = Array.from({ length: 8 }, (_, i) => locksOn(sessions[i % 4] as CassandraSession))
  const waiting: Promise<void>[] = []
  for (let who = 0; who < contenders; who++) {
    const locks = instances[who % instances.length] as Locks
    waiting.push(
      locks.withLock(name, { fair: true, waitMs: 170_000, ttlSeconds: 60 }, async () => {
        enteredMs.push(performance.now())
        expect(++inside).toBe(1)
        served.push(who)
        await pause(holdMs)
        inside--
        leftMs.push(performance.now())
      }),
    )
    // A process that stands still after the timer has started goes on at once: two waiters within one millisecond would have no order.
    await pause(4)
    while (TellingTickets.taken.size <= who || Date.now() <= TellingTickets.lastMs) await pause(1)
  }
  while (TellingTickets.standing.size < contenders) await pause(10)
  await pause(200)
  CountingStore.conditional = 0
  leftMs.push(performance.now())
  await Promise.all([holder.release(), ...waiting])

  const handOvers = enteredMs.map((entered, i) => entered - (leftMs[i] ?? entered)).sort((a, b) => a - b)
  const each = CountingStore.conditional / contenders
  console.info(
    `fair, ${contenders} contenders: ${each.toFixed(2)} conditional writes a hand-over; from release to work p50 ${percentile(handOvers, 0.5).toFixed(1)} ms, p95 ${percentile(handOvers, 0.95).toFixed(1)} ms`,
  )
  const byTicket = [...TellingTickets.taken.values()].map(({ number }) => number)
  expect(byTicket).toEqual(byTicket.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(served).toEqual(Array.from({ length: contenders }, (_, who) => who))
  expect(each).toBeLessThanOrEqual(3)
  expect(await new CassandraTicketStore(session()).first(name, 0n, 10)).toEqual([])
})

describe('the store of tickets keeps the contract', () => {
  for (const { title, run } of ticketContract)
    it(title, () => run({ store: new CassandraTicketStore(session()), name: fresh(), wait: pause }))
})

it('reads a queue no slower after a thousand hand-overs on its name', async () => {
  const tickets = new CassandraTicketStore(session())
  const [name, quiet] = [fresh(), fresh()]
  const begun = BigInt(Date.now()) * 1000n
  for (let batch = 0; batch < 20; batch++)
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const number = begun + BigInt(batch * 50 + i)
        const ticket = { name, number, owner: `w${i}` }
        await tickets.put(ticket, 60, number)
        await tickets.remove(ticket, number + 1n)
      }),
    )
  const waiting = begun + 1_000n
  for (const each of [name, quiet])
    await tickets.put({ name: each, number: waiting, owner: 'first' }, 3_600, waiting)
  const reads: Record<'above' | 'bottom' | 'quiet', number[]> = { above: [], bottom: [], quiet: [] }
  const time = async (into: number[], where: string, from: bigint) => {
    let started = performance.now()
    const look = () => tickets.first(where, from, 17)
    // A read that a busy machine does not answer in time is sent again: only those that are answered count.
    const found = await look().catch(() => {
      started = performance.now()
      return look()
    })
    into.push(performance.now() - started)
    expect(found).toHaveLength(1)
  }
  // In turn, so that the machine's noise affects all three alike.
  for (let i = 0; i < 200; i++) {
    await time(reads.above, name, waiting - 10n)
    await time(reads.bottom, name, 0n)
    await time(reads.quiet, quiet, 0n)
  }
  const median = (times: number[]) =>
    percentile(
      times.sort((a, b) => a - b),
      0.5,
    )
  const [above, bottom, none] = [median(reads.above), median(reads.bottom), median(reads.quiet)]
  console.info(
    `a look after 1,000 hand-overs, p50: ${above.toFixed(2)} ms above them, ${bottom.toFixed(2)} ms through them, ${none.toFixed(2)} ms without any`,
  )
  // A read passes ten tombstones, not a thousand: on any machine it must take less than twice as long.
  expect(above).toBeLessThan(2 * none + 1)
})
