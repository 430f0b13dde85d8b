/** Tickets that the store refuses: order is lost for one name and for a minute, and a caller that asked for order gets an error. */
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from '../../../testing/index.ts'
import {
  ClosedError,
  InvalidArgumentError,
  Leases,
  StoreRefusedError,
  StoreUnavailableError,
} from '../../index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let tickets: MemoryTicketStore

const make = () =>
  new Leases({
    store,
    tickets,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 100,
    defaultTtlSeconds: 30,
  })

/** Reads of the queues of these names fail; of all names, if none is given. */
function refuseReads(error: Error, ...names: string[]): void {
  tickets.first = async (name, from, limit) => {
    if (names.length > 0 && !names.includes(name))
      return MemoryTicketStore.prototype.first.call(tickets, name, from, limit)
    tickets.sent.first++
    throw error
  }
}

/** Tickets of this process cannot be written. */
function refuseTickets(error: Error): void {
  tickets.put = async (ticket, ...rest) => {
    if (ticket.owner !== 'waiter') throw error
    return MemoryTicketStore.prototype.put.call(tickets, ticket, ...rest)
  }
}

/** Acquires and releases: from now on this process looks for waiters before it tries again. */
async function comeAndGo(leases: Leases, name: string): Promise<void> {
  await clock.run((await clock.run(leases.acquire(name))).release())
}

/** Another process waits for a lease that is free: it has a ticket, and does not try. */
const waiter = (name: string) =>
  tickets.put({ name, number: BigInt(clock.now().wallMs) * 1000n, owner: 'waiter' }, 6, 1n)

const outsideOfPrefix = new StoreRefusedError('The server answers 403: the token is not good for this name.')
const missing = new StoreRefusedError('Cassandra refused: table lock_tickets does not exist')

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  tickets = new MemoryTicketStore(clock)
})

describe('a queue that was refused for one name', () => {
  it('is read for another name, also without fair: true', async () => {
    const leases = make()
    refuseReads(outsideOfPrefix, 'theirs')
    await comeAndGo(leases, 'theirs')
    await comeAndGo(leases, 'theirs')
    await comeAndGo(leases, 'ours')
    await waiter('ours')
    expect(await clock.run(leases.tryAcquire('ours'))).toEqual({
      kind: 'held',
      owner: null,
      behindQueue: true,
    })
  })

  it('does not let a try with fair: true pass the waiters of another name', async () => {
    const leases = make()
    refuseReads(outsideOfPrefix, 'theirs')
    await comeAndGo(leases, 'theirs')
    await comeAndGo(leases, 'theirs')
    await waiter('ours')
    expect(await clock.run(leases.tryAcquire('ours', { fair: true }))).toEqual({
      kind: 'held',
      owner: null,
      behindQueue: true,
    })
  })

  it('is not read again for a minute, and then it is', async () => {
    const leases = make()
    refuseReads(outsideOfPrefix)
    for (let turn = 0; turn < 50; turn++) {
      await comeAndGo(leases, 'job')
      await clock.advance(200)
    }
    expect(tickets.sent.first).toBe(1)
    await clock.advance(60_000)
    await comeAndGo(leases, 'job')
    await comeAndGo(leases, 'job')
    expect(tickets.sent.first).toBe(2)
  })

  it.each([
    ['refused', outsideOfPrefix, 'store-refused'],
    ['unreachable', new StoreUnavailableError('no quorum'), 'store-unavailable'],
  ])(
    'and a try with fair: true throws when its queue is %s, and does not try',
    async (_what, error, code) => {
      const leases = make()
      refuseReads(error)
      const { sent } = store
      // Also while the refusal is remembered.
      for (let tries = 1; tries <= 2; tries++) {
        await expect(clock.run(leases.tryAcquire('job', { fair: true }))).rejects.toMatchObject({ code })
        expect(tickets.sent.first).toBe(tries)
      }
      expect(store.sent).toBe(sent)
    },
  )
})

it('a table of tickets that is missing costs one read a minute for all names', async () => {
  const leases = make()
  refuseReads(missing)
  for (let name = 0; name < 10; name++) {
    await comeAndGo(leases, `job/${name}`)
    await comeAndGo(leases, `job/${name}`)
  }
  expect(tickets.sent.first).toBe(1)
})

describe('a wait that would queue, because another process waits', () => {
  /** As a server answers a client whose clock is more than a minute ahead. */
  const tooFarAhead = new InvalidArgumentError('number is more than 60 s ahead of this server’s clock.')
  const bug = new TypeError('a bug of the store')

  /** A process that has just released the lease waits for it again, behind another one's ticket. */
  async function comeBack(fair?: boolean) {
    const leases = make()
    await comeAndGo(leases, 'job')
    await waiter('job')
    return clock.run(leases.acquire('job', { fair, waitMs: 2_000 }))
  }

  it.each([tooFarAhead, outsideOfPrefix, missing, bug])(
    'goes on without a ticket after: %s',
    async (error) => {
      refuseTickets(error)
      const lease = await comeBack()
      expect(lease.held).toBe(true)
      expect(clock.now().monotonicMs).toBeLessThan(100)
    },
  )

  it.each([tooFarAhead, outsideOfPrefix, bug])('goes on when its queue cannot be read: %s', async (error) => {
    refuseReads(error)
    expect((await comeBack()).held).toBe(true)
    expect(tickets.sent.put).toBe(1)
  })

  it.each([outsideOfPrefix, bug])(
    'gives up its place when the queue cannot be read any more: %s',
    async (error) => {
      let reads = 0
      tickets.first = async (...args) => {
        // The first one is the look for waiters.
        if (++reads > 1) throw error
        return MemoryTicketStore.prototype.first.apply(tickets, args)
      }
      expect((await comeBack()).held).toBe(true)
      await clock.advance(1)
      expect(tickets.queue('job').map(({ owner }) => owner)).toEqual(['waiter'])
    },
  )

  it('ends when the session is closed', async () => {
    refuseTickets(new ClosedError())
    await expect(comeBack()).rejects.toMatchObject({ code: 'closed' })
  })

  it('ends with the error of its queue, if it asked for order: it does not go on without', async () => {
    let reads = 0
    tickets.first = async (...args) => {
      if (++reads > 1) throw outsideOfPrefix
      return MemoryTicketStore.prototype.first.apply(tickets, args)
    }
    await expect(comeBack(true)).rejects.toBe(outsideOfPrefix)
  })

  it('ends with the error of its ticket, if it asked for order', async () => {
    refuseTickets(tooFarAhead)
    await expect(comeBack(true)).rejects.toMatchObject({ code: 'invalid-argument' })
  })
})

it.each([true, undefined])(
  'a ticket that was written, and whose answer was lost, keeps no place (fair: %s)',
  async (fair) => {
    const leases = make()
    await comeAndGo(leases, 'job')
    await waiter('job')
    tickets.fault = (kind) => (kind === 'put' ? { kind: 'lost', applied: true } : undefined)
    const waiting = leases.acquire('job', { fair, waitMs: 2_000 })
    await clock.run(waiting.catch(() => {}))
    // At once: otherwise those behind it wait until it expires.
    expect(tickets.sent.remove).toBe(tickets.sent.put - 1)
    expect(tickets.queue('job').map(({ owner }) => owner)).toEqual(['waiter'])
    await (fair ? expect(waiting).rejects.toMatchObject({ code: 'store-unavailable' }) : waiting)
  },
)
